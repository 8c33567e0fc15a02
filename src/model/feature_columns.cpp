#include "model/feature_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/samples.hpp"
#include "data/column_places.hpp"
#include "data/scaling/scaling_fit.hpp"
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
                                   std::vector<ScaledView>& views, ConstSpan weights) {
  const std::size_t count = names.size();
  FeatureColumns columns(table, std::move(names),
                         {Vector(count, 0.0), Vector(count, 1.0), std::vector<bool>(count)});
  Scaling& scaling = columns.scaling_;
  for (ScaledView& view : views) {
    const auto place = [&](Index j) { return columns.place(view.columns[to_size(j)]); };
    const auto column = [&](Index j) { return columns.raw_column(place(j)); };
    const FittedView fitted = fit_view(view.rule, view.columns, column, weights);
    view.rule = fitted.rule;
    for (Index j = 0; j < length(view.columns); ++j) {
      scaling.offset[to_size(place(j))] = fitted.offset[to_size(j)];
      scaling.divisor[to_size(place(j))] = fitted.divisor[to_size(j)];
      scaling.root[to_size(place(j))] = takes_roots(fitted.rule);
    }
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

Vector FeatureColumns::scaled_column(Index j) const {
  Vector column(to_size(numbers_.rows));
  for (Index i = 0; i < length(column); ++i) column[to_size(i)] = scaled(i, j);
  return column;
}

ConstMatrix FeatureColumns::of(const KernelDescription& kernel) {
  const bool nonnegative = reads_nonnegative(kernel.function);
  const bool scaled = !nonnegative && !keeps(kernel.columns);
  const auto [entry, is_new] = cache_.try_emplace({scaled, kernel.columns});
  if (is_new) entry->second = gather(kernel.columns, scaled);
  if (nonnegative) require_nonnegative(kernel, entry->second);
  return entry->second;
}

bool FeatureColumns::keeps(const std::vector<std::string>& columns) const {
  return std::ranges::all_of(
      columns, [&](const std::string& column) { return scaling_.keeps(position_.at(column)); });
}

double FeatureColumns::scaled(Index i, Index j) const {
  const double value = raw(i, j);
  if (scaling_.root[to_size(j)] && value < 0.0) {
    throw DataError(fmt::format(
        "{}: column '{}' of sample {} is {}, and the model reads its square root; such values were "
        "not in the training data",
        source_, names_[to_size(j)], i + 1, value));
  }
  return scaling_.at(j, value);
}

ConstMatrix FeatureColumns::gather(const std::vector<std::string>& columns, bool is_scaled) {
  std::vector<Index> own;
  std::vector<Index> places;
  for (const std::string& column : columns) {
    own.push_back(position_.at(column));
    places.push_back(places_[to_size(own.back())]);
  }
  const bool in_place = !is_scaled && !places.empty() && places.front() != no_column;
  if (in_place && consecutive(places)) return numbers_.columns(places.front(), length(places));
  Matrix chosen(numbers_.rows, length(columns));
  for (Index i = 0; i < chosen.rows; ++i) {
    for (Index c = 0; c < chosen.cols; ++c) {
      const Index j = own[to_size(c)];
      chosen(i, c) = is_scaled ? scaled(i, j) : raw(i, j);
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
