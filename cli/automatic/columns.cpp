#include "automatic/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "base/samples.hpp"
#include "kernmix/explain.hpp"
#include "selection/part_score.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t kMostNamed = 5;
constexpr std::size_t kFewestColumns = 4;
constexpr Index kMostSamples = 200;
constexpr Index kFewestSamples = 20;
constexpr double kEntries = 1e8;  ///< of gradients: samples x support vectors x columns x tasks

using Shares = std::map<std::pair<std::string, std::string>, double>;  // by view and column

/// As many as a second or so has time for.
Index samples_for(const Model& model, Index columns) {
  const double each = static_cast<double>(model.training_samples) *
                      static_cast<double>(std::max<Index>(columns, 1)) *
                      static_cast<double>(std::max<std::size_t>(model.tasks.size(), 1));
  return std::clamp(static_cast<Index>(kEntries / each), kFewestSamples, kMostSamples);
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

Shares shares_outside(const Dataset& data, const Candidate& winner, const Fold& outer,
                      const Context& context) {
  const FoldData part = fold_data(data, outer, context);
  const WholeClasses whole = WholeClasses::of(data, winner.options);
  const TrainOptions options = options_of_part(whole, winner.options, part.train, outer.train);
  const Model model = train(part.train, options, context).model;
  const Index columns = data.table.numbers().cols;
  const Index tested = length(outer.test);
  Fold few{outer.train, {}};
  for (const Index i : spaced_samples(tested, samples_for(model, columns))) {
    few.test.push_back(outer.test[to_size(i)]);
  }
  return shares_of(model, fold_data(data, few, context).test, context);
}

}  // namespace

std::vector<ColumnShare> column_shares(const AutomaticStudy& study, const Dataset& data,
                                       const std::vector<Candidate>& candidates,
                                       const std::vector<NestedFold>& nested,
                                       const Context& context) {
  if (!study.expected || data.table.columns.empty()) return {};
  const Model& model = study.trained.model;
  const Index n = model.training_samples;
  const Fold all{index_range(0, n),
                 spaced_samples(n, samples_for(model, data.table.numbers().cols))};
  std::vector<ColumnShare> columns;
  for (const auto& [name, share] : shares_of(model, fold_data(data, all, context).test, context)) {
    columns.push_back({name.first, name.second, share, share, share});
  }
  for (std::size_t k = 0; k < nested.size() && !columns.empty(); ++k) {
    if (context.should_stop()) return {};
    const Candidate& winner = candidates[to_size(study.nested.folds[k].candidate)];
    const Shares shares = shares_outside(data, winner, nested[k].outer, context);
    for (ColumnShare& column : columns) {
      const auto found = shares.find({column.view, column.column});
      const double share = found == shares.end() ? 0.0 : found->second;
      column.least = std::min(column.least, share);
      column.most = std::max(column.most, share);
    }
  }
  std::ranges::stable_sort(columns, std::greater(), &ColumnShare::share);
  return columns;
}

std::string sentence_of_columns(const std::vector<ColumnShare>& columns) {
  if (columns.size() < kFewestColumns) return "";
  const double even = 1.0 / static_cast<double>(columns.size());
  const bool one_view = std::ranges::all_of(
      columns, [&](const ColumnShare& one) { return one.view == columns.front().view; });
  std::vector<std::string> named;
  for (const ColumnShare& column : columns) {
    if (named.size() == kMostNamed || column.least <= even) continue;
    named.push_back(fmt::format("{}{} {:.0f} % ({:.0f} to {:.0f})", column.column,
                                one_view ? "" : " of " + column.view, 100.0 * column.share,
                                100.0 * column.least, 100.0 * column.most));
  }
  if (named.empty()) {
    return fmt::format(
        "No column stands out: in models of parts of the samples each of the {} columns sometimes "
        "moves the decision no more than the average column.",
        columns.size());
  }
  return fmt::format(
      "The columns that move the decision most, as a share of all {} columns (range over models of "
      "parts of the samples): {}.",
      columns.size(), fmt::join(named, ", "));
}

}  // namespace kernmix::cli
