#include "regularizer/diagonal_plus_gram.hpp"

#include <utility>

namespace kernmix {

DiagonalPlusGram::DiagonalPlusGram(RowMatrix B)
    : B_(std::move(B)), explicit_(B_.rows() <= B_.cols()) {
  if (explicit_) gram_ = B_ * B_.transpose();
}

void DiagonalPlusGram::factorise(const Eigen::ArrayXd& diagonal, double factor,
                                 const Eigen::ArrayXd& v) {
  inverse_ = diagonal.inverse();
  RowMatrix A;
  if (explicit_) {
    A = gram_;
    A.diagonal() += diagonal.matrix();
  } else {
    A = B_.transpose() * inverse_.matrix().asDiagonal() * B_;
    A.diagonal().array() += 1.0;
  }
  const double largest = A.diagonal().maxCoeff();
  cholesky_ = cholesky_with_ridge(std::move(A), {0.0, 1e-15 * largest, 100.0});
  weight_ = 0.0;
  if (factor == 0.0) return;
  v_ = v;
  solved_v_ = solve_without_v(v);
  weight_ = factor / (1.0 + factor * (v_ * solved_v_).sum());
}

Eigen::ArrayXd DiagonalPlusGram::solve_without_v(const Eigen::ArrayXd& r) const {
  if (explicit_) return cholesky_.solve(r.matrix()).array();
  const Eigen::VectorXd inner = cholesky_.solve(B_.transpose() * (inverse_ * r).matrix());
  return inverse_ * (r - (B_ * inner).array());
}

Eigen::ArrayXd DiagonalPlusGram::solve(const Eigen::ArrayXd& r) const {
  Eigen::ArrayXd x = solve_without_v(r);
  if (weight_ != 0.0) x -= weight_ * (v_ * x).sum() * solved_v_;
  return x;
}

Eigen::ArrayXd DiagonalPlusGram::gram_times(const Eigen::ArrayXd& x) const {
  return (B_ * (B_.transpose() * x.matrix())).array();
}

}  // namespace kernmix
