#pragma once
/// \file
/// Cholesky factors of matrices that are positive definite but for rounding.

#include <limits>

#include "linear_algebra.hpp"

namespace kernmix {

/// What is added to the diagonal: `always`, then step by step `first`, growth * first, ... as long
/// as the factorisation fails and the step is at most `most`.
struct Ridge {
  double always;
  double first;
  double growth;
  double most = std::numeric_limits<double>::max();
};

/// L of S + ridge I = L L' with the smallest ridge that makes it positive definite; S keeps it.
/// Fails (info()) only where S is not finite, ridge.first is 0 or ridge.most is not enough.
template <typename M = Eigen::MatrixXd, typename S>
Eigen::LLT<M> cholesky_with_ridge(S& matrix, const Ridge& ridge) {
  matrix.diagonal().array() += ridge.always;
  Eigen::LLT<M> factor(matrix);
  for (double more = ridge.first;
       factor.info() != Eigen::Success && more > 0.0 && more <= ridge.most; more *= ridge.growth) {
    matrix.diagonal().array() += more;
    factor.compute(matrix);
  }
  return factor;
}

}  // namespace kernmix
