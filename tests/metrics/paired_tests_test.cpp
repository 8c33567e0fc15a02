// Paired tests against what their definitions say, and against enumeration.
#include "kernmix/paired_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"

namespace kernmix {
namespace {

/// Two-sided p of McNemar's test by adding up all 2^n outcomes.
double enumerated_p(int first, int second) {
  const int n = first + second;
  int as_few = 0;
  for (int outcome = 0; outcome < (1 << n); ++outcome) {
    as_few += __builtin_popcount(static_cast<unsigned>(outcome)) <= std::min(first, second) ? 1 : 0;
  }
  return std::min(1.0, 2.0 * as_few / std::pow(2.0, n));
}

TEST(McNemar, IsTheSignTestOfSamplesThatDiffer) {
  for (int first = 0; first <= 6; ++first) {
    for (int second = 0; second <= 6; ++second) {
      EXPECT_NEAR(mcnemar_test(first, second).p, enumerated_p(first, second), 1e-12)
          << first << " " << second;
    }
  }
  EXPECT_EQ(mcnemar_test(0, 0).p, 1.0);
  EXPECT_LT(mcnemar_test(0, 100000).p, 1e-300);
  EXPECT_THROW((void)mcnemar_test(-1, 2), ParameterError);
}

struct Pair {
  Vector y;
  Vector first;
  Vector second;
};

Pair random_pair(unsigned seed, int samples, double signal) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Pair pair;
  for (int i = 0; i < samples; ++i) {
    pair.y.push_back(i % 2 == 0 ? 1.0 : -1.0);
    const double common = normal(random);
    pair.first.push_back(common + 0.7 * normal(random) + signal * pair.y.back());
    pair.second.push_back(common + 0.7 * normal(random) + 0.5 * pair.y.back());
  }
  return pair;
}

TEST(AucTest, ItsDifferenceIsThatOfTheAreasAndItsSignTurnsWithTheModels) {
  const Pair pair = random_pair(1, 60, 1.0);
  const auto test = auc_test(pair.y, pair.first, pair.second);
  const auto turned = auc_test(pair.y, pair.second, pair.first);
  ASSERT_TRUE(test && turned);
  EXPECT_NEAR(test->difference, *auc(pair.y, pair.first).value - *auc(pair.y, pair.second).value,
              1e-12);
  EXPECT_NEAR(turned->difference, -test->difference, 1e-12);
  EXPECT_NEAR(turned->p, test->p, 1e-12);
  EXPECT_LT(test->low, test->difference);
  EXPECT_GT(test->high, test->difference);
}

/// The variance as DeLong et al. write it: from the two covariance matrices of the placements,
/// each a mean over all pairs of a positive and a negative sample.
double variance_by_pairs(const Pair& pair) {
  const auto wins = [](double a, double b) { return a > b ? 1.0 : a == b ? 0.5 : 0.0; };
  std::vector<Vector> v10;
  std::vector<Vector> v01;
  for (const Vector* values : {&pair.first, &pair.second}) {
    Vector positive;
    Vector negative;
    for (std::size_t i = 0; i < pair.y.size(); ++i) {
      double sum = 0.0;
      double others = 0.0;
      for (std::size_t j = 0; j < pair.y.size(); ++j) {
        if (pair.y[j] == pair.y[i]) continue;
        const bool is_positive = pair.y[i] > 0.0;
        sum += is_positive ? wins((*values)[i], (*values)[j]) : wins((*values)[j], (*values)[i]);
        others += 1.0;
      }
      (pair.y[i] > 0.0 ? positive : negative).push_back(sum / others);
    }
    v10.push_back(positive);
    v01.push_back(negative);
  }
  const auto covariance = [](const Vector& a, const Vector& b) {
    const auto n = static_cast<double>(a.size());
    double mean_a = 0.0;
    double mean_b = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      mean_a += a[i] / n;
      mean_b += b[i] / n;
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
    return sum / (n - 1.0) / n;
  };
  double variance = 0.0;
  for (const auto* v : {&v10, &v01}) {
    variance += covariance((*v)[0], (*v)[0]) + covariance((*v)[1], (*v)[1]) -
                2.0 * covariance((*v)[0], (*v)[1]);
  }
  return variance;
}

TEST(AucTest, ItsErrorIsThatOfDeLong) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Pair pair = random_pair(seed, 40, 1.0);
    for (double& value : pair.first) value = std::round(2.0 * value);  // ties
    const auto test = auc_test(pair.y, pair.first, pair.second);
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->error, std::sqrt(variance_by_pairs(pair)), 1e-12);
  }
}

TEST(AucTest, RejectsEqualModelsAsOftenAsItsLevel) {
  int rejected = 0;
  const int trials = 600;
  for (int k = 0; k < trials; ++k) {
    const Pair pair = random_pair(100U + static_cast<unsigned>(k), 100, 0.5);
    rejected += auc_test(pair.y, pair.first, pair.second)->p < 0.05 ? 1 : 0;
  }
  // 0.05 within five standard deviations of a share of 600 trials, 0.0089 each.
  EXPECT_NEAR(rejected / static_cast<double>(trials), 0.05, 0.045);
}

TEST(AucTest, SaysNothingWhereNothingVaries) {
  const Vector y = {1, 1, -1, -1};
  const auto same = auc_test(y, Vector{4, 3, 2, 1}, Vector{9, 8, 1, 0});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->p, 1.0);
  EXPECT_FALSE(auc_test(y, Vector{4, 3, 2, 1}, Vector{1, 2, 3, 4}));
  EXPECT_FALSE(auc_test(Vector{1, -1, -1}, Vector{4, 2, 1}, Vector{4, 1, 2}));
  EXPECT_THROW((void)auc_test(y, Vector{1}, Vector{1, 2, 3, 4}), ParameterError);
  EXPECT_THROW((void)auc_test(y, Vector(4, std::nan("")), Vector(4)), ParameterError);
  EXPECT_THROW((void)auc_test(Vector{1, 0}, Vector{1, 2}, Vector{1, 2}), ParameterError);
}

}  // namespace
}  // namespace kernmix
