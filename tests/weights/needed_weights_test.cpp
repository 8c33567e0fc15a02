/// \file
/// Weights that a step must not take, where J is known in closed form: kernels that share no
/// direction have J(d) = 1/2 sum_m c_m / d_m, so q_m = c_m / d_m^2 and H = diag(c_m / d_m^3).

#include "weights/strategies/needed_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernmix/kernmix.hpp"

namespace kernmix {
namespace {

WeightModel separate_kernels(const Vector& c, const Vector& d) {
  const Index M = length(d);
  WeightModel model{d, Vector(d.size()), Matrix(M, M)};
  for (Index m = 0; m < M; ++m) {
    const auto k = static_cast<std::size_t>(m);
    model.q[k] = c[k] / (d[k] * d[k]);
    model.B(m, m) = std::sqrt(c[k] / (d[k] * d[k] * d[k]));
  }
  return model;
}

TEST(NeededWeights, AKernelThatIsAloneKeepsWhatBringsItsQToTheLargest) {
  const Vector c = {1.0, 0.01};  // the best weights are 10 / 11 and 1 / 11
  const WeightModel model = separate_kernels(c, {0.7, 0.3});
  const Vector x = keep_needed_weights(model, {1.0, 0.0});
  const double top = model.q[0] * (1.0 - 2.0 * 0.3 / 0.7);  // at x, by the model
  EXPECT_NEAR(x[0] + x[1], 1.0, 1e-15);
  EXPECT_NEAR(c[1] / std::pow(x[1] / x[0], 2), std::max(top, model.q[1] * 3.0), 1e-12);
}

TEST(NeededWeights, WithoutCurvatureAreThoseOfTheModelAndBlasIsNotAsked) {
  WeightModel model;
  model.d = {0.5, 0.5};
  model.q = {1.0, 2.0};
  model.B = Matrix(2, 0);
  ::testing::internal::CaptureStderr();
  const Vector x = keep_needed_weights(model, {0.0, 1.0});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(x, (Vector{0.0, 1.0}));
}

TEST(NeededWeights, WhatOthersHoldMayGo) {
  WeightModel model = separate_kernels({1.0, 0.01}, {0.7, 0.3});
  model.B(1, 1) *= 0.2;  // v = 0.04
  const Vector x = keep_needed_weights(model, {1.0, 0.0});
  EXPECT_EQ(x, (Vector{1.0, 0.0}));
}

TEST(NeededWeights, WeightThatGrowsIsAsItWas) {
  const WeightModel model = separate_kernels({1.0, 0.01}, {0.95, 0.05});
  const Vector best = {0.91, 0.09};
  const Vector x = keep_needed_weights(model, best);
  EXPECT_GE(x[0], best[0]);
  EXPECT_LE(x[1], best[1]);
}

Point with_gap(double gap) {
  Point point;
  point.certificate.primal = 1.0;
  point.certificate.dual = 1.0 - gap;
  point.certificate.gap = gap;
  return point;
}

TEST(NeededWeights, AFarWorseCertificateTellsThatTheyWereTaken) {
  EXPECT_TRUE(took_needed_weights(with_gap(0.01), with_gap(0.3)));
  EXPECT_FALSE(took_needed_weights(with_gap(0.01), with_gap(0.02)));
}

/// Two columns: the class depends on the first one, and the second is noise that needs some weight.
Dataset signal_and_noise(Index n) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  Dataset data;
  data.table.values = Matrix(n, 2);
  data.table.columns = {"signal", "noise"};
  data.views.push_back({"both", data.table.columns});
  for (Index i = 0; i < n; ++i) {
    for (double& value : data.table.values.row(i)) value = normal(engine);
    const double score = std::sin(2.0 * data.table.values(i, 0)) + normal(engine);
    data.table.labels.push_back(score > 0.0 ? "1" : "-1");
  }
  return data;
}

TEST(NeededWeights, StepsDoNotLoseThemToManySamples) {
  TrainOptions options;
  options.kernels = {"rbf(width={0.125; 0.5; 2}) on both, each"};
  const TrainResult result = train(signal_and_noise(2000), options, Context{});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(result.history.size(), 9);  // 5, and 18 where the noise loses all weight
}

}  // namespace
}  // namespace kernmix
