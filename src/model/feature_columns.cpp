#include "model/feature_columns.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/samples.hpp"
#include "data/column_places.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

bool reads_nonnegative(const KernelFunction& function) {
  for (const KernelFunctionInfo& info : kernel_functions()) {
    if (info.name == function.name) return info.input == KernelInput::nonnegative;
  }
  return false;
}

FeatureColumns::FeatureColumns(ConstMatrix numbers, std::vector<std::string> names, Scaling scaling,
                               std::string source)
    : names_(std::move(names)),
      numbers_(std::move(numbers)),
      places_(index_range(0, length(names_))),
      scaling_(std::move(scaling)),
      source_(std::move(source)) {
  for (Index j = 0; j < length(names_); ++j) position_[names_[to_size(j)]] = j;
}

FeatureColumns::FeatureColumns(const Table& table, std::vector<std::string> names, Scaling scaling)
    : FeatureColumns(table.numbers(), std::move(names), std::move(scaling), table.source) {
  places_ = column_places(table, names_);
  require_finite();
}

FeatureColumns FeatureColumns::fit(const Table& table, std::vector<std::string> names,
                                   ScalingRule rule) {
  FeatureColumns columns(table, std::move(names), {rule, {}, {}});
  for (Index j = 0; j < length(columns.names_); ++j) {
    columns.scaling_.add_column(columns.raw_column(j));
  }
  return columns;
}

double FeatureColumns::raw(Index i, Index j) const {
  const Index place = places_[to_size(j)];
  return place == no_column ? 0.0 : numbers_(i, place);
}

Vector FeatureColumns::raw_row(Index i) const {
  Vector row(names_.size());
  for (Index j = 0; j < length(row); ++j) row[to_size(j)] = raw(i, j);
  return row;
}

Vector FeatureColumns::raw_column(Index j) const {
  Vector column(to_size(numbers_.rows));
  for (Index i = 0; i < length(column); ++i) column[to_size(i)] = raw(i, j);
  return column;
}

ConstMatrix FeatureColumns::of(const KernelDescription& kernel) {
  const bool nonnegative = reads_nonnegative(kernel.function);
  const bool scaled = !nonnegative && scaling_.rule != ScalingRule::none;
  const auto [entry, is_new] = cache_.try_emplace({scaled, kernel.columns});
  if (is_new) entry->second = gather(kernel.columns, scaled);
  if (nonnegative) require_nonnegative(kernel, entry->second);
  return entry->second;
}

ConstMatrix FeatureColumns::gather(const std::vector<std::string>& columns, bool scaled) {
  std::vector<Index> own;
  std::vector<Index> places;
  for (const std::string& column : columns) {
    own.push_back(position_.at(column));
    places.push_back(places_[to_size(own.back())]);
  }
  const bool in_place = !scaled && !places.empty() && places.front() != no_column;
  if (in_place && consecutive(places)) return numbers_.columns(places.front(), length(places));
  Matrix chosen(numbers_.rows, length(columns));
  for (Index i = 0; i < chosen.rows; ++i) {
    for (Index c = 0; c < chosen.cols; ++c) {
      const Index j = own[to_size(c)];
      chosen(i, c) = scaled ? scaling_.at(j, raw(i, j)) : raw(i, j);
    }
  }
  bytes_ += chosen.values.size() * sizeof(double);
  return chosen;
}

void FeatureColumns::require_finite() const {
  for (Index i = 0; i < numbers_.rows; ++i) {
    for (Index j = 0; j < length(names_); ++j) {
      if (std::isfinite(raw(i, j))) continue;
      throw DataError(fmt::format(
          "{}: column '{}' of sample {} is {}; fill such values in, or leave the samples out",
          source_, names_[to_size(j)], i + 1, raw(i, j)));
    }
  }
}

void FeatureColumns::require_nonnegative(const KernelDescription& kernel,
                                         const ConstMatrix& values) const {
  for (Index i = 0; i < values.rows; ++i) {
    for (Index j = 0; j < values.cols; ++j) {
      if (values(i, j) >= 0.0) continue;
      throw DataError(fmt::format(
          "{}: kernel {} needs values >= 0, column '{}' of sample {} is {}; use another kernel or "
          "other columns",
          source_, kernel.name(), kernel.columns[to_size(j)], i + 1, values(i, j)));
    }
  }
}

}  // namespace kernmix
