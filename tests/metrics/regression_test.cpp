#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "loss/any.hpp"

namespace kernmix {
namespace {

const Metric& metric(const std::vector<Metric>& metrics, const std::string& name) {
  for (const Metric& candidate : metrics) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range(name);
}

// The example of scikit-learn's user guide for mean_absolute_error, mean_squared_error, r2_score.
TEST(Regression, HandComputedExample) {
  const Vector y = {3.0, -0.5, 2.0, 7.0};
  const Vector prediction = {2.5, 0.0, 2.0, 8.0};
  const auto metrics = evaluate_numbers(Squared{}, y, prediction);
  ASSERT_EQ(metrics.size(), 4U);
  EXPECT_DOUBLE_EQ(*metric(metrics, "mae").value, 0.5);
  EXPECT_DOUBLE_EQ(*metric(metrics, "mse").value, 0.375);
  EXPECT_DOUBLE_EQ(*metric(metrics, "rmse").value, std::sqrt(0.375));
  // Errors 0.25, 0.25, 0, 1; mean y = 2.875, spread 0.015625 + 11.390625 + 0.765625 + 17.015625.
  EXPECT_DOUBLE_EQ(*metric(metrics, "r2").value, 1.0 - 1.5 / 29.1875);
}

TEST(Regression, IntervalsOfTheExampleByHand) {
  // Absolute errors 0.5, 0.5, 0, 1: variance 1/6, error of the mean sqrt(1/24).
  const Metric mae = mean_metric("mae", Vector{0.5, 0.5, 0.0, 1.0});
  const double factor = std::exp(1.959963984540054 * std::sqrt(1.0 / 24.0) / 0.5);
  EXPECT_NEAR(*mae.low, 0.5 / factor, 1e-12);
  EXPECT_NEAR(*mae.high, 0.5 * factor, 1e-12);
  const auto metrics = evaluate_numbers(Squared{}, Vector{3.0, -0.5, 2.0, 7.0}, Vector(4, 2.0));
  EXPECT_DOUBLE_EQ(*metric(metrics, "rmse").low, std::sqrt(*metric(metrics, "mse").low));
  EXPECT_DOUBLE_EQ(*metric(metrics, "rmse").high, std::sqrt(*metric(metrics, "mse").high));
}

// scikit-learn's mean_pinball_loss: mean of alpha max(y - z, 0) + (1 - alpha) max(z - y, 0).
TEST(Regression, OtherLossesAddTheirMean) {
  const Vector y = {1.0, 2.0, 3.0};
  const Vector prediction = {0.0, 2.0, 5.0};
  const auto pinball = evaluate_numbers(parse_loss("pinball:tau=0.9"), y, prediction);
  EXPECT_EQ(pinball.back().name, "pinball_loss");
  EXPECT_NEAR(*pinball.back().value, (0.9 * 1.0 + 0.1 * 2.0) / 3.0, 1e-15);
  const auto squared_epsilon =
      evaluate_numbers(parse_loss("squared-epsilon:eps=0.5"), y, prediction);
  EXPECT_EQ(squared_epsilon.back().name, "squared_epsilon_loss");
  EXPECT_NEAR(*squared_epsilon.back().value, 0.5 * (0.25 + 2.25) / 3.0, 1e-15);
}

TEST(Regression, MeanOfThePredictionExplainsNothingAndTheTruthAll) {
  const Vector y = {1.0, 2.0, 6.0};
  EXPECT_DOUBLE_EQ(*r_squared(y, Vector(3, 3.0)).value, 0.0);
  const Metric perfect = r_squared(y, y);
  EXPECT_DOUBLE_EQ(*perfect.value, 1.0);
  EXPECT_FALSE(perfect.low);
  EXPECT_LT(*r_squared(y, Vector{6.0, 2.0, 1.0}).value, 0.0);
}

TEST(Regression, WhatTheDataCannotGiveIsAbsent) {
  const auto one = evaluate_numbers(Squared{}, Vector{1.0}, Vector{2.0});
  EXPECT_DOUBLE_EQ(*metric(one, "mse").value, 1.0);
  EXPECT_FALSE(metric(one, "mse").low);
  EXPECT_FALSE(metric(one, "r2").value);
  EXPECT_FALSE(r_squared(Vector(10, 0.1), Vector(10, 0.2)).value);
  EXPECT_FALSE(mean_metric("mae", Vector{0.0, 0.0}).low);
}

TEST(Regression, SeveralTargetsAreEvaluatedOneByOneAndOnAverage) {
  Matrix y(4, 3);
  Matrix prediction(4, 3);
  y.values = {3.0, 1.0, 5.0, -0.5, 2.0, 5.0, 2.0, 6.0, 5.0, 7.0, 2.0, 5.0};
  prediction.values = {2.5, 1.5, 4.0, 0.0, 2.0, 5.0, 2.0, 5.0, 6.0, 8.0, 2.0, 5.0};
  const auto metrics = evaluate_targets(Squared{}, y, prediction);
  ASSERT_EQ(metrics.size(), 4U);
  for (std::size_t t = 0; t < 3; ++t) {
    Vector own;
    Vector guess;
    for (std::size_t i = 0; i < 4; ++i) {
      own.push_back(y.values[3 * i + t]);
      guess.push_back(prediction.values[3 * i + t]);
    }
    const auto alone = evaluate_numbers(Squared{}, own, guess);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(metrics[k].name, alone[k].name);
      EXPECT_EQ(metrics[k].classes[t].value, alone[k].value);
      EXPECT_EQ(metrics[k].classes[t].high, alone[k].high);
    }
  }
  // Equal targets have no R^2, which then is the mean of the others.
  const ClasswiseMetric& r2 = metrics[3];
  EXPECT_FALSE(r2.classes[2].value);
  EXPECT_DOUBLE_EQ(*r2.average.macro, 0.5 * (*r2.classes[0].value + *r2.classes[1].value));
  EXPECT_FALSE(r2.average.micro);
  EXPECT_THROW((void)evaluate_targets(Squared{}, y, Matrix(4, 2)), ParameterError);
  y.values.pop_back();
  EXPECT_THROW((void)evaluate_targets(Squared{}, y, prediction), ParameterError);
}

TEST(Regression, RefusesWhatCannotBeEvaluated) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)evaluate_numbers(Squared{}, Vector{}, Vector{}), ParameterError);
  EXPECT_THROW((void)evaluate_numbers(Squared{}, Vector{1.0}, Vector{1.0, 2.0}), ParameterError);
  EXPECT_THROW((void)evaluate_numbers(Squared{}, Vector{infinite}, Vector{1.0}), ParameterError);
  EXPECT_THROW((void)evaluate_numbers(Squared{}, Vector{1.0}, Vector{std::nan("")}),
               ParameterError);
}

TEST(Novelty, CountsWhatIsBelowZero) {
  const Metric fraction = outlier_fraction(Vector{-1.0, 0.0, 2.0, -1e-9});
  EXPECT_EQ(fraction.name, "outlier_fraction");
  EXPECT_DOUBLE_EQ(*fraction.value, 0.5);
  EXPECT_DOUBLE_EQ(*fraction.low, *proportion("x", 2, 4).low);
  EXPECT_THROW((void)outlier_fraction(Vector{}), ParameterError);
  EXPECT_THROW((void)outlier_fraction(Vector{std::nan("")}), ParameterError);
}

}  // namespace
}  // namespace kernmix
