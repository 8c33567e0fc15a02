/// \file
/// What every calibration owes its user: it rises, it is the best of its kind, it says neither 0
/// nor 1, and it refuses what it cannot read.

#include "kernmix/calibration.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"

namespace kernmix::testing {
namespace {

constexpr CalibrationMethod kMethods[] = {CalibrationMethod::platt, CalibrationMethod::isotonic,
                                          CalibrationMethod::beta};

/// Eighths, so that there are ties; both signs.
struct Sample {
  Vector y = {1.0, -1.0};
  Vector decision = {0.5, -0.25};
  Vector weights = {1.0, 1.0};
};

Sample any_sample() {
  Sample sample;
  const auto more = *rc::gen::container<std::vector<std::tuple<bool, int, int>>>(rc::gen::tuple(
      rc::gen::arbitrary<bool>(), rc::gen::inRange(-40, 41), rc::gen::inRange(1, 9)));
  for (const auto& one : more) {
    sample.y.push_back(std::get<0>(one) ? 1.0 : -1.0);
    sample.decision.push_back(std::get<1>(one) / 8.0);
    sample.weights.push_back(std::get<2>(one) / 4.0);
  }
  return sample;
}

/// Log loss against Platt's targets, from probabilities.
double log_loss_of(const ProbabilityMap& map, const Sample& sample) {
  const Vector target = platt_targets(sample.y, sample.weights);
  double loss = 0.0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const double p = probability_at(map, sample.decision[i]);
    loss -= sample.weights[i] * (target[i] * std::log(p) + (1.0 - target[i]) * std::log1p(-p));
  }
  return loss;
}

double square_loss_of(const ProbabilityMap& map, const Sample& sample) {
  const Vector target = platt_targets(sample.y, sample.weights);
  double loss = 0.0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    loss += sample.weights[i] * std::pow(target[i] - probability_at(map, sample.decision[i]), 2);
  }
  return loss;
}

TEST(Calibration, RisesAndStaysBetweenThePriorsOfItsSamples) {
  EXPECT_TRUE(rc::check([] {
    const Sample sample = any_sample();
    for (const CalibrationMethod method : kMethods) {
      const ProbabilityMap map = fit_calibration(method, sample.y, sample.decision, sample.weights);
      check_map(map);
      RC_ASSERT(method_of(map) == method);
      double before = 0.0;
      for (double f = -8.0; f <= 8.0; f += 1.0 / 16.0) {
        const double p = probability_at(map, f);
        RC_ASSERT(p > 0.0 && p < 1.0);
        RC_ASSERT(p >= before - 1e-15);
        before = p;
      }
    }
  }));
}

/// Far from all samples a steep map would round to a certainty.
TEST(Calibration, IsNeverCertain) {
  const Vector y = {1.0, -1.0, -1.0};
  const Vector decision = {0.5, -0.25, -0.125};
  const Vector weights = {1.0, 1.0, 1.75};
  for (const CalibrationMethod method : kMethods) {
    const ProbabilityMap map = fit_calibration(method, y, decision, weights);
    for (const double f : {-1e300, -1e3, 8.0, 1e3, 1e300}) {
      EXPECT_GT(probability_at(map, f), 0.0) << f;
      EXPECT_LT(probability_at(map, f), 1.0) << f;
    }
  }
}

/// No map of the same kind nearby is better, and no constant.
TEST(Calibration, IsTheBestOfItsKind) {
  EXPECT_TRUE(rc::check([] {
    const Sample sample = any_sample();
    const PlattMap platt = fit_platt(sample.y, sample.decision, sample.weights);
    const BetaMap beta = fit_beta(sample.y, sample.decision, sample.weights);
    const double of_platt = log_loss_of(platt, sample);
    const double of_beta = log_loss_of(beta, sample);
    const double slack = 1e-9 * (1.0 + of_platt);
    RC_ASSERT(of_beta <= of_platt + slack);  // Platt's maps are beta maps with a = b
    for (const double step : {-1e-3, 1e-3, 0.3}) {
      RC_ASSERT(of_platt <=
                log_loss_of(PlattMap{platt.slope, platt.intercept + step}, sample) + slack);
      const PlattMap steeper{std::max(platt.slope + step, 0.0), platt.intercept};
      RC_ASSERT(of_platt <= log_loss_of(steeper, sample) + slack);
      const BetaMap other_a{std::max(beta.a + step, 0.0), beta.b, beta.c, beta.scale};
      const BetaMap other_b{beta.a, std::max(beta.b + step, 0.0), beta.c, beta.scale};
      RC_ASSERT(of_beta <= log_loss_of(other_a, sample) + slack);
      RC_ASSERT(of_beta <= log_loss_of(other_b, sample) + slack);
    }
    const ProbabilityMap isotonic =
        fit_calibration(CalibrationMethod::isotonic, sample.y, sample.decision, sample.weights);
    RC_ASSERT(square_loss_of(isotonic, sample) <= square_loss_of(platt, sample) + slack);
    RC_ASSERT(square_loss_of(isotonic, sample) <= square_loss_of(beta, sample) + slack);
  }));
}

TEST(Calibration, WeightsAreRepeatedSamples) {
  EXPECT_TRUE(rc::check([] {
    Sample sample = any_sample();
    Sample repeated{{}, {}, {}};
    for (std::size_t i = 0; i < sample.y.size(); ++i) {
      const double times = std::ceil(sample.weights[i]);
      sample.weights[i] = times;
      for (double k = 0.0; k < times; ++k) {
        repeated.y.push_back(sample.y[i]);
        repeated.decision.push_back(sample.decision[i]);
      }
    }
    for (const CalibrationMethod method : {CalibrationMethod::platt, CalibrationMethod::isotonic}) {
      const auto weighted = fit_calibration(method, sample.y, sample.decision, sample.weights);
      const auto plain = fit_calibration(method, repeated.y, repeated.decision);
      for (double f = -6.0; f <= 6.0; f += 0.25) {
        RC_ASSERT(std::abs(probability_at(weighted, f) - probability_at(plain, f)) < 1e-6);
      }
    }
  }));
}

/// Decision values in other units have the same probabilities.
TEST(Calibration, DoesNotDependOnTheUnitOfTheDecisionValues) {
  EXPECT_TRUE(rc::check([] {
    const Sample sample = any_sample();
    for (const CalibrationMethod method : kMethods) {
      const auto map = fit_calibration(method, sample.y, sample.decision);
      for (const double unit : {1.0 / 1024.0, 1048576.0}) {
        Vector scaled = sample.decision;
        for (double& f : scaled) f *= unit;
        const auto other = fit_calibration(method, sample.y, scaled);
        for (const double f : sample.decision) {
          RC_ASSERT(std::abs(probability_at(map, f) - probability_at(other, unit * f)) < 1e-6);
        }
      }
    }
  }));
}

TEST(Calibration, OfValuesThatRankTheWrongWayIsConstant) {
  const Vector y = {1, 1, 1, -1, -1, -1, -1};
  const Vector decision = {-3, -2, -1, 1, 2, 3, 4};
  for (const CalibrationMethod method : kMethods) {
    const ProbabilityMap map = fit_calibration(method, y, decision);
    EXPECT_TRUE(is_constant(map)) << calibration_name(method);
    const Vector target = platt_targets(y);
    const double mean = std::accumulate(target.begin(), target.end(), 0.0) / 7.0;
    EXPECT_NEAR(probability_at(map, 0.0), mean, 1e-9) << calibration_name(method);
  }
}

TEST(Calibration, OfOneSignOrOneValueIsConstant) {
  for (const CalibrationMethod method : kMethods) {
    const ProbabilityMap one_sign = fit_calibration(method, Vector{-1, -1, -1}, Vector{0, 1, 5});
    EXPECT_NEAR(probability_at(one_sign, 9.0), 0.2, 1e-9) << calibration_name(method);
    const ProbabilityMap one_value = fit_calibration(method, Vector{1, -1}, Vector{2, 2});
    EXPECT_NEAR(probability_at(one_value, -7.0), 0.5, 1e-9) << calibration_name(method);
  }
}

TEST(Calibration, HasFiniteSlopesWhereClassesAreApart) {
  Vector y;
  Vector decision;
  for (int i = 0; i < 200; ++i) {
    y.push_back(i < 100 ? -1.0 : 1.0);
    decision.push_back(i < 100 ? -1.0 - i / 1e3 : 1.0 + i / 1e3);
  }
  for (const CalibrationMethod method : kMethods) {
    const ProbabilityMap map = fit_calibration(method, y, decision);
    check_map(map);
    EXPECT_GT(probability_at(map, 1.5), 0.9);
    EXPECT_LT(probability_at(map, 1.5), 1.0);
  }
}

TEST(Calibration, NamesAreReadBack) {
  for (const CalibrationMethod method : kMethods) {
    EXPECT_EQ(parse_calibration(calibration_name(method)), method);
  }
  EXPECT_THROW((void)parse_calibration("sigmoid"), ParameterError);
}

TEST(Calibration, RefusesWhatItCannotRead) {
  const Vector y = {1, -1};
  EXPECT_THROW((void)fit_platt({}, {}), ParameterError);
  EXPECT_THROW((void)fit_platt(y, Vector{1}), ParameterError);
  EXPECT_THROW((void)fit_beta(y, Vector{1, NAN}), ParameterError);
  EXPECT_THROW((void)fit_beta(Vector{1, 0}, Vector{1, 2}), ParameterError);
  EXPECT_THROW((void)fit_platt(y, Vector{1, 2}, Vector{1, 0}), ParameterError);
  EXPECT_THROW((void)fit_isotonic(y, Vector{1, 2}, Vector{1}), ParameterError);
  EXPECT_THROW((void)fit_calibration(CalibrationMethod::none, y, Vector{1, 2}), ParameterError);
  EXPECT_THROW((void)calibrated_probabilities({}, Matrix(1, 2), true), ParameterError);
}

TEST(Calibration, RefusesMapsThatNoFitGives) {
  EXPECT_THROW(check_map(PlattMap{-1.0, 0.0}), ParameterError);
  EXPECT_THROW(check_map(PlattMap{1.0, INFINITY}), ParameterError);
  EXPECT_THROW(check_map(BetaMap{1.0, NAN, 0.0, 1.0}), ParameterError);
  EXPECT_THROW(check_map(BetaMap{1.0, 1.0, 0.0, 0.0}), ParameterError);
  EXPECT_THROW(check_map(IsotonicMap{}), ParameterError);
  EXPECT_THROW(check_map(IsotonicMap{{1.0, 1.0}, {0.1, 0.2}}), ParameterError);
  EXPECT_THROW(check_map(IsotonicMap{{1.0, 2.0}, {0.3, 0.2}}), ParameterError);
  EXPECT_THROW(check_map(IsotonicMap{{1.0, 2.0}, {0.3, 1.2}}), ParameterError);
  EXPECT_THROW(check_map(IsotonicMap{{1.0, 2.0}, {0.3}}), ParameterError);
}

TEST(ProbabilityMetrics, ReliabilityCountsEverySampleOnce) {
  const Vector y = {1, -1, 1, 1, -1, -1};
  const Vector p = {1.0, 0.0, 0.95, 0.42, 0.44, 0.05};
  const ProbabilityEvaluation found = evaluate_probabilities(y, p);
  ASSERT_EQ(found.reliability.size(), 3U);
  EXPECT_EQ(found.reliability[0].samples, 2);
  EXPECT_DOUBLE_EQ(found.reliability[1].predicted, 0.43);
  EXPECT_DOUBLE_EQ(*found.reliability[1].observed.value, 0.5);
  EXPECT_EQ(found.reliability[2].samples, 2);
  const double expected = (0.05 + 2.0 * 0.07 + 0.05) / 6.0;
  EXPECT_NEAR(*found.metrics[2].value, expected, 1e-15);
  EXPECT_THROW((void)evaluate_probabilities(y, Vector{1.0}), ParameterError);
  EXPECT_THROW((void)evaluate_probabilities(Vector{1.0}, Vector{1.1}), ParameterError);
}

}  // namespace
}  // namespace kernmix::testing
