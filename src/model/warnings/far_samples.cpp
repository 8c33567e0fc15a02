// In the scaled columns of a view of D columns, with the centre c (0 where scaling moves means to
// 0, 1/2 of `minmax`, otherwise the mean of the support vectors), a sample x is far away if
//
// |x - c| > max(2 max_s |x_s - c|, least), over the support vectors x_s, where `least` is
//
// standard          max(4 sqrt(D), min(sqrt(n - 1), 100)): none of n numbers is more than sqrt(n -
// 1)
//                   standard deviations from their mean
// common            4 sqrt(D)                       minmax  sqrt(D)
// none, sqrt        0, with at least ten support vectors

#include "kernmix/far_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "data/column_places.hpp"

namespace kernmix {
namespace {

constexpr double kSomeSamples = 0.02;
constexpr Index kFewestSupport = 10;

bool is_centred(ScalingRule rule) {
  return rule == ScalingRule::standard || rule == ScalingRule::standard_root ||
         rule == ScalingRule::common;
}

double least_distance(ScalingRule rule, std::size_t columns, Index samples) {
  constexpr double most_deviations = 100.0;
  const double root = std::sqrt(static_cast<double>(columns));
  if (rule == ScalingRule::minmax) return root;
  if (rule == ScalingRule::common) return 4.0 * root;
  if (!is_centred(rule)) return 0.0;
  const double deviations = std::sqrt(static_cast<double>(std::max<Index>(samples - 1, 1)));
  return std::max(4.0 * root, std::min(deviations, most_deviations));
}

}  // namespace

FarSamples::FarSamples(const Model& model) : model_(model) {
  if (model.target == Target::none) return;  // to be far away is what a novelty detector tells
  if (model.sparse_support.rows > 0 || model.support.empty()) return;
  for (const ScaledView& view : model.views) add_view(view);
}

double FarSamples::scaled(Index j, double raw) const {
  if (model_.scaling.root[to_size(j)] && raw < 0.0) return missing_cell;
  return model_.scaling.at(j, raw);
}

void FarSamples::add_view(const ScaledView& view) {
  ScaledColumns own;
  for (Index j = 0; j < length(model_.columns); ++j) {
    const bool silent = model_.scaling.divisor[to_size(j)] == 0.0;
    const std::string& name = model_.columns[to_size(j)];
    if (!silent && std::ranges::find(view.columns, name) != view.columns.end()) {
      own.columns.push_back(j);
    }
  }
  const Matrix& support = model_.support_values;
  const bool centred = is_centred(view.rule);
  const bool known = centred || view.rule == ScalingRule::minmax;
  if (own.columns.empty() || (!known && support.rows < kFewestSupport)) return;
  for (const Index j : own.columns) {
    double sum = 0.0;
    double count = 0.0;
    for (Index s = 0; s < support.rows; ++s) {
      const double value = scaled(j, support(s, j));
      if (std::isnan(value)) continue;
      sum += value;
      count += 1.0;
    }
    const double mean = count > 0.0 ? sum / count : 0.0;
    own.centre.push_back(centred ? 0.0 : view.rule == ScalingRule::minmax ? 0.5 : mean);
  }
  double farthest = 0.0;
  for (Index s = 0; s < support.rows; ++s) {
    double square = 0.0;
    for (std::size_t c = 0; c < own.columns.size(); ++c) {
      const Index j = own.columns[c];
      const double away = scaled(j, support(s, j)) - own.centre[c];
      if (!std::isnan(away)) square += away * away;
    }
    farthest = std::max(farthest, std::sqrt(square));
  }
  own.farthest = std::max(2.0 * farthest,
                          least_distance(view.rule, own.columns.size(), model_.training_samples));
  if (own.farthest > 0.0) views_.push_back(std::move(own));
}

std::optional<Index> FarSamples::far_column(const ScaledColumns& view, ConstSpan row) const {
  double square = 0.0;
  double most = -1.0;
  Index column = 0;
  for (std::size_t c = 0; c < view.columns.size(); ++c) {
    const Index j = view.columns[c];
    const double away = std::abs(scaled(j, row[to_size(j)]) - view.centre[c]);
    if (std::isnan(away)) continue;
    square += away * away;
    if (away > most) column = j;
    most = std::max(most, away);
  }
  if (!(std::sqrt(square) > view.farthest)) return std::nullopt;
  return column;
}

void FarSamples::add(const Table& table) {
  samples_ += table.samples();
  if (views_.empty() || table.sparse) return;
  const std::vector<Index> places = column_places(table, model_.columns);
  const ConstMatrix numbers = table.numbers();
  Vector row(model_.columns.size());
  for (Index i = 0; i < numbers.rows; ++i) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      row[j] = places[j] == no_column ? 0.0 : numbers(i, places[j]);
    }
    bool is_far = false;
    for (const ScaledColumns& view : views_) {
      const std::optional<Index> column = far_column(view, row);
      if (!column) continue;
      is_far = true;
      const double value = row[to_size(*column)];
      const auto [range, is_new] = far_.try_emplace(*column, Range{value, value, 0});
      range->second.least = std::min(range->second.least, value);
      range->second.most = std::max(range->second.most, value);
      ++range->second.samples;
    }
    far_samples_ += is_far ? 1 : 0;
  }
}

std::optional<Warning> FarSamples::warning() const {
  if (far_samples_ == 0 ||
      static_cast<double>(far_samples_) < kSomeSamples * static_cast<double>(samples_)) {
    return std::nullopt;
  }
  constexpr std::size_t shown = 3;
  std::vector<std::pair<Index, Range>> columns(far_.begin(), far_.end());
  std::ranges::stable_sort(columns, std::ranges::greater(),
                           [](const auto& own) { return own.second.samples; });
  std::vector<std::string> texts;
  for (const auto& [j, range] : columns) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (Index s = 0; s < model_.support_values.rows; ++s) {
      const double value = model_.support_values(s, j);
      if (std::isnan(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    texts.push_back(fmt::format("{} is {:g} to {:g}, and {:g} to {:g} among the support vectors",
                                in_quotes(model_.columns[to_size(j)]), range.least, range.most,
                                least, most));
  }
  const std::size_t more = texts.size() > shown ? texts.size() - shown : 0;
  texts.resize(texts.size() - more);
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : "; ") + text;
  if (more > 0) list += fmt::format("; and {} more columns", more);
  return Warning{
      "far-samples",
      fmt::format(
          "{} of {} samples lie far outside everything that training had, so their "
          "predictions are not trustworthy, and with kernels of distances all alike: {}. Is "
          "a column in another unit than in training?",
          far_samples_, samples_, list),
      {}};
}

}  // namespace kernmix
