#pragma once
/// \file
/// Samples of several classes that are trained together, with the hinge of Crammer and Singer:
///
///   (P)  sum_i C_i max_u (1 - [u = y_i] + f_u(x_i) + b_u - f_{y_i}(x_i) - b_{y_i})
///   (D)  sum_i A_{i, y_i}  over A of n x K with  sum_u A_iu = 0,  A_iu <= 0 for u != y_i,
///        A_{i, y_i} <= C_i,  and 1'A = 0 where biases are free
///
/// Zien and Ong, Multiclass multiple kernel learning, ICML 2007 (docs/explanation/joint.md).

#include <vector>

#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct ClassTargets {
  std::vector<Index> y;  ///< n classes, 0 .. classes - 1
  Index classes;         ///< K
  Vector C;              ///< n weights of the loss, > 0
  Bias bias;             ///< one for each class, or none

  [[nodiscard]] Index samples() const { return length(y); }
};

/// sum_i A_{i, y_i}: the first term of (D).
[[nodiscard]] double class_gain(const ClassTargets& targets, const Matrix& A);

/// A in the set of (D) but for rounding, moved into it; with free biases the sums of its columns
/// vanish.
/// \throws ParameterError when A leaves the set by more than 1e-9 C
[[nodiscard]] Matrix feasible_class_dual(const ClassTargets& targets, Matrix A);

/// The longest t, at most 2, for which t A stays in its set.
[[nodiscard]] double longest_class_scale(const ClassTargets& targets, const Matrix& A);

/// The loss at decision values Z, n x K, with the best biases, compared with A.
struct ClassLoss {
  double value = 0.0;
  double gap = 0.0;  ///< sum of Fenchel-Young gaps
  Vector bias;       ///< K, with sum 0
};
/// \param start  biases to start from, or empty
[[nodiscard]] ClassLoss class_loss_at(const ClassTargets& targets, const Matrix& Z, const Matrix& A,
                                      ConstSpan start = {});

/// How much larger the loss may be at any decision values within `error` of Z, rounding included.
[[nodiscard]] double class_loss_excess(const ClassTargets& targets, const ClassLoss& point,
                                       const Matrix& Z, const Matrix& error);

}  // namespace kernmix
