#pragma once
/// \file
/// Eigenvalues of symmetric matrices, and systems that are symmetric but not positive definite.

#include "base/linear_algebra.hpp"

namespace kernmix {

/// S = V diag(values) V'; all values are NaN where S is not finite.
struct SymmetricEigen {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< V, orthonormal columns
};

/// S is given by its lower triangle, here and below.
[[nodiscard]] SymmetricEigen symmetric_eigen(Eigen::MatrixXd S);

/// The eigenvalues without eigenvectors, at a fraction of the cost.
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(Eigen::MatrixXd S);

/// x with S x = b for an indefinite S; the least-squares solution of minimal norm if S is singular.
[[nodiscard]] Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& S, const Eigen::VectorXd& b);

}  // namespace kernmix
