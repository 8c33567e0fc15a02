#pragma once
/// \file
/// A part of a kernel, read where it lies or evaluated.

#include <algorithm>
#include <optional>
#include <utility>

#include "kernmix/kernel.hpp"

namespace kernmix {

/// K[rows, cols]: in memory already where the source says so and the columns are neighbours.
class SourceRows {
 public:
  SourceRows(const KernelSource& source, std::span<const Index> rows, std::span<const Index> cols)
      : rows_(rows), cols_(cols), stored_(source.stored()) {
    if (stored_ && consecutive(cols)) return;
    stored_.reset();
    K_ = Matrix(length(rows), length(cols));
    source.block(rows, cols, K_.values);
  }
  /// Of entries that have been evaluated.
  explicit SourceRows(Matrix K) : K_(std::move(K)) {}

  [[nodiscard]] double scale() const { return stored_ ? stored_->scale : 1.0; }
  /// Row r of K[rows, cols] / scale().
  [[nodiscard]] const double* operator[](Index r) const {
    if (!stored_) return K_.row(r).data();
    return stored_->first + rows_[static_cast<std::size_t>(r)] * stored_->stride + cols_.front();
  }

 private:
  std::span<const Index> rows_;
  std::span<const Index> cols_;
  std::optional<KernelSource::Stored> stored_;
  Matrix K_;
};

}  // namespace kernmix
