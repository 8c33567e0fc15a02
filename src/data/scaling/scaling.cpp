#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/mean.hpp"
#include "base/samples.hpp"
#include "base/shape.hpp"
#include "data/scaling/scaling_fit.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// sqrt(mean (x - center)^2), relative to the largest deviation to avoid overflow and underflow.
double deviation(ConstSpan x, double center, ConstSpan weights = {}) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value - center));
  if (largest == 0.0) return 0.0;
  Vector squares;
  for (const double value : x) {
    const double relative = (value - center) / largest;
    squares.push_back(relative * relative);
  }
  return largest * std::sqrt(mean_of_values(squares, weights));
}

double share_of_zeros(ConstSpan x, ConstSpan weights) {
  Vector is_zero;
  for (const double value : x) is_zero.push_back(value == 0.0 ? 1.0 : 0.0);
  return mean_of_values(is_zero, weights);
}

void add_to_rows(const ColumnValues& column, Vector& row_sums) {
  const bool sparse = column.samples > 0;
  row_sums.resize(sparse ? to_size(column.samples) : column.values.size(), 0.0);
  for (std::size_t k = 0; k < column.values.size(); ++k) {
    row_sums[sparse ? to_size(column.rows[k]) : k] += column.values[k];
  }
}

/// \param row_sums  of the columns that are not constant, unless null
std::vector<ColumnStatistics> all_statistics(Index count, const TrainingColumn& column,
                                             const ViewFit& fit, Vector* row_sums = nullptr) {
  std::vector<ColumnStatistics> columns;
  for (Index j = 0; j < count; ++j) {
    const ColumnValues x = column(j);
    columns.push_back(statistics_of_values(x, fit.weights, fit.rules));
    const bool counts = !columns.back().constant() || fit.rules == FittingRules::of_version_0_1;
    if (row_sums != nullptr && counts) add_to_rows(x, *row_sums);
  }
  return columns;
}

/// \throws DataError naming a column with a negative value
TrainingColumn roots_of(const std::vector<std::string>& names, const TrainingColumn& column) {
  return [&names, &column](Index j) {
    ColumnValues x = column(j);
    for (double& value : x.values) {
      if (value < 0.0) {
        throw DataError(
            fmt::format("column {} has the value {}, which has no square root; choose a scaling "
                        "rule other than sqrt for its view",
                        names[to_size(j)], value));
      }
      value = std::sqrt(value);
    }
    return x;
  };
}

/// The root of the mean variance of the columns that are not constant; 1 without any.
double common_divisor(const std::vector<ColumnStatistics>& columns, const ViewFit& fit) {
  Vector deviations;
  const auto add = [&](const ColumnStatistics& column) {
    if (!column.constant()) deviations.push_back(column.deviation);
  };
  if (fit.rules == FittingRules::of_version_0_1) {
    for (const ColumnStatistics& column : columns) deviations.push_back(column.deviation);
  } else {
    std::ranges::for_each(columns, add);
    std::ranges::for_each(fit.earlier, add);
  }
  const double divisor = deviations.empty() ? 0.0 : deviation(deviations, 0.0);
  return divisor == 0.0 ? 1.0 : divisor;
}

double offset_of(ScalingRule rule, const ColumnStatistics& column) {
  if (rule == ScalingRule::root) return 0.0;
  return rule == ScalingRule::minmax ? column.least : column.mean;
}

double divisor_of(ScalingRule rule, const ColumnStatistics& column, double common) {
  if (rule == ScalingRule::root) return 1.0;
  if (rule == ScalingRule::common) return common;
  if (column.constant()) return 1.0;
  return rule == ScalingRule::minmax ? column.most - column.least : column.deviation;
}

/// Offset and divisor of each column, under a rule other than `none`.
void fit_columns(const std::vector<ColumnStatistics>& columns, const ViewFit& fit,
                 FittedView& view) {
  const double common = common_divisor(columns, fit);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].constant() && fit.rules == FittingRules::present) {
      view.divisor[j] = 0.0;  // tells nothing about new samples
      continue;
    }
    view.offset[j] = offset_of(view.rule, columns[j]);
    view.divisor[j] = divisor_of(view.rule, columns[j], common);
  }
}

/// Constant columns keep their value.
void keep_constants(const std::vector<ColumnStatistics>& columns, FittedView& view) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!columns[j].constant()) continue;
    view.offset[j] = columns[j].mean;
    view.divisor[j] = 0.0;
  }
}

}  // namespace

ColumnStatistics statistics_of(ConstSpan x, ConstSpan weights, FittingRules rules) {
  ColumnStatistics column;
  if (rules == FittingRules::of_version_0_1) column.rounding = 0.0;
  if (x.empty()) return column;
  const auto [least, most] = std::ranges::minmax(x);
  column.least = least;
  column.most = most;
  column.zeros = share_of_zeros(x, weights);
  column.mean = column.constant() ? least : mean_of_values(x, weights);
  if (!column.constant()) column.deviation = deviation(x, column.mean, weights);
  return column;
}

ColumnStatistics statistics_of_values(ColumnValues column, ConstSpan weights, FittingRules rules) {
  const Index zeros = column.samples - length(column.values);
  if (column.samples == 0 || zeros == 0) return statistics_of(column.values, weights, rules);
  Vector counts;
  for (const Index i : column.rows) counts.push_back(weight_at(weights, to_size(i)));
  const double all = weights.empty() ? static_cast<double>(column.samples) : sum_in_order(weights);
  counts.push_back(all - std::accumulate(counts.begin(), counts.end(), 0.0));
  column.values.push_back(0.0);
  return statistics_of(column.values, counts, rules);
}

FittedView fit_view(ScalingRule rule, const std::vector<std::string>& names,
                    const TrainingColumn& column, const ViewFit& fit) {
  FittedView view{rule, Vector(names.size(), 0.0), Vector(names.size(), 1.0)};
  const bool keeps_all = rule == ScalingRule::none && fit.rules == FittingRules::of_version_0_1;
  if (keeps_all) return view;
  Vector row_sums;
  const bool automatic = rule == ScalingRule::automatic;
  std::vector<ColumnStatistics> columns =
      all_statistics(length(names), column, fit, automatic ? &row_sums : nullptr);
  if (automatic) view.rule = rule_for(columns, row_sums);
  if (view.rule == ScalingRule::none) {
    keep_constants(columns, view);
    return view;
  }
  if (takes_roots(view.rule)) columns = all_statistics(length(names), roots_of(names, column), fit);
  fit_columns(columns, fit, view);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (std::isfinite(view.offset[j]) && std::isfinite(view.divisor[j])) continue;
    throw DataError(
        fmt::format("column {}: values from {} to {} are too large to be scaled; write them in a "
                    "larger unit",
                    names[j], columns[j].least, columns[j].most));
  }
  return view;
}

double divisor_of_indicators(ScalingRule rule, std::span<const ColumnStatistics> columns) {
  if (rule == ScalingRule::none) return 1.0;
  if (rule == ScalingRule::minmax) return columns.size() == 1 ? 1.0 : std::sqrt(2.0);
  double variance = 0.0;
  for (const ColumnStatistics& column : columns) variance += column.deviation * column.deviation;
  return std::sqrt(variance);
}

Scaling Scaling::fit(ScalingRule rule, const ConstMatrix& training, ConstSpan weights) {
  require_shape("the columns to scale", training);
  std::vector<std::string> names;
  for (Index j = 0; j < training.cols; ++j) names.push_back(std::to_string(j + 1));
  const auto column = [&](Index j) { return ColumnValues{column_of(training, j)}; };
  if (rule == ScalingRule::none) {
    return {
        Vector(names.size(), 0.0), Vector(names.size(), 1.0), std::vector<bool>(names.size()), {}};
  }
  FittedView view = fit_view(rule, names, column, {.weights = weights});
  std::vector<bool> root(names.size(), takes_roots(view.rule));
  return {std::move(view.offset), std::move(view.divisor), std::move(root), {}};
}

Matrix Scaling::apply(const ConstMatrix& raw) const {
  require_shape("the columns to scale", raw);
  if (raw.cols != length(offset)) {
    throw ParameterError(fmt::format("the scaling was fitted on {} columns, the data has {}",
                                     offset.size(), raw.cols));
  }
  Matrix scaled(raw.rows, raw.cols);
  for (Index i = 0; i < raw.rows; ++i) {
    const ConstSpan x = raw.row(i);
    const MutableSpan row = scaled.row(i);
    for (Index j = 0; j < raw.cols; ++j) row[to_size(j)] = at(j, x[to_size(j)]);
  }
  return scaled;
}

}  // namespace kernmix
