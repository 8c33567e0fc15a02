#pragma once
/// \file
/// Samples as kernel functions read them, dense or sparse.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kernel/functions/definition.hpp"
#include "kernmix/sparse_matrix.hpp"

namespace kernmix {

/// Sparse samples from which an offset is subtracted, for scaling that moves the mean of columns.
class SparseRows {
 public:
  /// \param offset  of each column; {}: 0
  SparseRows(std::shared_ptr<const SparseMatrix> numbers, Vector offset);

  [[nodiscard]] const SparseMatrix& numbers() const { return *numbers_; }
  /// The correction of x . z, where x is row i of this and z is row j of `right`, which has the
  /// same offset o: - x . o - z . o + o . o.
  [[nodiscard]] double correction(Index i, const SparseRows& right, Index j) const {
    return along_.empty() ? 0.0 : square_ - along_[to_size(i)] - right.along_[to_size(j)];
  }
  /// |x|^2 of row i, with and without the offset.
  [[nodiscard]] double squared_norm(Index i) const {
    return plain_squared_norm(i) + correction(i, *this, i);
  }
  [[nodiscard]] double plain_squared_norm(Index i) const { return squares_[to_size(i)]; }

 private:
  std::shared_ptr<const SparseMatrix> numbers_;
  Vector squares_;       ///< |x|^2 of each row without offset
  Vector along_;         ///< x . o of each row; empty without offset
  double square_ = 0.0;  ///< o . o
};

/// The samples of a view, one in each row. Copies share the numbers.
class FeatureRows {
 public:
  FeatureRows() = default;
  FeatureRows(ConstMatrix dense) : dense_(std::move(dense)) {}  // NOLINT: the same rows
  FeatureRows(std::shared_ptr<const SparseRows> sparse)         // NOLINT: the same rows
      : sparse_(std::move(sparse)) {}

  [[nodiscard]] Index rows() const { return sparse_ ? sparse_->numbers().rows : dense_.rows; }
  [[nodiscard]] Index cols() const { return sparse_ ? sparse_->numbers().cols : dense_.cols; }
  [[nodiscard]] Index stride() const { return sparse_ ? 0 : dense_.stride; }
  /// The same for copies, and for no other samples.
  [[nodiscard]] const void* address() const {
    return sparse_ ? static_cast<const void*>(sparse_.get()) : dense_.values.data();
  }
  /// Null if the rows are dense.
  [[nodiscard]] const SparseRows* sparse() const { return sparse_.get(); }
  [[nodiscard]] const ConstMatrix& dense() const { return dense_; }

 private:
  ConstMatrix dense_;
  std::shared_ptr<const SparseRows> sparse_;
};

/// As compare() of dense samples; both sides are sparse, or both are dense.
void compare(Comparison comparison, const FeatureRows& left, std::span<const Index> row_index,
             const FeatureRows& right, std::span<const Index> col_index, MutableSpan out);
[[nodiscard]] double compare_with_itself(Comparison comparison, const FeatureRows& samples,
                                         Index i);

/// As feature_source() of dense samples. \throws ParameterError if only one side is sparse
[[nodiscard]] KernelSourcePtr feature_source(const KernelFunction& function, FeatureRows left,
                                             FeatureRows right);
/// As those of dense samples.
[[nodiscard]] std::vector<Index> representative_samples(const FeatureRows& samples);
[[nodiscard]] TypicalDistances typical_distances(const KernelFunction& function,
                                                 const FeatureRows& samples,
                                                 ConstSpan weights = {});

}  // namespace kernmix
