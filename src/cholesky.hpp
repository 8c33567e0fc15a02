#pragma once
/// \file
/// Cholesky factors of matrices that are positive definite, or would be but for rounding.

#include <limits>

#include "linear_algebra.hpp"

namespace kernmix {

/// L of S = L L' for a symmetric S, in the memory of S: L on and below the diagonal, S above it.
class Cholesky {
 public:
  Cholesky() = default;
  /// S is given by its lower triangle.
  explicit Cholesky(RowMatrix S);

  /// Whether S is finite and positive definite. Where it is not, there is no L to solve with.
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] Index size() const { return L_.rows(); }

  /// S^{-1} b
  [[nodiscard]] Eigen::VectorXd solve(Eigen::VectorXd b) const;
  /// B <- S^{-1} B
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> B) const;
  /// B <- L^{-1} B
  void solve_half_in_place(Eigen::Ref<Eigen::MatrixXd> B) const;

  /// S again, both triangles; L is gone.
  [[nodiscard]] RowMatrix restored() &&;

 private:
  RowMatrix L_;
  Eigen::VectorXd diagonal_;  ///< of S
  bool ok_ = false;
};

/// The mean of the diagonal, which ridges are relative to; at least 1e-300.
[[nodiscard]] double mean_of_diagonal(const RowMatrix& S);

/// What is added to the diagonal: `always`, then step by step `first`, growth * first, ... as long
/// as the factorisation fails and the step is at most `most`.
struct Ridge {
  double always;
  double first;
  double growth;
  double most = std::numeric_limits<double>::max();
};

/// L of S + ridge I = L L' with the smallest ridge that makes it positive definite, S given by its
/// lower triangle. Fails only where S is not finite, ridge.first is 0 or ridge.most is not enough.
[[nodiscard]] Cholesky cholesky_with_ridge(RowMatrix S, const Ridge& ridge);

}  // namespace kernmix
