#include "regularizer/subproblem/diagonal_plus_gram.hpp"

#include <utility>

namespace kernmix {

DiagonalPlusGram::DiagonalPlusGram(RowMatrix B)
    : B_(std::move(B)), explicit_(B_.rows() <= B_.cols()) {
  if (explicit_) gram_ = B_ * B_.transpose();
}

std::optional<DiagonalPlusGram::Inverse> DiagonalPlusGram::inverse(const Eigen::ArrayXd& diagonal,
                                                                   double factor,
                                                                   const Eigen::ArrayXd& v) const {
  const Eigen::ArrayXd inverse = diagonal.inverse();
  RowMatrix A;
  if (explicit_) {
    A = gram_;
    A.diagonal() += diagonal.matrix();
  } else {
    A = B_.transpose() * inverse.matrix().asDiagonal() * B_;
    A.diagonal().array() += 1.0;
  }
  const double largest = A.diagonal().maxCoeff();
  auto cholesky = cholesky_with_ridge(std::move(A), {0.0, 1e-15 * largest, 100.0});
  if (!cholesky) return std::nullopt;
  Inverse result(*this, inverse, std::move(*cholesky));
  if (factor == 0.0) return result;
  result.v_ = v;
  result.solved_v_ = result.times_without_v(v);
  result.weight_ = factor / (1.0 + factor * (v * result.solved_v_).sum());
  return result;
}

Eigen::ArrayXd DiagonalPlusGram::Inverse::times_without_v(const Eigen::ArrayXd& r) const {
  if (sum_->explicit_) return cholesky_.solve(r.matrix()).array();
  const RowMatrix& B = sum_->B_;
  const Eigen::VectorXd inner = cholesky_.solve(B.transpose() * (inverse_ * r).matrix());
  return inverse_ * (r - (B * inner).array());
}

Eigen::ArrayXd DiagonalPlusGram::Inverse::times(const Eigen::ArrayXd& r) const {
  Eigen::ArrayXd x = times_without_v(r);
  if (weight_ != 0.0) x -= weight_ * (v_ * x).sum() * solved_v_;
  return x;
}

Eigen::ArrayXd DiagonalPlusGram::gram_times(const Eigen::ArrayXd& x) const {
  return (B_ * (B_.transpose() * x.matrix())).array();
}

}  // namespace kernmix
