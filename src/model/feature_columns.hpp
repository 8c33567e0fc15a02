#pragma once
/// \file
/// Columns of some samples as kernels read them.

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "data/column_places.hpp"
#include "data/scaling/scaling_fit.hpp"
#include "kernel/feature_rows.hpp"
#include "kernmix/data.hpp"
#include "kernmix/kernel.hpp"
#include "model/absence/presence.hpp"

namespace kernmix {

/// True for functions of nonnegative columns, which are not scaled.
[[nodiscard]] bool reads_nonnegative(const KernelFunction& function);

/// Those of `columns` that are no indicators.
[[nodiscard]] std::vector<std::string> columns_of_numbers(
    const std::vector<std::string>& columns, const std::vector<Indicators>& indicators);

/// The indicators whose column is among the columns of a table that are read.
[[nodiscard]] std::vector<Indicators> indicators_read(const std::vector<std::string>& columns,
                                                      const std::vector<Indicators>& indicators);

/// Scaled or raw columns of the samples of a table or of a model, which must outlive this object.
/// Kernels on the same columns share one matrix: contiguous unscaled columns are views, others are
/// copied once. Sparse numbers stay sparse: scaling divides the entries, and what it subtracts is
/// the offset of SparseRows.
class FeatureColumns {
 public:
  /// \param scaling  of `names`
  /// \param presences  of views that some of the samples may lack, whose columns are then NaN
  /// \throws DataError naming a missing column, or a column with a value that is not finite
  FeatureColumns(const Table& table, std::vector<std::string> names, Scaling scaling,
                 const Presences& presences = {});
  /// \param numbers  samples x |names|;  \param source  for messages
  FeatureColumns(ConstMatrix numbers, std::vector<std::string> names, Scaling scaling,
                 std::string source);
  FeatureColumns(std::shared_ptr<const SparseMatrix> numbers, std::vector<std::string> names,
                 Scaling scaling, std::string source);
  /// The columns of `views` with fitted scaling, and with `missing` other than `refuse` the numbers
  /// that take the place of missing cells; stores the selected rules in `views`.
  /// \param weights of the samples; {}: all 1
  /// \param presences  views that some samples lack; their columns are fitted to the others
  /// \param whole  all columns of each view, also those that an earlier view scales
  [[nodiscard]] static FeatureColumns fit(const Table& table, std::vector<std::string> names,
                                          std::vector<ScaledView>& views, ConstSpan weights = {},
                                          MissingRule missing = MissingRule::refuse,
                                          const Presences& presences = {},
                                          const std::vector<View>& whole = {},
                                          FittingRules rules = FittingRules::present);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const Scaling& scaling() const { return scaling_; }
  [[nodiscard]] Index samples() const { return samples_; }
  /// The index in names(). \throws std::out_of_range
  [[nodiscard]] Index place(const std::string& column) const { return position_.at(column); }

  /// The unscaled value of sample i in column names()[j], as it was given; NaN if it is missing.
  [[nodiscard]] double given(Index i, Index j) const;
  [[nodiscard]] Vector given_row(Index i) const;
  /// The same; a missing one is filled in, and columns that told nothing in training have the same
  /// value for every sample.
  [[nodiscard]] double raw(Index i, Index j) const;
  /// The column of the samples that have its view.
  [[nodiscard]] Vector raw_column(Index j) const;
  /// The same without the zeros of a sparse column.
  [[nodiscard]] ColumnValues column_values(Index j) const;
  /// Whether a sparse column, which is then not looked at, is 0 for more than one sample.
  [[nodiscard]] bool has_equal_zeros(Index j) const {
    const Index place = places_[to_size(j)];
    return sparse_ && present(j) == nullptr &&
           (place == no_column || length(by_column_.values_of(place)) + 1 < samples_);
  }
  /// These samples; null: all.
  [[nodiscard]] const PresentSamples* present(Index j) const { return present_[to_size(j)].get(); }
  /// The scaled values of raw_column(), for kernels that allow negative values.
  [[nodiscard]] Vector scaled_column(Index j) const;

  /// Columns without a value among these samples.
  [[nodiscard]] const std::vector<std::string>& without_values() const { return without_values_; }
  /// Whether column j told nothing in training: it has the same value for every sample, 0 or, in a
  /// view that is not scaled, the value of the training samples.
  [[nodiscard]] bool is_silent(Index j) const { return scaling_.divisor[to_size(j)] == 0.0; }

  [[nodiscard]] bool is_sparse() const { return sparse_ != nullptr; }
  /// The values as they were given at these samples and columns names()[j].
  [[nodiscard]] SparseMatrix sparse_at(std::span<const Index> samples,
                                       const std::vector<Index>& columns) const;

  /// Memory of the copies.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// The columns of a kernel: raw for functions of nonnegative values, otherwise scaled; times the
  /// root of their weight in a product, without those of weight 0.
  /// \param present  the samples that have its view, which are the rows; null: all
  /// \throws DataError naming a column with a missing value, or with a negative one that the
  /// function does not allow
  [[nodiscard]] FeatureRows of(const KernelDescription& kernel,
                               const PresentSamples* present = nullptr) {
    return of(kernel, is_sparse(), present);
  }
  /// The same, sparse or dense as `sparse` says.
  [[nodiscard]] FeatureRows of(const KernelDescription& kernel, bool sparse,
                               const PresentSamples* present = nullptr);

 private:
  [[nodiscard]] static FeatureColumns of_table(const Table& table, std::vector<std::string> names,
                                               Scaling scaling);
  /// Whether scaling changes none of the columns; sparse rows subtract the values of silent ones.
  [[nodiscard]] bool keeps(const std::vector<std::string>& columns, bool sparse) const;
  /// The numbers of the table itself, if nothing changes these columns and they are side by side.
  [[nodiscard]] std::optional<ConstMatrix> as_given(const std::vector<Index>& own) const;
  [[nodiscard]] ConstMatrix gather(const std::vector<std::string>& columns, bool is_scaled,
                                   const PresentSamples* present);
  [[nodiscard]] ConstMatrix weighted(const KernelDescription& kernel,
                                     const PresentSamples* present);
  [[nodiscard]] FeatureRows gather_sparse(const std::vector<std::string>& columns, bool is_scaled,
                                          const PresentSamples* present);
  [[nodiscard]] Vector given_column(Index j) const;
  /// A value in place of a missing one, and the same for all samples in a column without
  /// information.
  [[nodiscard]] double filled(Index j, double given) const;
  [[nodiscard]] double scaled(Index i, Index j) const { return scaled(i, j, raw(i, j)); }
  /// \param i for messages
  [[nodiscard]] double scaled(Index i, Index j, double raw) const;
  /// Whether all samples have the value of a silent column as it was given.
  [[nodiscard]] bool is_silent_as_given(Index j) const;
  [[nodiscard]] SparseMatrix with_silent_values(const SparseMatrix& chosen,
                                                const std::vector<Index>& own) const;
  void require_finite() const;
  [[noreturn]] void refuse_value(Index i, Index j, double value) const;
  /// \param of_words  indicators, whose medians are 0 or 1
  void fit_fill(MissingRule rule, ConstSpan weights, const std::vector<Indicators>& of_words);
  void fit_indicators(const std::vector<Indicators>& indicators,
                      const std::vector<ScaledView>& views, ConstSpan weights);
  /// Statistics of the columns of a view that earlier views scale.
  [[nodiscard]] std::vector<ColumnStatistics> statistics_of_others(
      const ScaledView& view, const std::vector<View>& whole,
      const std::vector<Indicators>& indicators, ConstSpan weights) const;
  void require_nonnegative(const KernelDescription& kernel, const FeatureRows& values,
                           const PresentSamples* present) const;
  [[noreturn]] void refuse_negative(const KernelDescription& kernel, Index sample, Index column,
                                    double value) const;

  std::vector<std::string> names_;
  std::map<std::string, Index> position_;
  Index samples_ = 0;
  Index before_ = 0;     ///< Table::before
  ConstMatrix numbers_;  ///< empty if the numbers are sparse
  std::shared_ptr<const SparseMatrix> sparse_;
  SparseMatrix by_column_;     ///< sparse_ transposed
  std::vector<Index> places_;  ///< of each column in numbers_, or no_column
  Scaling scaling_;
  std::string source_;
  std::vector<PresentSamplesPtr> present_;  ///< the samples that have the view of each column
  bool may_lack_ = false;                   ///< some samples lack a view
  /// By scaled, sparse, the samples, the columns and their weights in a product.
  using Read = std::tuple<bool, bool, const PresentSamples*, std::vector<std::string>, Vector>;
  std::map<Read, FeatureRows> cache_;
  std::size_t bytes_ = 0;
  std::vector<std::string> without_values_;
};

}  // namespace kernmix
