#pragma once
/// \file
/// Eigenvectors of some eigenvalues of a symmetric matrix, by steps between which the caller may
/// stop.

#include <functional>

#include "base/linear_algebra.hpp"

namespace kernmix {

/// The eigenvectors of the smallest eigenvalues.
struct LowestEigen {
  Eigen::VectorXd values;   ///< all n of them, ascending
  Eigen::MatrixXd vectors;  ///< n x count, orthonormal columns
};

/// S = Q T Q' with T tridiagonal, in panels of columns (Dongarra, Hammarling and Sorensen, Journal
/// of Computational and Applied Mathematics 27, 1989), then eigenvectors of T. Takes two matrices
/// of the size of S at most. \param S  finite, given by its lower triangle \param count  how many
/// eigenvectors are wanted, of all eigenvalues in ascending order \param between  is called between
/// the steps, and stops by an exception \throws Error where LAPACK finds none
[[nodiscard]] LowestEigen lowest_eigen(Eigen::MatrixXd S,
                                       const std::function<Index(const Eigen::VectorXd&)>& count,
                                       const std::function<void()>& between);

}  // namespace kernmix
