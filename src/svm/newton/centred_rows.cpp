#include "svm/newton/centred_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace kernmix {
namespace {

constexpr Index rows_of_a_product = 512;

/// The sum of what body(k, sum) adds to a vector, over k = 0 .. count-1.
template <typename Body>
Eigen::VectorXd sum_of_rows(Index count, Index size, const Context& context, const Body& body) {
  constexpr Index most_ranges = 16;
  const Index ranges = ranges_of(count, rows_of_a_product, most_ranges);
  return sum_of_ranges(context, count, ranges, [&](Index begin, Index end) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(size);
    for (Index k = begin; k < end; ++k) body(k, sum);
    return sum;
  });
}

}  // namespace

CentredRows::CentredRows(const WeightedColumns& Z, ConstSpan slope, const DualSet& set,
                         const Context& context)
    : Z_(Z), slope_(slope), set_(set) {
  for (std::size_t i = 0; i < slope.size(); ++i) {
    if (slope[i] > 0.0) rows_.push_back(static_cast<Index>(i));
  }
  find_means(context);
}

void CentredRows::find_means(const Context& context) {
  if (!set_.balanced()) return;
  const Index wide = cols() + 1;  // the sum of the rows of a block, and of their weights
  const Eigen::VectorXd sums =
      sum_of_rows(count(), wide * length(set_.totals), context, [&](Index k, Eigen::VectorXd& sum) {
        Z_.add_row(slope(k), rows_[to_size(k)], sum.data() + block(k) * wide);
        sum[block(k) * wide + cols()] += slope(k);
      });
  for (Index c = 0; c < length(set_.totals); ++c) {
    means_.emplace_back(sums.segment(c * wide, cols()));
    const double weight = sums[c * wide + cols()];
    if (weight > 0.0) means_.back() /= weight;
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
