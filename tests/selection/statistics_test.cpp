/// \file
/// What ranks and tests say where the answer is known without a table, and what they refuse.

#include "kernmix/selection/statistics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "kernmix/error.hpp"

namespace kernmix::testing {
namespace {

TEST(Ranks, TiesShareTheirMean) {
  const Vector values = {0.5, 0.9, 0.5, 0.1};
  EXPECT_EQ(ranks(values, true), (Vector{2.5, 1.0, 2.5, 4.0}));
  EXPECT_EQ(ranks(values, false), (Vector{2.5, 4.0, 2.5, 1.0}));
}

TEST(Ranks, SumIsThatOfOneToN) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& drawn) {
    const Vector values(drawn.begin(), drawn.end());
    double sum = 0.0;
    for (const double rank : ranks(values, true)) sum += rank;
    RC_ASSERT(sum == 0.5 * static_cast<double>(values.size() * (values.size() + 1)));
  }));
}

// Two normal variables: their difference has variance 2, so that P = erf(q / 2).
TEST(StudentizedRange, OfTwoIsTheErrorFunction) {
  for (const double q : {0.0, 0.1, 1.0, 2.0, 5.0, 9.0}) {
    EXPECT_NEAR(range_probability(q, 2), std::erf(0.5 * q), 1e-13) << q;
  }
}

TEST(StudentizedRange, QuantileInvertsProbability) {
  for (const Index k : {2, 4, 10, 50}) {
    for (const double level : {0.01, 0.5, 0.9, 0.95, 0.999}) {
      EXPECT_NEAR(range_probability(range_quantile(level, k), k), level, 1e-9);
    }
  }
}

// Demsar (2006), table 5(a): q of alpha = 0.05 for 2 to 10 methods, three decimals.
TEST(Nemenyi, HasTheValuesOfDemsar) {
  const Vector q = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
  for (Index k = 2; k <= 10; ++k) {
    const double scale = std::sqrt(static_cast<double>(k * (k + 1)) / 60.0);
    EXPECT_NEAR(critical_difference(k, 10) / scale, q[to_size(k - 2)], 1.1e-3) << k;
  }
}

TEST(Nemenyi, CriticalDifferenceHasTheLevelAsItsP) {
  EXPECT_NEAR(nemenyi_p(critical_difference(6, 12, 0.1), 6, 12), 0.1, 1e-9);
}

TEST(Friedman, EqualMethodsDoNotDiffer) {
  const Matrix scores(5, 3);
  const FriedmanTest test = friedman_test(scores);
  EXPECT_EQ(test.chi_squared, 0.0);
  EXPECT_EQ(test.p, 1.0);
  EXPECT_EQ(test.f_p, 1.0);
}

TEST(Friedman, OneOrderEverywhereIsTheLargestValue) {
  Matrix scores(6, 3);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 3; ++j) scores(i, j) = static_cast<double>(i + j);
  }
  const FriedmanTest test = friedman_test(scores);
  EXPECT_NEAR(test.chi_squared, 12.0, 1e-12);
  EXPECT_TRUE(std::isinf(test.f));
  EXPECT_EQ(test.f_p, 0.0);
}

TEST(SignedRanks, AllOneSignIsTwoOfAllSigns) {
  const SignedRankTest test = signed_rank_test(Vector{0.1, 0.3, 0.0, 0.2, 0.2});
  EXPECT_EQ(test.pairs, 4);
  EXPECT_EQ(test.p, 2.0 / 16.0);
  EXPECT_EQ(signed_rank_test(Vector{0.0, 0.0}).p, 1.0);
}

TEST(SignedRanks, SignsTurnedRoundHaveTheSameP) {
  EXPECT_TRUE(rc::check([](const std::vector<std::int8_t>& drawn) {
    Vector values(drawn.begin(), drawn.end());
    const SignedRankTest test = signed_rank_test(values);
    for (double& value : values) value = -value;
    const SignedRankTest turned = signed_rank_test(values);
    RC_ASSERT(test.p == turned.p);
    RC_ASSERT(test.larger == turned.smaller);
    RC_ASSERT(test.p > 0.0 && test.p <= 1.0);
  }));
}

TEST(CorrectedTTest, ConstantDifferencesSayNothingOfTheirSpread) {
  const CorrectedTTest none = corrected_t_test(Vector(5, 0.0), 0.25);
  EXPECT_EQ(none.p, 1.0);
  EXPECT_EQ(none.low, 0.0);
  const CorrectedTTest constant = corrected_t_test(Vector(5, 0.1), 0.25);
  EXPECT_EQ(constant.mean, 0.1);
  EXPECT_FALSE(constant.p || constant.t || constant.low);
  EXPECT_FALSE(corrected_t_test(Vector(1, 0.1), 0.25).p);
}

TEST(SignCounts, CountBothDirections) {
  const Vector first = {1.0, 2.0, 3.0, 3.0};
  const Vector second = {2.0, 1.0, 3.0, 1.0};
  const SignCounts larger = sign_counts(first, second, true);
  EXPECT_EQ(larger.wins, 2);
  EXPECT_EQ(larger.ties, 1);
  EXPECT_EQ(larger.losses, 1);
  EXPECT_EQ(sign_counts(first, second, false).wins, 1);
}

TEST(Statistics, RefuseWhatHasNoAnswer) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)ranks(Vector{1.0, nan}, true), ParameterError);
  EXPECT_THROW((void)average_ranks(Matrix(0, 3), true), ParameterError);
  EXPECT_THROW((void)friedman_test(Matrix(5, 2)), ParameterError);
  EXPECT_THROW((void)friedman_test(Matrix(1, 3)), ParameterError);
  EXPECT_THROW((void)critical_difference(1, 5), ParameterError);
  EXPECT_THROW((void)critical_difference(3, 5, 1.0), ParameterError);
  EXPECT_THROW((void)range_probability(-1.0, 3), ParameterError);
  EXPECT_THROW((void)signed_rank_test(Vector{nan}), ParameterError);
  EXPECT_THROW((void)corrected_t_test({}, 0.25), ParameterError);
  EXPECT_THROW((void)corrected_t_test(Vector{1.0, 2.0}, 0.0), ParameterError);
  EXPECT_THROW((void)sign_counts(Vector{1.0}, Vector{1.0, 2.0}, true), ParameterError);
}

/// 0.3 - 0.25 and its like by decimal fractions: equal but for rounding.
TEST(CorrectedTTest, DifferencesThatAreEqualButForRoundingSayNothingOfTheirSpread) {
  const Vector differences = {0.3 - 0.25, 0.8 - 0.75, 0.55 - 0.5, 0.65 - 0.6, 0.9 - 0.85};
  const CorrectedTTest test = corrected_t_test(differences, 0.25);
  EXPECT_FALSE(test.p);
  EXPECT_FALSE(test.low);
  EXPECT_NEAR(test.mean, 0.05, 1e-12);
}

}  // namespace
}  // namespace kernmix::testing
