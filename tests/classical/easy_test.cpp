/// EasyMKL against projected gradients on its printed problem, and what its exact form is.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernmix/error.hpp"
#include "kernmix/two_stage.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::RandomData;

/// gamma >= 0, sums 1 in each class: the Euclidean projection of each class onto its simplex.
void project_classes(const Vector& y, Vector& gamma) {
  for (const double label : {1.0, -1.0}) {
    Vector sorted;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (y[i] == label) sorted.push_back(gamma[i]);
    }
    std::ranges::sort(sorted, std::greater<>());
    double sum = 0.0;
    double threshold = 0.0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      sum += sorted[k];
      const double t = (sum - 1.0) / static_cast<double>(k + 1);
      if (sorted[k] > t) threshold = t;
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (y[i] == label) gamma[i] = std::max(gamma[i] - threshold, 0.0);
    }
  }
}

/// argmin (1 - lambda) gamma' Y K Y gamma + lambda ||gamma||^2 by accelerated projected gradients.
Vector printed_komd(const Matrix& K, const Vector& y, double lambda) {
  const std::size_t n = y.size();
  const double step =
      1.0 / (2.0 * ((1.0 - lambda) * static_cast<double>(n) * 12.0 + lambda));  // trace bound
  Vector gamma(n, 0.0);
  project_classes(y, gamma);
  Vector ahead = gamma;
  double t = 1.0;
  for (int k = 0; k < 60000; ++k) {
    Vector next(n);
    for (std::size_t i = 0; i < n; ++i) {
      double slope = 2.0 * lambda * ahead[i];
      for (std::size_t j = 0; j < n; ++j) {
        slope += 2.0 * (1.0 - lambda) * y[i] * y[j] *
                 K(static_cast<Index>(i), static_cast<Index>(j)) * ahead[j];
      }
      next[i] = ahead[i] - step * slope;
    }
    project_classes(y, next);
    const double faster = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
    for (std::size_t i = 0; i < n; ++i) {
      ahead[i] = next[i] + (t - 1.0) / faster * (next[i] - gamma[i]);
    }
    gamma = std::move(next);
    t = faster;
  }
  return gamma;
}

TEST(Easy, WeightsAreThoseOfThePrintedProblem) {
  for (const double lambda : {0.05, 0.3, 0.8}) {
    const RandomData data(3, 24, 2);
    const std::vector<Matrix> kernels = data.kernels();
    Matrix sum(24, 24);
    for (const Matrix& K : kernels) {
      for (std::size_t k = 0; k < sum.values.size(); ++k) sum.values[k] += K.values[k];
    }
    const Vector gamma = printed_komd(sum, data.y, lambda);
    Vector expected;
    for (const Matrix& K : kernels) {
      double q = 0.0;
      for (Index i = 0; i < 24; ++i) {
        for (Index j = 0; j < 24; ++j) {
          const auto r = static_cast<std::size_t>(i);
          const auto s = static_cast<std::size_t>(j);
          q += data.y[r] * gamma[r] * K(i, j) * data.y[s] * gamma[s];
        }
      }
      expected.push_back(q);
    }
    const double size =
        std::sqrt(std::inner_product(expected.begin(), expected.end(), expected.begin(), 0.0));

    const auto owned = testing::make_problem(kernels, data.y, 1.0);
    const Regularizer found = choose_weights(owned.with(TwoStage{Easy{lambda}, {}}), Context{});
    const Vector& d = get_if<TwoStage>(found)->chosen.w;
    for (std::size_t m = 0; m < d.size(); ++m) EXPECT_NEAR(d[m], expected[m] / size, 1e-5);
  }
}

// The exact problem: max over ||eta||_2 <= 1 of KOMD on sum eta_m K_m.
TEST(Easy, ExactFormIsKomdWithTheBallOfNormTwo) {
  const auto owned = testing::random_problem(5, 40, 3, 1.0);
  for (const double lambda : {0.0, 0.1, 0.5}) {
    const Problem exact = owned.with(Lp{2.0}, Komd{lambda});
    const Answer solution = testing::solve_tightly(exact);
    EXPECT_LE(solution.certificate.relative_gap(), 1e-6);
    // At its weights, plain KOMD gives the same value.
    const Answer at_weights = testing::solve_tightly(owned.with(Fixed{solution.d}, Komd{lambda}));
    EXPECT_NEAR(at_weights.certificate.primal, solution.certificate.primal,
                1e-5 * std::abs(solution.certificate.primal));
    // The relaxed weights are in the ball, so they cannot be better.
    const Regularizer relaxed = choose_weights(owned.with(TwoStage{Easy{lambda}, {}}), Context{});
    const Answer at_relaxed = testing::solve_tightly(owned.with(relaxed, Komd{lambda}));
    EXPECT_GE(at_relaxed.certificate.primal,
              solution.certificate.dual - 1e-7 * std::abs(solution.certificate.dual));
  }
}

// One kernel: relaxed and exact coincide, d = 1.
TEST(Easy, RelaxedIsExactForOneKernel) {
  for (const unsigned seed : {7u, 8u, 9u}) {
    const RandomData data(seed, 30, 2);
    const auto owned = testing::make_problem({data.gaussian(1.0, {0, 1})}, data.y, 1.0);
    for (const double lambda : {0.0, 0.2, 0.7}) {
      const Regularizer relaxed = choose_weights(owned.with(TwoStage{Easy{lambda}, {}}), Context{});
      EXPECT_DOUBLE_EQ(get_if<TwoStage>(relaxed)->chosen.w.front(), 1.0);
      const Certificate at_relaxed =
          testing::solve_tightly(owned.with(relaxed, Komd{lambda})).certificate;
      const Certificate exact =
          testing::solve_tightly(owned.with(Lp{2.0}, Komd{lambda})).certificate;
      EXPECT_LE(exact.relative_gap(), 1e-7);
      EXPECT_NEAR(at_relaxed.primal, exact.primal, 3e-7 * std::abs(exact.primal));
    }
  }
}

TEST(Easy, RefusesNumbersAndBadLambdas) {
  EXPECT_THROW(check_solver({Squared{}, TwoStage{Easy{0.1}, {}}, Bias::free}, {}), ParameterError);
  EXPECT_THROW(static_cast<void>(parse_regularizer("easy:lambda=1")), ParameterError);
  EXPECT_THROW(static_cast<void>(parse_regularizer("easy")), ParameterError);
}

}  // namespace
}  // namespace kernmix
