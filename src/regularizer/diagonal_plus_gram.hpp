#pragma once
/// \file
/// Linear systems with a diagonal, a Gram matrix and one more rank.

#include "cholesky.hpp"

namespace kernmix {

/// (diag(D) + B B' + factor v v')^{-1} r, through the smaller of the two sides of B.
class DiagonalPlusGram {
 public:
  explicit DiagonalPlusGram(RowMatrix B);

  /// D > 0. The sum must be positive definite even where `factor` is negative; v may be empty.
  void factorise(const Eigen::ArrayXd& diagonal, double factor, const Eigen::ArrayXd& v);
  [[nodiscard]] Eigen::ArrayXd solve(const Eigen::ArrayXd& r) const;
  /// B B' x.
  [[nodiscard]] Eigen::ArrayXd gram_times(const Eigen::ArrayXd& x) const;

 private:
  [[nodiscard]] Eigen::ArrayXd solve_without_v(const Eigen::ArrayXd& r) const;

  RowMatrix B_;
  bool explicit_;
  RowMatrix gram_;
  Eigen::ArrayXd inverse_;
  Cholesky cholesky_;
  Eigen::ArrayXd v_;
  Eigen::ArrayXd solved_v_;
  double weight_ = 0.0;  ///< factor / (1 + factor v' A^{-1} v), Sherman and Morrison
};

}  // namespace kernmix
