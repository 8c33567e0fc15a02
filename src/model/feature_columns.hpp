#pragma once
/// \file
/// Columns of some samples as kernels read them.

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernmix/data.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// True for functions of columns >= 0, which are read unscaled.
[[nodiscard]] bool reads_nonnegative(const KernelFunction& function);

/// Scaled or raw columns of samples that others hold: those of a table or of a model, which must
/// outlive it. Kernels on the same columns share one matrix: unscaled columns that lie side by side
/// are read where they lie, of others there is one copy.
class FeatureColumns {
 public:
  /// \param scaling  of `names`
  /// \throws DataError naming a column that the table lacks, or that has a number that is not
  /// finite
  FeatureColumns(const Table& table, std::vector<std::string> names, Scaling scaling);
  /// \param numbers  samples x |names|;  \param source  for messages
  FeatureColumns(ConstMatrix numbers, std::vector<std::string> names, Scaling scaling,
                 std::string source);
  /// The columns of `views`, with their scaling fitted; tells them the rules that were taken.
  /// \param weights  how often each sample counts; {}: once
  [[nodiscard]] static FeatureColumns fit(const Table& table, std::vector<std::string> names,
                                          std::vector<ScaledView>& views, ConstSpan weights = {});

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const Scaling& scaling() const { return scaling_; }
  /// The place in names(). \throws std::out_of_range
  [[nodiscard]] Index place(const std::string& column) const { return position_.at(column); }

  /// As it was read: of sample i, column names()[j].
  [[nodiscard]] double raw(Index i, Index j) const;
  [[nodiscard]] Vector raw_row(Index i) const;
  [[nodiscard]] Vector raw_column(Index j) const;
  /// As kernels read it that do not take non-negative values alone.
  [[nodiscard]] Vector scaled_column(Index j) const;

  /// Of the copies.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// The columns that a kernel reads: raw for functions of non-negative values, else scaled.
  /// \throws DataError naming a column with a negative value that the function does not take
  [[nodiscard]] ConstMatrix of(const KernelDescription& kernel);

 private:
  [[nodiscard]] bool keeps(const std::vector<std::string>& columns) const;
  [[nodiscard]] ConstMatrix gather(const std::vector<std::string>& columns, bool is_scaled);
  [[nodiscard]] double scaled(Index i, Index j) const;
  void require_finite() const;
  void require_nonnegative(const KernelDescription& kernel, const ConstMatrix& values) const;

  std::vector<std::string> names_;
  std::map<std::string, Index> position_;
  ConstMatrix numbers_;
  std::vector<Index> places_;  ///< of each column in numbers_, or no_column
  Scaling scaling_;
  std::string source_;
  std::map<std::pair<bool, std::vector<std::string>>, ConstMatrix> cache_;
  std::size_t bytes_ = 0;
};

}  // namespace kernmix
