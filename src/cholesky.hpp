#pragma once
/// \file
/// Cholesky factors of matrices that are positive definite but for rounding.

#include <cmath>

#include "linear_algebra.hpp"

namespace kernmix {

/// What is added to the diagonal: `always`, then step by step `first`, growth * first, ... as long
/// as the factorisation fails.
struct Ridge {
  double always;
  double first;
  double growth;
};

/// L of S + ridge I = L L' with the smallest ridge that makes it positive definite; S keeps it.
/// Fails (info()) only where S is not finite or ridge.first is 0.
template <typename M = Eigen::MatrixXd, typename S>
Eigen::LLT<M> cholesky_with_ridge(S& matrix, const Ridge& ridge) {
  matrix.diagonal().array() += ridge.always;
  Eigen::LLT<M> factor(matrix);
  for (double more = ridge.first;
       factor.info() != Eigen::Success && more > 0.0 && std::isfinite(more); more *= ridge.growth) {
    matrix.diagonal().array() += more;
    factor.compute(matrix);
  }
  return factor;
}

}  // namespace kernmix
