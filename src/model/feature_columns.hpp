#pragma once
/// \file
/// Columns of some samples as kernels read them.

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernmix/data.hpp"
#include "kernmix/kernel.hpp"
#include "model/absence/presence.hpp"

namespace kernmix {

/// True for functions of nonnegative columns, which are not scaled.
[[nodiscard]] bool reads_nonnegative(const KernelFunction& function);

/// Those of `columns` that are no indicators.
[[nodiscard]] std::vector<std::string> columns_of_numbers(
    const std::vector<std::string>& columns, const std::vector<Indicators>& indicators);

/// Scaled or raw columns of the samples of a table or of a model, which must outlive this object.
/// Kernels on the same columns share one matrix: contiguous unscaled columns are views, others are
/// copied once.
class FeatureColumns {
 public:
  /// \param scaling  of `names`
  /// \param lacking  views that some of the samples may lack, whose columns are then NaN
  /// \throws DataError naming a missing column, or a column with a value that is not finite
  FeatureColumns(const Table& table, std::vector<std::string> names, Scaling scaling,
                 const std::vector<View>& lacking = {});
  /// \param numbers  samples x |names|;  \param source  for messages
  FeatureColumns(ConstMatrix numbers, std::vector<std::string> names, Scaling scaling,
                 std::string source);
  /// The columns of `views` with fitted scaling, and with `missing` other than `refuse` the numbers
  /// that take the place of missing cells; stores the selected rules in `views`.
  /// \param weights of the samples; {}: all 1
  /// \param presences  views that some samples lack; their columns are fitted to the others
  [[nodiscard]] static FeatureColumns fit(const Table& table, std::vector<std::string> names,
                                          std::vector<ScaledView>& views, ConstSpan weights = {},
                                          MissingRule missing = MissingRule::refuse,
                                          const Presences& presences = {});

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const Scaling& scaling() const { return scaling_; }
  /// The index in names(). \throws std::out_of_range
  [[nodiscard]] Index place(const std::string& column) const { return position_.at(column); }

  /// The unscaled value of sample i in column names()[j], as it was given; NaN if it is missing.
  [[nodiscard]] double given(Index i, Index j) const;
  [[nodiscard]] Vector given_row(Index i) const;
  /// The same; a missing one is filled in, and columns that told nothing in training are 0.
  [[nodiscard]] double raw(Index i, Index j) const;
  /// The column of the samples that have its view.
  [[nodiscard]] Vector raw_column(Index j) const;
  /// These samples; null: all.
  [[nodiscard]] const PresentSamples* present(Index j) const { return present_[to_size(j)].get(); }
  /// The scaled values of raw_column(), for kernels that allow negative values.
  [[nodiscard]] Vector scaled_column(Index j) const;

  /// Columns without a value among these samples.
  [[nodiscard]] const std::vector<std::string>& without_values() const { return without_values_; }

  /// Memory of the copies.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// The columns of a kernel: raw for functions of nonnegative values, otherwise scaled.
  /// \param present  the samples that have its view, which are the rows; null: all
  /// \throws DataError naming a column with a missing value, or with a negative one that the
  /// function does not allow
  [[nodiscard]] ConstMatrix of(const KernelDescription& kernel,
                               const PresentSamples* present = nullptr);

 private:
  [[nodiscard]] bool keeps(const std::vector<std::string>& columns) const;
  [[nodiscard]] ConstMatrix gather(const std::vector<std::string>& columns, bool is_scaled,
                                   const PresentSamples* present);
  [[nodiscard]] double scaled(Index i, Index j) const;
  void require_finite() const;
  [[noreturn]] void refuse_value(Index i, Index j, double value) const;
  void fit_fill(MissingRule rule, ConstSpan weights);
  void fit_indicators(const std::vector<Indicators>& indicators,
                      const std::vector<ScaledView>& views, ConstSpan weights);
  void require_nonnegative(const KernelDescription& kernel, const ConstMatrix& values,
                           const PresentSamples* present) const;

  std::vector<std::string> names_;
  std::map<std::string, Index> position_;
  ConstMatrix numbers_;
  std::vector<Index> places_;  ///< of each column in numbers_, or no_column
  Scaling scaling_;
  std::string source_;
  std::vector<PresentSamplesPtr> present_;  ///< the samples that have the view of each column
  bool may_lack_ = false;                   ///< some samples lack a view
  using Read = std::tuple<bool, const PresentSamples*, std::vector<std::string>>;
  std::map<Read, ConstMatrix> cache_;
  std::size_t bytes_ = 0;
  std::vector<std::string> without_values_;
};

}  // namespace kernmix
