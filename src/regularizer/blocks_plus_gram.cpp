#include "regularizer/blocks_plus_gram.hpp"

#include <utility>

#include "qr.hpp"

namespace kernmix {

using Eigen::ArrayXd;

ArrayXd spread_over_groups(const ArrayXd& v, const std::vector<Index>& group) {
  ArrayXd y(length(group));
  for (Index k = 0; k < y.size(); ++k) y[k] = v[group[static_cast<std::size_t>(k)]];
  return y;
}

ArrayXd sum_over_groups(const ArrayXd& y, const std::vector<Index>& group, Index J) {
  ArrayXd v = ArrayXd::Zero(J);
  for (Index k = 0; k < y.size(); ++k) v[group[static_cast<std::size_t>(k)]] += y[k];
  return v;
}

BlocksPlusGram::BlocksPlusGram(RowMatrix B, const std::vector<Index>& group)
    : group_(group), B_(std::move(B)) {
  if (B_.cols() <= B_.rows()) return;
  // B' = Q R leaves B B' = R'R.
  B_ = Qr(B_.transpose()).R().transpose();
}

void BlocksPlusGram::factorise(const ArrayXd& D, const ArrayXd& n, const ArrayXd& k,
                               const ArrayXd& pivot) {
  D_ = D;
  n_ = n;
  share_ = k / pivot;
  Eigen::MatrixXd solved(B_.rows(), B_.cols());
  for (Index i = 0; i < B_.cols(); ++i) solved.col(i) = solve_blocks(B_.col(i).array()).matrix();
  RowMatrix inner = B_.transpose() * solved;
  inner.diagonal().array() += 1.0;
  factor_ = Cholesky(std::move(inner));
}

ArrayXd BlocksPlusGram::solve(const ArrayXd& r) const {
  const ArrayXd blocks = solve_blocks(r);
  const Eigen::VectorXd inner = factor_.solve(B_.transpose() * blocks.matrix());
  return blocks - solve_blocks((B_ * inner).array());
}

ArrayXd BlocksPlusGram::solve_blocks(const ArrayXd& r) const {
  const ArrayXd seen = sum_over_groups(n_ * r / D_, group_, share_.size());
  return (r + spread_over_groups(share_ * seen, group_) * n_) / D_;
}

ArrayXd BlocksPlusGram::gram_times(const ArrayXd& v) const {
  return (B_ * (B_.transpose() * v.matrix())).array();
}

double BlocksPlusGram::square(const ArrayXd& v) const {
  return (B_.transpose() * v.matrix()).squaredNorm();
}

}  // namespace kernmix
