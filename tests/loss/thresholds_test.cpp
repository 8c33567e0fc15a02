/// \file
/// nu-SVC and one-class, whose loss is a minimum over thresholds: against the definition at many
/// thresholds, and what they refuse.

#include <gtest/gtest.h>

#include <numeric>

#include "kernmix/error.hpp"
#include "loss/any.hpp"
#include "losses.hpp"

namespace kernmix::test {
namespace {

/// -rho + sum_i C_i [rho - y_i (z_i + b)]_+
double nu_svc_value(const Samples& samples, double b, double rho) {
  double value = -rho;
  for (std::size_t i = 0; i < samples.y.size(); ++i) {
    value += samples.C[i] * std::max(0.0, rho - samples.y[i] * (samples.z[i] + b));
  }
  return value;
}

TEST(NuSvc, ValueIsTheMinimumOverBiasAndMargin) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const NuSvc loss{0.1 + 0.04 * seed};
    const Samples samples(loss, Bias::free, 4 + seed, seed);
    const LossPoint point = loss.at(samples.y, samples.z, samples.a, samples.C);
    double least = std::numeric_limits<double>::infinity();
    for (double b = -6.0; b <= 6.0; b += 0.05) {
      for (double rho = -6.0; rho <= 6.0; rho += 0.05) {
        least = std::min(least, nu_svc_value(samples, b, rho));
      }
    }
    EXPECT_LE(point.value, least + 1e-12);
    EXPECT_GE(point.value, least - 0.2);
    double at_bias = std::numeric_limits<double>::infinity();
    for (double rho = -6.0; rho <= 6.0; rho += 1e-3) {
      at_bias = std::min(at_bias, nu_svc_value(samples, point.bias[0], rho));
    }
    EXPECT_NEAR(point.value, at_bias, 3e-3) << "the bias belongs to the value";
  }
}

TEST(OneClass, ValueIsTheMinimumOverTheThreshold) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const OneClass loss{0.05 * seed};
    const Samples samples(loss, Bias::free, 3 + seed, seed);
    const LossPoint point = loss.at(samples.y, samples.z, samples.a, samples.C);
    const auto value = [&](double rho) {
      double sum = -rho;
      for (std::size_t i = 0; i < samples.z.size(); ++i) {
        sum += samples.C[i] * std::max(0.0, rho - samples.z[i]);
      }
      return sum;
    };
    EXPECT_NEAR(point.value, value(-point.bias[0]), 1e-12);
    for (double rho = -5.0; rho <= 5.0; rho += 0.01) EXPECT_LE(point.value, value(rho) + 1e-12);
  }
}

/// nu is an upper bound on the share of outliers and a lower bound on that of support vectors.
TEST(OneClass, NuIsTheShareBelowTheThreshold) {
  const OneClass loss{0.3};
  Vector z(10);
  std::iota(z.begin(), z.end(), 0.0);
  const Vector C(10, loss_weight(loss, 1.0, 10));
  Vector a(10, 0.1);
  EXPECT_DOUBLE_EQ(loss.at(Vector(10, 0.0), z, a, C).bias[0], -2.5);
}

template <typename L>
void expect_refusal(const L& loss, const Vector& y, const Vector& C, const std::string& sentence) {
  try {
    check_loss(loss, Bias::free, y, C);
    FAIL() << "accepted, expected: " << sentence;
  } catch (const ParameterError& error) {
    EXPECT_EQ(std::string(error.what()), sentence);
  }
}

TEST(NuSvc, RefusesANuWithoutSolutionAndNamesTheLargest) {
  const Vector y = {1.0, -1.0, -1.0, -1.0, -1.0};
  const auto weights = [&](const NuSvc& loss) { return Vector(5, loss_weight(loss, 1.0, 5)); };
  expect_refusal(NuSvc{0.5}, y, weights(NuSvc{0.5}),
                 "nu-svc: nu must be <= 0.4 for these labels and weights, got 0.5");
  EXPECT_NO_THROW(check_loss(NuSvc{0.4}, Bias::free, y, weights(NuSvc{0.4})));
  const Vector thirds = {1.0, -1.0, -1.0};
  expect_refusal(NuSvc{1.0}, thirds, Vector(3, loss_weight(NuSvc{1.0}, 1.0, 3)),
                 "nu-svc: nu must be <= 0.666666666667 for these labels and weights, got 1");
  const NuSvc printed{0.666666666667};
  EXPECT_NO_THROW(check_loss(printed, Bias::free, thirds, Vector(3, loss_weight(printed, 1.0, 3))));
  expect_refusal(NuSvc{0.1}, Vector(5, 1.0), weights(NuSvc{0.1}),
                 "nu-svc: both classes must occur");
}

TEST(OneClass, RefusesWeightsWithoutSolution) {
  expect_refusal(OneClass{1.0}, Vector(4, 0.0), Vector(4, 0.2),
                 "one-class: nu must be <= 0.8 for these weights, got 1");
}

TEST(Svdd, RefusesWhatOneClassRefuses) {
  expect_refusal(Svdd{1.0}, Vector(4, 0.0), Vector(4, 0.2),
                 "svdd: nu must be <= 0.8 for these weights, got 1");
  EXPECT_THROW(static_cast<void>(parse_loss("svdd:nu=0")), ParameterError);
}

TEST(Thresholds, TakeNoOtherBiasAndNoC) {
  const Vector y = {1.0, -1.0};
  const Vector C(2, 1.0);
  EXPECT_THROW(check_loss(NuSvc{0.5}, Bias::none, y, C), ParameterError);
  EXPECT_THROW(check_loss(OneClass{0.5}, Bias::penalised, y, C), ParameterError);
  EXPECT_THROW(static_cast<void>(loss_weight(NuSvc{0.5}, 10.0, 2)), ParameterError);
  EXPECT_DOUBLE_EQ(loss_weight(OneClass{0.5}, 1.0, 4), 0.5);
  EXPECT_DOUBLE_EQ(loss_weight(Hinge{}, 10.0, 4), 10.0);
}

}  // namespace
}  // namespace kernmix::test
