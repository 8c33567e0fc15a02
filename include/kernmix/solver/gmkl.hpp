#pragma once
/// \file
/// Generalised MKL with a product of Gaussian kernels, one for each column of X.
///
///   min_{d >= 0}  T(d) = lambda sum_m d_m + max_{a in A} { gain(a) - 1/2 a' K(d) a }
///   K(d)_ij = prod_m exp(-d_m (x_im - x_jm)^2)
///
/// Varma and Babu, ICML 2009, equations (2) to (5); methods card 3.17. T is not convex, so there is
/// no gap to the global optimum: what is certified is the inner problem at d, and how far d is from
/// a stationary point. The sum of kernels with the same penalty is convex: regularizer
/// l1-unsquared.

#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/loss/loss.hpp"
#include "kernmix/solver/solve.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct ProductProblem {
  const Matrix& X;  ///< n samples x M columns
  Loss loss;
  Vector y;  ///< n targets, as in Problem
  Vector C;  ///< n weights of the loss, > 0
  Bias bias = Bias::free;
  double lambda = 1.0;  ///< weight of sum d, > 0
};

struct ProductOptions {
  /// Stop at stationarity <= tolerance * lambda.
  double tolerance = 1e-3;
  Index max_iterations = 500;
  Vector start;  ///< M numbers >= 0, not all zero; empty: 1/M each
};

struct ProductSolution {
  Vector d;  ///< length M
  Vector a;  ///< signed dual variables at d, length n
  double bias = 0.0;
  double objective = 0.0;           ///< upper bound on T(d), by at most inner_gap
  double inner_gap = 0.0;           ///< of the inner problem at d
  double stationarity = 0.0;        ///< |max(d - grad T(d), 0) - d|_inf, 0 at a stationary point
  Status status = Status::stalled;  ///< converged: stationarity reached the tolerance
  std::vector<double> objectives;   ///< after each accepted step, never rising
};

/// K(d), n x n.
[[nodiscard]] Matrix product_kernel(const Matrix& X, ConstSpan d);

/// Projected gradients with Barzilai-Borwein steps and an Armijo rule. A local method: the answer
/// depends on the start.
/// \throws ParameterError or DataError where lengths, labels or parameters do not fit
[[nodiscard]] ProductSolution solve_product(const ProductProblem& problem,
                                            const ProductOptions& options, const Context& context);

}  // namespace kernmix
