#pragma once
/// \file
/// Scaling of the columns of one view, fitted to training samples.

#include <algorithm>
#include <cmath>
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

/// Range of a column, relative to its largest value, up to which it is constant but for rounding.
inline constexpr double kRoundingOfColumn = 1e-13;

/// Which rules a fit follows: the present ones, or those of kernmix 0.1, with which models of that
/// version are verified. There a column was constant only if all its values were equal, and the
/// divisor of a constant column was 1 (with `common` that of the view), so that new samples with
/// another value had it in its own unit; the divisor of `common` counted constant columns and left
/// out columns of earlier views; medians of indicators could be 0.5.
enum class FittingRules { present, of_version_0_1 };

/// Statistics of a column for the choice of a rule.
struct ColumnStatistics {
  double least = 0.0;
  double most = 0.0;
  double mean = 0.0;       ///< exactly the value of a constant column
  double deviation = 0.0;  ///< sqrt(mean (x - mean)^2)
  double zeros = 0.0;      ///< weighted share of the samples
  double rounding = kRoundingOfColumn;
  [[nodiscard]] bool constant() const {
    return least == most || most - least <= rounding * std::max(std::abs(least), std::abs(most));
  }
};
/// \param x a value for each sample; \param weights sample weights; {}: all 1
[[nodiscard]] ColumnStatistics statistics_of(ConstSpan x, ConstSpan weights = {},
                                             FittingRules rules = FittingRules::present);

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

/// Statistics of column_values(), of all zeros as one value of their total weight.
[[nodiscard]] ColumnStatistics statistics_of_values(ColumnValues column, ConstSpan weights,
                                                    FittingRules rules = FittingRules::present);

struct FittedView {
  ScalingRule rule = ScalingRule::none;  ///< the rule in use
  Vector offset;
  Vector divisor;  ///< 0 for a constant column, which has the value `offset` for every sample
};
/// Inputs of fit_view() besides the columns.
struct ViewFit {
  ConstSpan weights = {};                          ///< of the samples; {}: all 1
  std::span<const ColumnStatistics> earlier = {};  ///< columns of the view that an earlier view has
  FittingRules rules = FittingRules::present;
};
/// \param names of the columns, for messages
/// \throws DataError naming a column whose values are too large or negative
[[nodiscard]] FittedView fit_view(ScalingRule rule, const std::vector<std::string>& names,
                                  const TrainingColumn& column, const ViewFit& fit);

/// The common divisor of the indicators of one column, so that the column counts as one of numbers:
/// its variance becomes 1, with `minmax` the squared distance of two words, and with `none` it
/// is 1. \param columns of the training samples, one for each indicator
[[nodiscard]] double divisor_of_indicators(ScalingRule rule,
                                           std::span<const ColumnStatistics> columns);

}  // namespace kernmix
