#pragma once
/// \file
/// The quadratic model of the optimal value J(d) that a Newton step minimises over D.

#include "kernmix/types.hpp"

namespace kernmix {

/// J(x) ~ J(d) - 1/2 q'(x - d) + 1/2 |B (x - d)|^2 on some kernels
/// (docs/reference/solvers/newton.md): the gradient of J is -q/2 and its Hessian B'B, the SVM's
/// curvature on free support vectors.
struct WeightModel {
  Vector d;  ///< current weights, length W
  Vector q;  ///< q_m = a' K_m a, length W
  Matrix B;  ///< W x |F|: row m is the m-th column of B; |F| may be zero
};

}  // namespace kernmix
