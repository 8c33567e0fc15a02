/// \file
/// The second order model of V(lambda, h): with all of its derivatives right, full steps converge
/// quadratically where J is smooth; with any of them wrong, only linearly.

#include "weights/saddle/saddle_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::OwnedProblem;
using testing::random_problem_for;

/// lambda and h of an answer: sum_k d_jk = 1 / h_j^c.
SaddleWeights saddle_weights_of(const MixedNormSaddle& regularizer, const Vector& d) {
  SaddleWeights weights = even_saddle_weights(regularizer);
  weights.lambda = d;
  normalise_groups(regularizer.group, weights.lambda);
  Vector sum(weights.share.size(), 0.0);
  for (std::size_t m = 0; m < d.size(); ++m) {
    sum[static_cast<std::size_t>(regularizer.group[m])] += d[m];
  }
  for (std::size_t j = 0; j < sum.size(); ++j) {
    weights.share[j] = std::pow(sum[j], -1.0 / regularizer.decay());
  }
  return weights;
}

/// The target of the model's step, from an exact SVM at these weights.
SaddleWeights full_step(const OwnedProblem& owned, const Loss& loss,
                        const MixedNormSaddle& regularizer, const SaddleWeights& weights) {
  const Vector d = weights.kernel_weights(regularizer);
  const Problem problem = owned.with(Fixed{d}, loss);
  SolverOptions options;
  options.tolerance = 1e-15;
  const Context context;
  Objective run("saddle-newton", problem, options, context);
  const Point point = run.evaluate(d, "start");
  return saddle_newton_step(regularizer, run, weights, point).value().target;
}

double distance(const SaddleWeights& one, const SaddleWeights& other) {
  double largest = 0.0;
  for (std::size_t m = 0; m < one.lambda.size(); ++m) {
    largest = std::max(largest, std::abs(one.lambda[m] - other.lambda[m]));
  }
  for (std::size_t j = 0; j < one.share.size(); ++j) {
    largest = std::max(largest, std::abs(one.share[j] - other.share[j]));
  }
  return largest;
}

/// h and lambda a little away from the optimum.
SaddleWeights moved(SaddleWeights weights) {
  constexpr double kMove = 0.02;
  weights.share[0] += kMove;
  weights.share[1] -= kMove;
  constexpr double kEven = 1.0 / 3.0;  // in groups of three
  for (double& weight : weights.lambda) weight += kMove * (kEven - weight);
  return weights;
}

void expect_quadratic_convergence(const Loss& loss, double q, unsigned seed) {
  constexpr double kBend = 12.0;  // of the order of V's third derivative over its second
  const OwnedProblem owned = random_problem_for(loss, seed, 20, 2, 1.0);
  const MixedNormSaddle regularizer{q, {0, 1, 2, 0, 1, 2, 0, 1, 2}};
  const Answer solution = testing::solve_tightly(owned.with(regularizer, loss));
  SaddleWeights optimum = saddle_weights_of(regularizer, solution.d);
  for (int k = 0; k < 3; ++k) optimum = full_step(owned, loss, regularizer, optimum);
  SaddleWeights at = moved(optimum);
  for (int k = 0; k < 2; ++k) {
    const double before = distance(at, optimum);
    at = full_step(owned, loss, regularizer, at);
    EXPECT_LE(distance(at, optimum), kBend * before * before)
        << loss_text(loss) << ", q = " << q << ", seed " << seed << ", from " << before;
  }
}

TEST(SaddleModel, FullStepsConvergeQuadratically) {
  for (const double q : {2.5, 4.0, std::numeric_limits<double>::infinity()}) {
    for (const Loss& loss : {Loss{Squared{}}, Loss{Logistic{}}}) {
      for (const unsigned seed : {1u, 2u, 3u}) expect_quadratic_convergence(loss, q, seed);
    }
  }
}

}  // namespace
}  // namespace kernmix
