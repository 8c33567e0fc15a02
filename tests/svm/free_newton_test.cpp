/// \file
/// Newton's method on the free variables: feasible, downhill, and the end of a crawl.

#include "svm/newton/free_newton.hpp"

#include <gtest/gtest.h>

#include "box_problems.hpp"

namespace kernmix::test {
namespace {

Vector gradient_of(const OwnedBox& box, const Vector& a) {
  Vector gradient(a.size());
  box_product(box, a, gradient);
  for (std::size_t k = 0; k < a.size(); ++k) gradient[k] -= box.linear[k];
  return gradient;
}

TEST(FreeNewton, GoesDownInsideTheBoxAndKeepsTheGradient) {
  const std::vector<BoxKind> shapes = {
      {false, false, false}, {true, false, false}, {true, true, false}, {true, true, true}};
  int moved = 0;
  for (const BoxKind& kind : shapes) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const OwnedBox box = random_box(40, kind, seed);
      Vector start(40);
      for (std::size_t k = 0; k < start.size(); ++k) start[k] = std::sin(static_cast<double>(k));
      const Vector before = box.feasible(start);
      Vector a = before;
      Vector gradient = gradient_of(box, a);
      if (smo::free_newton(box.view(), a, gradient, Context{})) ++moved;
      EXPECT_LE(box_objective(box, a), box_objective(box, before) + 1e-9) << "seed " << seed;
      Vector sums(box.totals.size(), 0.0);
      double size = 0.0;
      for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_GE(a[k], box.lower[k]);
        EXPECT_LE(a[k], box.upper[k]);
        sums[static_cast<std::size_t>(box.block[k])] += a[k];
        size += std::abs(a[k]);
      }
      for (std::size_t c = 0; c < sums.size(); ++c) {
        EXPECT_NEAR(sums[c], box.totals[c], 1e-13 * size);
      }
      const Vector exact = gradient_of(box, a);
      for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(gradient[k], exact[k], 1e-6);
    }
  }
  EXPECT_GT(moved, 40);
}

TEST(FreeNewton, SolvesASmoothProblemWithoutBoundsInOneCall) {
  OwnedBox box = random_box(50, {false, true, true}, 7);
  box.lower.assign(50, -std::numeric_limits<double>::infinity());
  box.upper.assign(50, std::numeric_limits<double>::infinity());
  Vector a = box.feasible(Vector(50, 0.3));
  Vector gradient = gradient_of(box, a);
  EXPECT_TRUE(smo::free_newton(box.view(), a, gradient, Context{}));
  EXPECT_LE(box_violation(box, a,
                          [&] {
                            Vector z(50);
                            box_product(box, a, z);
                            return z;
                          }()),
            1e-6);
}

/// A wide Gaussian on a line has eigenvalues down to rounding; with a narrow tube and a large C
/// almost every variable is free.
TEST(FreeNewton, EndsTheCrawlOfPairs) {
  constexpr Index n = 150;
  OwnedBox box;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double distance = static_cast<double>(i - j) / 20.0;
      box.K.push_back(static_cast<float>(std::exp(-distance * distance)));
    }
    box.linear.push_back(std::sin(static_cast<double>(i * i)));
    box.kink.push_back(0.01);
    box.block.push_back(0);
  }
  box.lower.assign(n, -1000.0);
  box.upper.assign(n, 1000.0);
  box.totals = {0.0};
  SmoOptions options;
  options.gap_target = 1e-3;
  options.max_iterations = 100 * n;
  const Solved solved = solve_box(box, Vector(n, 0.0), options);
  EXPECT_TRUE(solved.result.converged) << "gap " << solved.result.gap;
}

}  // namespace
}  // namespace kernmix::test
