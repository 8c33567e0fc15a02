#pragma once
/// \file
/// Some eigenvectors of a symmetric matrix, in steps between which the caller may stop.

#include <functional>

#include "base/linear_algebra.hpp"

namespace kernmix {

/// The eigenvectors of the smallest eigenvalues.
struct LowestEigen {
  Eigen::VectorXd values;   ///< all n of them, ascending
  Eigen::MatrixXd vectors;  ///< n x count, orthonormal columns
};

/// S = Q T Q' with T tridiagonal, in panels of columns (Dongarra, Hammarling and Sorensen, Journal
/// of Computational and Applied Mathematics 27, 1989), then eigenvectors of T. Needs memory for at
/// most two matrices of the size of S. \param S finite, given by its lower triangle \param count
/// number of eigenvectors, of the smallest eigenvalues \param between called between steps; stops
/// by an exception \throws Error if LAPACK fails
[[nodiscard]] LowestEigen lowest_eigen(Eigen::MatrixXd S,
                                       const std::function<Index(const Eigen::VectorXd&)>& count,
                                       const std::function<void()>& between);

}  // namespace kernmix
