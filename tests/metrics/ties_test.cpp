/// Values that differ by rounding have one rank in every metric that ranks.

#include "base/ranks/ties.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "kernmix/calibration.hpp"
#include "kernmix/metrics.hpp"
#include "kernmix/paired_tests.hpp"

namespace kernmix {
namespace {

/// A few values, each many times, and the same with rounding.
struct RoundedValues {
  Vector y, exact, rounded;
};

RoundedValues rounded_values(unsigned seed, int distinct) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Vector levels;
  for (int k = 0; k < distinct; ++k) levels.push_back(normal(random));
  RoundedValues all;
  for (int i = 0; i < 80; ++i) {
    all.y.push_back(i < 2 ? 2.0 * i - 1.0 : random() % 3 == 0 ? 1.0 : -1.0);
    all.exact.push_back(levels[random() % levels.size()]);
    all.rounded.push_back(all.exact.back() * (1.0 + 1e-14 * normal(random)));
  }
  return all;
}

void expect_equal(const Metric& left, const Metric& right) {
  ASSERT_EQ(left.value.has_value(), right.value.has_value()) << left.name;
  EXPECT_EQ(left.value.value_or(0.0), right.value.value_or(0.0)) << left.name;
}

TEST(Ties, OfRoundingHaveOneRankInEveryMetric) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    for (const int distinct : {1, 2, 7}) {
      const auto [y, exact, rounded] = rounded_values(seed, distinct);
      expect_equal(auc(y, rounded), auc(y, exact));
      expect_equal(average_precision(y, rounded), average_precision(y, exact));
      expect_equal(average_precision_11_point(y, rounded), average_precision_11_point(y, exact));
      expect_equal(average_precision_interpolated(y, rounded),
                   average_precision_interpolated(y, exact));
      expect_equal(auc_pr(y, rounded), auc_pr(y, exact));
      EXPECT_EQ(roc_curve(y, rounded).size(), roc_curve(y, exact).size());
      const auto test = auc_test(y, rounded, exact);
      ASSERT_TRUE(test);
      EXPECT_EQ(test->difference, 0.0);
      if (distinct == 1) {
        EXPECT_EQ(auc(y, rounded).value, 0.5);
      }
    }
  }
}

TEST(Ties, OfLabelsOfASampleCountAsSuch) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const auto [y, exact, rounded] = rounded_values(seed, 3);
    const Index T = 8;
    MultiLabels truth{{"a", "b", "c", "d", "e", "f", "g", "h"}, {}};
    for (const double sign : y) truth.values.push_back(sign > 0.0 ? 1 : 0);
    Matrix of_exact(10, T);
    Matrix of_rounded(10, T);
    of_exact.values = exact;
    of_rounded.values = rounded;
    const auto left = evaluate_labels(truth, of_exact).metrics;
    const auto right = evaluate_labels(truth, of_rounded).metrics;
    for (std::size_t k = 0; k < left.size(); ++k) expect_equal(left[k], right[k]);
  }
}

TEST(Ties, OfRoundingHaveOneProbability) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const auto [y, exact, rounded] = rounded_values(seed, 5);
    Vector target;
    for (const double sign : y) target.push_back(sign > 0.0 ? 1.0 : 0.0);
    const auto levels = [&](const Vector& decision) {  // rounding of means aside
      std::set<double> found;
      for (const double p : fit_isotonic(target, decision).probability) {
        found.insert(std::round(p * 1e9));
      }
      return found;
    };
    EXPECT_EQ(levels(rounded), levels(exact));
  }
}

TEST(Ties, AreNotMadeOfValuesThatDiffer) {
  for (const double size : {1e-300, 1e-12, 1.0, 1e200}) {
    for (const double sign : {1.0, -1.0}) {
      EXPECT_FALSE(tied(sign * size, sign * size * (1.0 + 1e-9)));
      EXPECT_TRUE(tied(sign * size, sign * size * (1.0 + 1e-13)));
      EXPECT_FALSE(tied(-size, size));
    }
    EXPECT_FALSE(tied(0.0, size));
  }
}

}  // namespace
}  // namespace kernmix
