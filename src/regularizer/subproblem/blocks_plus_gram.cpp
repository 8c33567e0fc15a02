#include "regularizer/subproblem/blocks_plus_gram.hpp"

#include <utility>

#include "base/qr.hpp"

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

std::optional<BlocksPlusGram::Inverse> BlocksPlusGram::inverse(const ArrayXd& D, const ArrayXd& n,
                                                               const ArrayXd& k,
                                                               const ArrayXd& pivot) const {
  Blocks blocks{D, n, k / pivot};
  Eigen::MatrixXd solved(B_.rows(), B_.cols());
  for (Index i = 0; i < B_.cols(); ++i) {
    solved.col(i) = blocks.solve(B_.col(i).array(), group_).matrix();
  }
  RowMatrix inner = B_.transpose() * solved;
  inner.diagonal().array() += 1.0;
  auto factor = Cholesky::of(std::move(inner));
  if (!factor) return std::nullopt;
  return Inverse(*this, std::move(blocks), std::move(*factor));
}

ArrayXd BlocksPlusGram::Inverse::times(const ArrayXd& r) const {
  const RowMatrix& B = sum_->B_;
  const ArrayXd blocks = blocks_.solve(r, sum_->group_);
  const Eigen::VectorXd inner = factor_.solve(B.transpose() * blocks.matrix());
  return blocks - blocks_.solve((B * inner).array(), sum_->group_);
}

ArrayXd BlocksPlusGram::Blocks::solve(const ArrayXd& r, const std::vector<Index>& group) const {
  const ArrayXd seen = sum_over_groups(n * r / D, group, share.size());
  return (r + spread_over_groups(share * seen, group) * n) / D;
}

ArrayXd BlocksPlusGram::gram_times(const ArrayXd& v) const {
  return (B_ * (B_.transpose() * v.matrix())).array();
}

double BlocksPlusGram::square(const ArrayXd& v) const {
  return (B_.transpose() * v.matrix()).squaredNorm();
}

}  // namespace kernmix
