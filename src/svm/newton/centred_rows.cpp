#include "svm/newton/centred_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace kernmix {
namespace {

constexpr Index rows_of_a_product = 512;

/// sum_k body(k, sum) over ranges of 0 .. count, added in order.
template <typename Body>
Eigen::VectorXd sum_of_rows(Index count, Index size, const Context& context, const Body& body) {
  constexpr Index most_ranges = 16;
  const Index ranges = std::clamp<Index>(count / rows_of_a_product, 1, most_ranges);
  std::vector<Eigen::VectorXd> parts(to_size(ranges));
  parallel_for(context, ranges, [&](Index range) {
    Eigen::VectorXd& sum = parts[to_size(range)];
    sum.setZero(size);
    const Index last = count * (range + 1) / ranges;
    for (Index k = count * range / ranges; k < last; ++k) body(k, sum);
  });
  for (std::size_t k = 1; k < parts.size(); ++k) parts.front() += parts[k];
  return std::move(parts.front());
}

}  // namespace

CentredRows::CentredRows(const WeightedColumns& Z, ConstSpan slope, const DualSet& set)
    : Z_(Z), slope_(slope), set_(set) {
  for (std::size_t i = 0; i < slope.size(); ++i) {
    if (slope[i] > 0.0) rows_.push_back(static_cast<Index>(i));
  }
  find_means();
}

void CentredRows::find_means() {
  if (!set_.balanced()) return;
  Vector weight(set_.totals.size(), 0.0);
  means_.assign(set_.totals.size(), Eigen::VectorXd::Zero(cols()));
  for (Index k = 0; k < count(); ++k) {
    Z_.add_row(slope(k), rows_[to_size(k)], means_[to_size(block(k))].data());
    weight[to_size(block(k))] += slope(k);
  }
  for (std::size_t c = 0; c < means_.size(); ++c) {
    if (weight[c] > 0.0) means_[c] /= weight[c];
  }
}

RowMatrix CentredRows::rows(Index begin, Index end, Index stride) const {
  RowMatrix Y(end - begin, cols());
  for (Index r = 0; r < Y.rows(); ++r) {
    const Index k = (begin + r) * stride;
    Z_.copy_row(rows_[to_size(k)], Y.row(r).data());
    if (set_.balanced()) Y.row(r) -= means_[to_size(block(k))];
    Y.row(r) *= std::sqrt(slope(k));
  }
  return Y;
}

Vector CentredRows::shift_of(const Eigen::VectorXd& x) const {
  Vector shift;
  for (const Eigen::VectorXd& mean : means_) shift.push_back(mean.dot(x));
  return shift;
}

double CentredRows::centred_dot(Index k, const Eigen::VectorXd& x, const Vector& shift) const {
  const double product = Z_.dot(rows_[to_size(k)], x.data());
  return set_.balanced() ? product - shift[to_size(block(k))] : product;
}

Eigen::VectorXd CentredRows::identity_plus_gram_times(const Eigen::VectorXd& x,
                                                      const Context& context) const {
  const Vector shift = shift_of(x);
  // The means of the rows cancel: sum_i Lambda_i (z_i - mean)'x = 0 in each block.
  return x + sum_of_rows(count(), cols(), context, [&](Index k, Eigen::VectorXd& sum) {
           Z_.add_row(slope(k) * centred_dot(k, x, shift), rows_[to_size(k)], sum.data());
         });
}

Eigen::VectorXd CentredRows::times(const Eigen::VectorXd& x, const Context& context) const {
  const Vector shift = shift_of(x);
  Eigen::VectorXd product(count());
  parallel_blocks(context, count(), rows_of_a_product, [&](Index, Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      product[k] = std::sqrt(slope(k)) * centred_dot(k, x, shift);
    }
  });
  return product;
}

Eigen::VectorXd CentredRows::transposed_times(const Eigen::VectorXd& u,
                                              const Context& context) const {
  Eigen::VectorXd sum = sum_of_rows(count(), cols(), context, [&](Index k, Eigen::VectorXd& part) {
    Z_.add_row(std::sqrt(slope(k)) * u[k], rows_[to_size(k)], part.data());
  });
  if (!set_.balanced()) return sum;
  Vector weight(means_.size(), 0.0);
  for (Index k = 0; k < count(); ++k) weight[to_size(block(k))] += std::sqrt(slope(k)) * u[k];
  for (std::size_t c = 0; c < means_.size(); ++c) sum -= weight[c] * means_[c];
  return sum;
}

}  // namespace kernmix
