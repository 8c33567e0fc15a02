// The choice of `automatic`: square roots for sparse views and for parts of a whole, and a common
// divisor if all columns have the same unit.

#include <algorithm>
#include <cmath>

#include "data/scaling/scaling_fit.hpp"

namespace kernmix {
namespace {

constexpr double kLargestShare = 0.5;      ///< of the squared ranges, that two columns may have
constexpr double kSumsAlike = 0.01;        ///< of the rows, in relation to the largest
constexpr double kAlike = 6.0;             ///< between ranges at the ends of the middle 80 %
constexpr double kNeighboursAlike = 1.25;  ///< between ranges of neighbours, geometric mean

/// Ranges of the columns that are not constant, in their order.
Vector ranges_of(std::span<const ColumnStatistics> columns) {
  Vector ranges;
  for (const ColumnStatistics& column : columns) {
    if (!column.constant()) ranges.push_back(column.most - column.least);
  }
  return ranges;
}

/// Whether one or two columns would dominate unscaled distances.
bool dominated(ConstSpan ranges) {
  const double largest = *std::ranges::max_element(ranges);
  Vector squares;
  for (const double range : ranges) squares.push_back((range / largest) * (range / largest));
  std::ranges::sort(squares);
  double others = 0.0;
  for (std::size_t j = 0; j + 2 < squares.size(); ++j) others += squares[j];
  const double two = squares.back() + squares[squares.size() - 2];
  return two > kLargestShare * (two + others);
}

/// Constant columns count only under the rules of version 0.1, which know no rounding.
bool mostly_zeros(std::span<const ColumnStatistics> columns) {
  double zeros = 0.0;
  double count = 0.0;
  for (const ColumnStatistics& column : columns) {
    if (column.constant() && column.rounding > 0.0) continue;
    zeros += column.zeros;
    count += 1.0;
  }
  return zeros >= kSparse * count;
}

/// Rows of histograms and of compositional data have the same sum.
bool are_parts(ConstSpan row_sums) {
  const auto [least, most] = std::ranges::minmax(row_sums);
  return most - least <= kSumsAlike * most;
}

/// Ranges of pixels, histograms and frequencies differ little.
bool all_alike(ConstSpan ranges) {
  Vector sorted(ranges.begin(), ranges.end());
  std::ranges::sort(sorted);
  const std::size_t tenth = sorted.size() / 10;
  return sorted[sorted.size() - 1 - tenth] <= kAlike * sorted[tenth];
}

/// Ranges of a spectrum change slowly from one column to the next, and may change much in all.
bool neighbours_alike(ConstSpan ranges) {
  double logarithms = 0.0;
  for (std::size_t j = 1; j < ranges.size(); ++j) {
    logarithms += std::abs(std::log(ranges[j] / ranges[j - 1]));
  }
  return logarithms <= std::log(kNeighboursAlike) * static_cast<double>(ranges.size() - 1);
}

}  // namespace

ScalingRule rule_for(std::span<const ColumnStatistics> columns, ConstSpan row_sums) {
  const auto negative = [](const ColumnStatistics& column) { return column.least < 0.0; };
  const Vector ranges = ranges_of(columns);
  if (ranges.size() < kFewestColumns || std::ranges::any_of(columns, negative) ||
      dominated(ranges)) {
    return ScalingRule::standard;
  }
  if (mostly_zeros(columns)) return ScalingRule::root;
  if (are_parts(row_sums)) return ScalingRule::standard_root;
  return all_alike(ranges) || neighbours_alike(ranges) ? ScalingRule::common
                                                       : ScalingRule::standard;
}

}  // namespace kernmix
