#include "kernmix/paired_tests.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "kernmix/error.hpp"
#include "metrics/intervals.hpp"
#include "metrics/placements.hpp"

namespace kernmix {
namespace {

/// Differences of the placements of two models, and their means by class.
struct PlacementDifferences {
  Vector values;
  double positives = 0.0;
  double negatives = 0.0;
  double mean_of_positives = 0.0;
  double mean_of_negatives = 0.0;
};

PlacementDifferences placement_differences(ConstSpan y, ConstSpan first, ConstSpan second) {
  const Vector a = placements(y, first, threshold_steps(y, first));
  const Vector b = placements(y, second, threshold_steps(y, second));
  PlacementDifferences result;
  for (std::size_t i = 0; i < y.size(); ++i) {
    result.values.push_back(a[i] - b[i]);
    (y[i] > 0.0 ? result.mean_of_positives : result.mean_of_negatives) += a[i] - b[i];
    (y[i] > 0.0 ? result.positives : result.negatives) += 1.0;
  }
  result.mean_of_positives /= result.positives;
  result.mean_of_negatives /= result.negatives;
  return result;
}

/// S10 / P + S01 / N of the differences (DeLong et al. 1988, equation 5).
double variance_of(const PlacementDifferences& differences, ConstSpan y) {
  double positive = 0.0;
  double negative = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double mean = y[i] > 0.0 ? differences.mean_of_positives : differences.mean_of_negatives;
    const double deviation = differences.values[i] - mean;
    (y[i] > 0.0 ? positive : negative) += deviation * deviation;
  }
  return positive / (differences.positives - 1.0) / differences.positives +
         negative / (differences.negatives - 1.0) / differences.negatives;
}

void check_pair(ConstSpan y, ConstSpan first, ConstSpan second) {
  if (first.size() != y.size() || second.size() != y.size()) {
    throw ParameterError("auc_test: labels and both sets of decision values must be as many");
  }
  if (!std::ranges::all_of(y, [](double label) { return label == 1.0 || label == -1.0; })) {
    throw ParameterError("auc_test: labels must be +1 or -1");
  }
  for (const ConstSpan values : {first, second}) {
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
      throw ParameterError("auc_test: decision values must be finite");
    }
  }
}

}  // namespace

McNemarTest mcnemar_test(Index first_only, Index second_only) {
  if (first_only < 0 || second_only < 0) {
    throw ParameterError("mcnemar_test: counts must be >= 0");
  }
  McNemarTest test{first_only, second_only, 1.0};
  const Index differ = first_only + second_only;
  if (differ == 0) return test;
  const boost::math::binomial_distribution<double> heads(static_cast<double>(differ), 0.5);
  const auto fewer = static_cast<double>(std::min(first_only, second_only));
  test.p = std::min(1.0, 2.0 * boost::math::cdf(heads, fewer));
  return test;
}

std::optional<AucTest> auc_test(ConstSpan y, ConstSpan first, ConstSpan second) {
  check_pair(y, first, second);
  const auto positives = std::ranges::count(y, 1.0);
  if (positives < 2 || std::ranges::count(y, -1.0) < 2) return std::nullopt;
  const PlacementDifferences differences = placement_differences(y, first, second);
  AucTest test;
  test.difference = differences.mean_of_positives;
  test.error = std::sqrt(variance_of(differences, y));
  if (test.error > 0.0) {
    test.p = std::erfc(std::abs(test.difference) / test.error / std::sqrt(2.0));
  } else if (std::abs(test.difference) > 1e-12) {
    return std::nullopt;
  }
  test.low = test.difference - normal_quantile * test.error;
  test.high = test.difference + normal_quantile * test.error;
  return test;
}

}  // namespace kernmix
