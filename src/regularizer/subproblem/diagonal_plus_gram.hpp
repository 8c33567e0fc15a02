#pragma once
/// \file
/// Linear systems with the sum of a diagonal, a Gram matrix and a rank-one matrix.

#include <optional>
#include <utility>

#include "base/cholesky.hpp"

namespace kernmix {

/// diag(D) + B B' + factor v v' and its inverse, through the smaller of the two sides of B.
class DiagonalPlusGram {
 public:
  explicit DiagonalPlusGram(RowMatrix B);

  /// Refers to the sum, which must outlive it.
  class Inverse {
   public:
    [[nodiscard]] Eigen::ArrayXd times(const Eigen::ArrayXd& r) const;

   private:
    friend class DiagonalPlusGram;
    Inverse(const DiagonalPlusGram& sum, Eigen::ArrayXd inverse, Cholesky cholesky)
        : sum_(&sum), inverse_(std::move(inverse)), cholesky_(std::move(cholesky)) {}
    [[nodiscard]] Eigen::ArrayXd times_without_v(const Eigen::ArrayXd& r) const;

    const DiagonalPlusGram* sum_;
    Eigen::ArrayXd inverse_;  ///< 1 / D
    Cholesky cholesky_;
    Eigen::ArrayXd v_;
    Eigen::ArrayXd solved_v_;
    double weight_ = 0.0;  ///< factor / (1 + factor v' A^{-1} v), Sherman and Morrison
  };
  /// D > 0. The sum must be positive definite even for negative `factor`; v may be empty. Nothing
  /// if the sum is not finite.
  [[nodiscard]] std::optional<Inverse> inverse(const Eigen::ArrayXd& diagonal, double factor,
                                               const Eigen::ArrayXd& v) const;
  /// B B' x.
  [[nodiscard]] Eigen::ArrayXd gram_times(const Eigen::ArrayXd& x) const;

 private:
  RowMatrix B_;
  bool explicit_;
  RowMatrix gram_;
};

}  // namespace kernmix
