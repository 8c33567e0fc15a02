#pragma once
/// \file
/// A support vector machine on one precomputed kernel, solved to a certified gap.

#include <span>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// f(x_i) = sum_j K_ij a_j + bias, with the bounds dual <= optimum <= primal on
///   min_{f, b}  1/2 ||f||^2 + sum_i C_i [1 - y_i (f(x_i) + b)]_+
struct SvmResult {
  Vector a;  ///< signed dual variables y * alpha, length n
  Vector z;  ///< K a, length n
  double bias = 0.0;
  double primal = 0.0;
  double dual = 0.0;
  double relative_gap = 0.0;  ///< (primal - dual) / primal; 0 if both are 0
  Index iterations = 0;
  bool converged = false;  ///< relative_gap <= the requested tolerance
};

/// Trains from a = `start`, or from 0 if `start` is empty.
/// \param K n x n row-major, symmetric, positive semidefinite; its entries are treated as exact
/// \param y labels +1 or -1, length n
/// \param C weights of the hinge loss, > 0, length n
/// \param relative_gap tolerance on SvmResult::relative_gap, in (0, 1)
/// \throws ParameterError when lengths do not fit or a value is outside its range
[[nodiscard]] SvmResult train_svm(std::span<const float> K, ConstSpan y, ConstSpan C,
                                  double relative_gap, const Context& context,
                                  ConstSpan start = {});

}  // namespace kernmix
