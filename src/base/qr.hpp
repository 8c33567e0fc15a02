#pragma once
/// \file
/// The QR factorisation of a tall matrix.

#include "base/linear_algebra.hpp"

namespace kernmix {

/// A = Q [R; 0] with Q orthogonal and R upper triangular, by Householder's reflections.
class Qr {
 public:
  Qr() = default;
  /// A has at least as many rows as columns.
  explicit Qr(Eigen::MatrixXd A);

  [[nodiscard]] Eigen::MatrixXd R() const;
  /// B <- Q'B for B with as many rows as A; not safe for concurrent calls.
  void apply_transposed(Eigen::MatrixXd& B) const { multiply("T", B); }
  /// B <- Q B; not safe for concurrent calls.
  void apply(Eigen::MatrixXd& B) const { multiply("N", B); }

 private:
  void multiply(const char* which, Eigen::MatrixXd& B) const;

  mutable Eigen::MatrixXd reflections_;  ///< LAPACK modifies and restores them
  Eigen::VectorXd tau_;
};

}  // namespace kernmix
