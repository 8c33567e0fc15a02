#include "study/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/samples.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"
#include "kernmix/explain.hpp"
#include "model/fits/part_fits.hpp"

namespace kernmix {
namespace {

constexpr std::size_t kMostNamed = 5;
constexpr std::size_t kFewestSharedColumns = 4;
constexpr Index kMostSamples = 200;
constexpr Index kFewestSamples = 20;
constexpr Index kFewestModels = 2;  ///< of parts of the samples
/// Samples x training samples x columns of kernels with weight x tasks.
constexpr double kEntries = 1e9;

using Shares = std::map<std::pair<std::string, std::string>, double>;  // by view and column

/// Number of samples that can be explained in about a second, or 0.
Index samples_for(const Model& model) {
  double columns = 0.0;
  for (const ModelKernel& kernel : model.kernels) {
    if (kernel.weight > 0.0) columns += static_cast<double>(kernel.description.columns.size());
  }
  const Index support = model.landmarks ? length(model.support) : model.training_samples;
  const double each = static_cast<double>(support) * std::max(columns, 1.0) *
                      static_cast<double>(model.tasks.size());
  const double samples = std::min(kEntries / each, static_cast<double>(kMostSamples));
  return samples < kFewestSamples ? 0 : static_cast<Index>(samples);
}

Shares shares_of(const Model& model, const Dataset& samples, const Context& context) {
  const Explanation found = explain(model, samples, context);
  std::map<Index, double> of_task;
  for (const FeatureEffect& effect : found.features) of_task[effect.task] += effect.importance;
  std::erase_if(of_task, [](const auto& one) { return one.second <= 0.0; });
  Shares shares;
  for (const FeatureEffect& effect : found.features) {
    double& share = shares[{effect.view, effect.feature}];
    const auto sum = of_task.find(effect.task);
    if (sum == of_task.end()) continue;
    share += effect.importance / sum->second / static_cast<double>(of_task.size());
  }
  return shares;
}

/// Shares on some test samples of a fold, or nothing if too few fit in the time.
std::optional<Shares> shares_on(const Model& model, const Dataset& data, const Fold& fold,
                                const Context& context) {
  Fold few{fold.train, {}};
  for (const Index i : spaced_samples(length(fold.test), samples_for(model))) {
    few.test.push_back(fold.test[to_size(i)]);
  }
  if (few.test.size() < 2) return std::nullopt;
  return shares_of(model, fold_data(data, few, context).test, context);
}

std::optional<Shares> shares_outside(const Dataset& data, const Candidate& winner,
                                     const Fold& outer, const Context& context) {
  const std::vector<std::string> labels = entries_at(data.table.labels, outer.train);
  const bool one_class = std::set<std::string>(labels.begin(), labels.end()).size() == 1;
  if (one_class || outer.test.size() < 2) return std::nullopt;
  PartFits fits(data, outer, "", context);
  const auto trained = fits.fit(without_cross_fits(winner.options), Purpose::only);
  if (!trained) throw ResourceError("time is up");
  return shares_on(trained->model, data, outer, context);
}

std::vector<ColumnShare> all_column_shares(const AutoResult& study, const Dataset& data,
                                           const Context& context) {
  const Model& model = study.trained.model;
  const std::vector<Index> all = index_range(0, model.training_samples);
  const auto whole = shares_on(model, data, {all, all}, context);
  if (!whole) return {};
  std::vector<ColumnShare> columns;
  for (const auto& [name, share] : *whole) {
    columns.push_back({name.first, name.second, share, share, share});
  }
  Index models = 0;
  const std::vector<Fold> parts =
      study.subsample ? study.folds.folds : outer_folds(study.nested_folds);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    stop_if_asked(context);
    const Candidate& winner = study.subsample
                                  ? study.winner()
                                  : study.candidates[to_size(study.nested.folds[k].candidate)];
    const auto shares = shares_outside(data, winner, parts[k], context);
    if (!shares) continue;
    ++models;
    for (ColumnShare& column : columns) {
      const auto found = shares->find({column.view, column.column});
      const double share = found == shares->end() ? 0.0 : found->second;
      column.least = std::min(column.least, share);
      column.most = std::max(column.most, share);
    }
  }
  if (models < kFewestModels) return {};
  std::ranges::stable_sort(columns, std::greater(), &ColumnShare::share);
  return columns;
}

}  // namespace

std::vector<ColumnShare> column_shares(const AutoResult& study, const Dataset& data,
                                       const Context& context) {
  const bool some = study.expected && study.nested.folds.size() == study.nested_folds.size();
  if (!some || data.table.columns.empty()) return {};
  try {
    return all_column_shares(study, data, context);
  } catch (const ResourceError&) {
    return {};  // the answer does not depend on it
  }
}

std::string sentence_of_columns(const std::vector<ColumnShare>& columns) {
  if (columns.size() < kFewestSharedColumns) return "";
  const double even = 1.0 / static_cast<double>(columns.size());
  const bool one_view = std::ranges::all_of(
      columns, [&](const ColumnShare& one) { return one.view == columns.front().view; });
  std::vector<std::string> named;
  for (const ColumnShare& column : columns) {
    if (named.size() == kMostNamed || column.least <= even) continue;
    // "column 15: 2 %", as 15 is not understood as a name.
    const bool is_number = parse_number(column.column).has_value();
    named.push_back(fmt::format("{}{}{}{} {:.0f} % ({:.0f} to {:.0f})", is_number ? "column " : "",
                                column.column, one_view ? "" : " of " + column.view,
                                is_number ? ":" : "", 100.0 * column.share, 100.0 * column.least,
                                100.0 * column.most));
  }
  if (named.empty()) {
    return fmt::format(
        "None of the {} columns is of more than average importance in every model that was trained "
        "on a part of the samples.",
        columns.size());
  }
  return fmt::format(
      "The most important columns, with their share of the importance of all {} columns (range "
      "over models of parts of the samples): {}.",
      columns.size(), fmt::join(named, ", "));
}

}  // namespace kernmix
