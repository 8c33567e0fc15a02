#pragma once
/// \file
/// Scaling of the columns of one view, fitted to training samples.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernmix/data.hpp"

namespace kernmix {

/// A view of fewer columns is a table of measurements, whatever its numbers are.
inline constexpr std::size_t kFewestColumns = 16;
/// Share of zeros from which on a view is sparse.
inline constexpr double kSparse = 0.8;

/// What the rules learn of a column.
struct ColumnStatistics {
  double least = 0.0;
  double most = 0.0;
  double mean = 0.0;       ///< of a constant column its value, to the last bit
  double deviation = 0.0;  ///< sqrt(mean (x - mean)^2)
  double zeros = 0.0;      ///< share of the samples, each as often as it counts
  [[nodiscard]] bool constant() const { return least == most; }
};
/// \param x  a value for each sample;  \param weights  how often each sample counts; {}: once
[[nodiscard]] ColumnStatistics statistics_of(ConstSpan x, ConstSpan weights = {});

/// What `automatic` takes for the columns of a view (docs/reference/scaling.md): `root`,
/// `standard_root`, `common` or `standard`. \param row_sums  of each sample
[[nodiscard]] ScalingRule rule_for(std::span<const ColumnStatistics> columns, ConstSpan row_sums);

/// The training values of column j of a view.
using TrainingColumn = std::function<Vector(Index j)>;

struct FittedView {
  ScalingRule rule = ScalingRule::none;  ///< that was taken
  Vector offset;
  Vector divisor;
};
/// \param names  of the columns, for messages;  \param weights  of the samples; {}: all alike
/// \throws DataError naming the column whose values are too large, or has no root
[[nodiscard]] FittedView fit_view(ScalingRule rule, const std::vector<std::string>& names,
                                  const TrainingColumn& column, ConstSpan weights = {});

}  // namespace kernmix
