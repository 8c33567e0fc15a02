#include "kernmix/paired_tests.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "kernmix/error.hpp"
#include "metrics/intervals.hpp"
#include "metrics/placements.hpp"

namespace kernmix {
namespace {

double mean_of_class(ConstSpan y, ConstSpan values, double sign) {
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != sign) continue;
    sum += values[i];
    count += 1.0;
  }
  return sum / count;
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
  Vector differences = placements(y, first, threshold_steps(y, first));
  const Vector others = placements(y, second, threshold_steps(y, second));
  for (std::size_t i = 0; i < y.size(); ++i) differences[i] -= others[i];
  AucTest test;
  test.difference = mean_of_class(y, differences, 1.0);
  // S10 / P + S01 / N of the differences (DeLong et al. 1988, equation 5).
  test.error = std::sqrt(squared_error(y, differences, 1.0, test.difference) +
                         squared_error(y, differences, -1.0, mean_of_class(y, differences, -1.0)));
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
