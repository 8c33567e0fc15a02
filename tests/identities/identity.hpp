#pragma once
/// \file
/// Where the problems of the identities come from, and how two optimal values are compared.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "loss/any.hpp"
#include "random_problem.hpp"
#include "real_samples.hpp"

namespace kernmix::testing {

/// Two optimal values, each certified to 1e-7, of problems that have the same one.
constexpr double kTwoGaps = 3e-7;

/// Random samples by their seed, or a data set by its name; and C.
using Setting = std::tuple<std::string, double>;

/// An identity holds for every source of samples and every C. Each source has twelve kernels.
class Identity : public ::testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    const auto& [source, cost] = GetParam();
    C = cost;
    if (source.starts_with("seed")) {
      constexpr Index kSamples = 40;
      const auto seed = static_cast<unsigned>(std::stoul(source.substr(4)));
      const RandomData data(seed, kSamples, 3);
      kernels = data.kernels();
      y = data.y;
      numbers = data.targets(seed, 0.2);
    } else if (is_here(source)) {
      constexpr Index kSamples = 60;
      RealSamples data(source, kSamples);
      kernels = std::move(data.kernels);
      y = std::move(data.classes);
      numbers = std::move(data.numbers);
    } else {
      GTEST_SKIP() << source << " is not here: set KERNMIX_DATA to the folder of data sets";
    }
  }

  [[nodiscard]] Index samples() const { return length(y); }
  [[nodiscard]] OwnedProblem problem() const { return make_problem(kernels, y, C); }
  [[nodiscard]] OwnedProblem problem_of(std::vector<Matrix> others) const {
    return make_problem(std::move(others), y, C);
  }
  /// Their average, which has full rank where single ones may not.
  [[nodiscard]] OwnedProblem one_kernel() const {
    Matrix average(samples(), samples());
    for (const Matrix& K : kernels) {
      for (std::size_t k = 0; k < K.values.size(); ++k) {
        average.values[k] += K.values[k] / static_cast<double>(kernels.size());
      }
    }
    return problem_of({std::move(average)});
  }
  [[nodiscard]] std::vector<Matrix> times(double factor) const {
    std::vector<Matrix> scaled = kernels;
    for (Matrix& K : scaled) {
      for (double& entry : K.values) entry *= factor;
    }
    return scaled;
  }

  std::vector<Matrix> kernels;
  Vector y;
  Vector numbers;  ///< to learn instead of y
  double C = 0.0;
};

[[nodiscard]] inline auto every_setting() {
  return ::testing::Combine(
      ::testing::Values("seed1", "seed2", kBreastCancer, "ionosphere", "sonar", "heart"),
      ::testing::Values(0.01, 1.0, 100.0));
}

[[nodiscard]] inline std::string setting_name(const ::testing::TestParamInfo<Setting>& info) {
  std::string name = fmt::format("{}_C{}", std::get<0>(info.param), std::get<1>(info.param));
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

[[nodiscard]] inline Matrix constant_kernel(Index n) {
  Matrix K(n, n);
  std::ranges::fill(K.values, 1.0);
  return K;
}

/// scale y y'
[[nodiscard]] inline Matrix label_kernel(const Vector& y, double scale) {
  Matrix K(length(y), length(y));
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = 0; j < y.size(); ++j) K.values[i * y.size() + j] = scale * y[i] * y[j];
  }
  return K;
}

[[nodiscard]] inline Answer solved(const OwnedProblem& owned, const Regularizer& regularizer,
                                   const Loss& loss = Hinge{}) {
  Answer solution = solve_tightly(owned.with(regularizer, loss));
  EXPECT_LE(solution.certificate.relative_gap(), 1e-7)
      << regularizer_text(regularizer) << ", " << loss_text(loss);
  return solution;
}

[[nodiscard]] inline double value(const OwnedProblem& owned, const Regularizer& regularizer,
                                  const Loss& loss = Hinge{}) {
  return solved(owned, regularizer, loss).certificate.primal;
}

inline void expect_same(double one, double other) {
  EXPECT_NEAR(one, other, kTwoGaps * std::max(std::abs(one), std::abs(other)));
}

/// one <= other up to the gaps.
inline void expect_at_most(double one, double other) { EXPECT_LE(one, other * (1.0 + kTwoGaps)); }

}  // namespace kernmix::testing
