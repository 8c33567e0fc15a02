#pragma once
/// \file
/// Y, the rows sqrt(Lambda_i) (z_i - mean_c) of the samples with Lambda_i > 0, mean_c the mean of
/// the block c of sample i, weighted by Lambda; without blocks of a fixed sum, without means.

#include <vector>

#include "base/linear_algebra.hpp"
#include "kernmix/context.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"
#include "svm/newton/weighted_columns.hpp"

namespace kernmix {

class CentredRows {
 public:
  /// All must outlive it.
  CentredRows(const WeightedColumns& Z, ConstSpan slope, const DualSet& set,
              const Context& context);

  [[nodiscard]] Index count() const { return length(rows_); }
  [[nodiscard]] Index cols() const { return Z_.cols(); }

  /// Rows begin, ..., end - 1 of Y, each times `stride`, computed anew.
  [[nodiscard]] RowMatrix rows(Index begin, Index end, Index stride = 1) const;
  /// (I + Y'Y) x
  [[nodiscard]] Eigen::VectorXd identity_plus_gram_times(const Eigen::VectorXd& x,
                                                         const Context& context) const;
  /// Y x
  [[nodiscard]] Eigen::VectorXd times(const Eigen::VectorXd& x, const Context& context) const;
  /// Y'u
  [[nodiscard]] Eigen::VectorXd transposed_times(const Eigen::VectorXd& u,
                                                 const Context& context) const;

 private:
  [[nodiscard]] Index block(Index k) const {
    return set_.balanced() ? set_.block[to_size(rows_[to_size(k)])] : 0;
  }
  [[nodiscard]] double slope(Index k) const { return slope_[to_size(rows_[to_size(k)])]; }
  /// (z_i - mean)'x of row k, for the products `shift` of the means with x.
  [[nodiscard]] double centred_dot(Index k, const Eigen::VectorXd& x, const Vector& shift) const;
  [[nodiscard]] Vector shift_of(const Eigen::VectorXd& x) const;
  void find_means(const Context& context);

  const WeightedColumns& Z_;
  ConstSpan slope_;
  const DualSet& set_;
  std::vector<Index> rows_;
  std::vector<Eigen::VectorXd> means_;  ///< of the blocks
};

}  // namespace kernmix
