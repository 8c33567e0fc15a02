#pragma once
/// \file
/// Scaling of the columns of one view, fitted to training samples.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernmix/data.hpp"

namespace kernmix {

/// A view with fewer columns is treated as a table of measurements.
inline constexpr std::size_t kFewestColumns = 16;
/// Share of zeros from which on a view is sparse.
inline constexpr double kSparse = 0.8;

/// Statistics of a column for the choice of a rule.
struct ColumnStatistics {
  double least = 0.0;
  double most = 0.0;
  double mean = 0.0;       ///< exactly the value of a constant column
  double deviation = 0.0;  ///< sqrt(mean (x - mean)^2)
  double zeros = 0.0;      ///< weighted share of the samples
  [[nodiscard]] bool constant() const { return least == most; }
};
/// \param x a value for each sample; \param weights sample weights; {}: all 1
[[nodiscard]] ColumnStatistics statistics_of(ConstSpan x, ConstSpan weights = {});

/// The rule that `automatic` selects for a view (docs/reference/scaling.md): `root`,
/// `standard_root`, `common` or `standard`. \param row_sums of each sample
[[nodiscard]] ScalingRule rule_for(std::span<const ColumnStatistics> columns, ConstSpan row_sums);

/// The values of a column at the training samples; those of a sparse one without its zeros.
struct ColumnValues {
  Vector values;
  std::vector<Index> rows = {};  ///< of a sparse column: the samples of `values`, ascending
  Index samples = 0;             ///< of a sparse column, else 0
};
/// Column j of a view.
using TrainingColumn = std::function<ColumnValues(Index j)>;

struct FittedView {
  ScalingRule rule = ScalingRule::none;  ///< the rule in use
  Vector offset;
  Vector divisor;
};
/// \param names of the columns, for messages; \param weights of the samples; {}: all 1
/// \throws DataError naming a column whose values are too large or negative
[[nodiscard]] FittedView fit_view(ScalingRule rule, const std::vector<std::string>& names,
                                  const TrainingColumn& column, ConstSpan weights = {});

/// The common divisor of the indicators of one column, so that the column counts as one of numbers:
/// its variance becomes 1, with `minmax` the squared distance of two words, and with `none` it
/// is 1. \param columns of the training samples, one for each indicator
[[nodiscard]] double divisor_of_indicators(ScalingRule rule,
                                           std::span<const ColumnStatistics> columns);

}  // namespace kernmix
