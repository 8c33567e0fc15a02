#include <fmt/format.h>

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/samples.hpp"
#include "base/text.hpp"
#include "folds/distinct_folds.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/study.hpp"
#include "model/pipeline.hpp"
#include "study/text.hpp"

namespace kernmix {
namespace {

std::string rule_text(const FoldOptions& asked, const std::string& kind) {
  const std::string repeats =
      asked.repeats > 1 ? fmt::format("{} times ", asked.repeats) : std::string();
  const std::string order =
      asked.shuffle ? fmt::format("shuffled with seed {}", asked.seed) : "in the order of the data";
  return fmt::format("{}{} folds{}, {}", repeats, asked.folds, kind, order);
}

/// Warnings for classes with fewer samples than folds, which some folds do not test.
std::vector<std::string> warnings_of(const std::vector<Index>& samples,
                                     const std::vector<Index>& classes, const Table& table,
                                     Index folds) {
  std::map<Index, std::pair<std::string, Index>> counts;
  for (const Index i : samples) {
    auto& [name, count] = counts[classes[to_size(i)]];
    name = table.labels[to_size(i)];
    ++count;
  }
  std::vector<std::string> small;
  for (const auto& [k, own] : counts) {
    if (own.second < folds) small.push_back(fmt::format("{} ({})", own.first, own.second));
  }
  if (small.empty()) return {};
  return {
      fmt::format("fewer samples than the {} folds in {}: some folds test no sample of these "
                  "classes, and their scores come from the other folds; ask for fewer folds",
                  folds, listed(small, 5))};
}

std::string fold_list(const std::vector<Index>& folds, const ChosenFolds& chosen) {
  std::vector<std::string> names;
  for (const Index f : folds) names.push_back(chosen.name(f));
  return fmt::format("fold{} {}", folds.size() == 1 ? "" : "s", listed(names, 5));
}

/// Warnings for classes that are only in the test part of some folds.
std::vector<std::string> warnings_of_unlearned(const ChosenFolds& chosen,
                                               const std::vector<Index>& classes,
                                               const Table& table, const Context& context) {
  const std::vector<Fold>& folds = chosen.folds;
  std::map<Index, std::pair<std::string, std::vector<Index>>> unlearned;
  for (Index f = 0; f < length(folds); ++f) {
    stop_if_asked(context);
    const std::vector<Index> own = entries_at(classes, folds[to_size(f)].train);
    const std::set<Index> trained(own.begin(), own.end());
    for (const Index i : folds[to_size(f)].test) {
      if (trained.contains(classes[to_size(i)])) continue;
      auto& [name, where] = unlearned[classes[to_size(i)]];
      name = table.labels[to_size(i)];
      if (where.empty() || where.back() != f) where.push_back(f);
    }
  }
  std::vector<std::string> warnings;
  for (const auto& [k, one] : unlearned) {
    warnings.push_back(fmt::format(
        "class {} is only in the test part of {} of {} folds ({}): its samples count "
        "as errors there, and ranking metrics omit these folds",
        in_quotes(one.first), one.second.size(), folds.size(), fold_list(one.second, chosen)));
  }
  return warnings;
}

/// Warnings for folds that test one class, except leave-one-out.
std::vector<std::string> warnings_of_one_class(const ChosenFolds& chosen,
                                               const std::vector<Index>& classes) {
  const std::vector<Fold>& folds = chosen.folds;
  std::vector<Index> single;
  for (Index f = 0; f < length(folds); ++f) {
    const std::vector<Index> own = entries_at(classes, folds[to_size(f)].test);
    if (std::set<Index>(own.begin(), own.end()).size() == 1) single.push_back(f);
  }
  if (single.empty() || single.size() == folds.size()) return {};
  return {fmt::format(
      "{} of {} folds test only one class ({}): ranking metrics are means over the other folds",
      single.size(), folds.size(), fold_list(single, chosen))};
}

/// A warning for folds that are equal to earlier ones.
std::vector<std::string> warnings_of_equal(const std::vector<Fold>& folds) {
  const std::size_t different = distinct_folds(folds).size();
  if (different == folds.size()) return {};
  return {
      fmt::format("of {} folds only {} are different: tests of differences count equal folds once",
                  folds.size(), different)};
}

ChosenFolds with_warnings(ChosenFolds chosen, const Table& table, const TrainOptions& options,
                          const Context& context) {
  const auto equal = warnings_of_equal(chosen.folds);
  chosen.warnings.insert(chosen.warnings.end(), equal.begin(), equal.end());
  const std::vector<Index> classes = classes_of(table, options);
  if (classes.empty()) return chosen;
  for (const auto& more : {warnings_of_unlearned(chosen, classes, table, context),
                           warnings_of_one_class(chosen, classes)}) {
    chosen.warnings.insert(chosen.warnings.end(), more.begin(), more.end());
  }
  return chosen;
}

std::string in_column(const std::string& column) {
  return column.empty() ? std::string() : " in column " + column;
}

ChosenFolds folds_of(const Dataset& data, const TrainOptions& options, const FoldRule& rule,
                     const Context& context) {
  const Index n = sample_count(data.table, data.matrices);
  const FoldOptions& asked = rule.asked;
  if (!rule.given.empty()) return {rule.given, rule.given_by, {}, rule.given_names};
  if (rule.leave_one_out) {
    require_room("leave one out", static_cast<double>(n), n, context);
    return {leave_one_out(n, context), "leave one out", {}};
  }
  require_room("folds", static_cast<double>(asked.folds) * static_cast<double>(asked.repeats), n,
               context);
  const std::vector<Index> samples = rule.samples.empty() ? all_samples(n) : rule.samples;
  const std::string& some = rule.samples_called;
  if (!options.groups.empty()) {
    return {
        deal(samples, {{}, options.groups, options.sample_weights}, asked, context),
        fmt::format("{} folds of the groups{}{}", asked.folds, in_column(rule.group_column), some),
        {}};
  }
  const std::vector<Index> classes = classes_of(data.table, options);
  const Strata strata{classes, {}, options.sample_weights};
  return {deal(samples, strata, asked, context),
          rule_text(asked, classes.empty() ? "" : ", stratified") + some,
          classes.empty() ? std::vector<std::string>()
                          : warnings_of(samples, classes, data.table, asked.folds)};
}

}  // namespace

std::string ChosenFolds::name(Index fold) const {
  return names.empty() ? fmt::format("{}", fold + 1) : names[to_size(fold)];
}

std::vector<Index> classes_of(const Table& table, const TrainOptions& options) {
  const bool one_each =
      loss_target(options.loss) == Target::classes && table.multi_labels.names.empty();
  return one_each ? numbers_of_names(table.labels) : std::vector<Index>();
}

void require_room(const std::string& asked, double folds, Index n, const Context& context) {
  constexpr double kCopies = 3.0;   // as folds, as parts of the fits, and during their construction
  constexpr double kResult = 10e3;  // of a fold, with its predictions and scores, measured
  const double bytes =
      folds * (kCopies * (static_cast<double>(n) * sizeof(Index) + sizeof(Fold)) + kResult);
  if (has_room(context, bytes)) return;
  throw ResourceError(
      fmt::format("{}: {:.15g} folds of {} samples take {}, and the memory budget is {}; ask for "
                  "fewer, or allow more memory",
                  asked, folds, n, memory_text(bytes), memory_text(context.memory_bytes)));
}

std::uint32_t seed_of_folds(const std::string& asked, const Context& context) {
  constexpr auto largest = std::numeric_limits<std::uint32_t>::max();
  if (context.seed > largest) {
    throw ParameterError(fmt::format("{}: the seed of folds must be at most {}, got {}", asked,
                                     largest, context.seed));
  }
  return static_cast<std::uint32_t>(context.seed);
}

ChosenFolds choose_folds(const Dataset& data, const TrainOptions& options, const FoldRule& rule,
                         const Context& context) {
  return with_warnings(folds_of(data, options, rule, context), data.table, options, context);
}

ChosenFolds choose_splits(const Dataset& data, const TrainOptions& options, const SplitRule& rule,
                          const Context& context) {
  require_room("splits", static_cast<double>(rule.splits), sample_count(data.table, data.matrices),
               context);
  if (!options.groups.empty()) {
    return {random_group_splits(options.groups, rule.splits, rule.test, rule.seed, context),
            fmt::format("{} random splits of the groups{}, {:.0f} % of them tested, seed {}",
                        rule.splits, in_column(rule.group_column), 100.0 * rule.test, rule.seed),
            {}};
  }
  std::vector<Index> classes = classes_of(data.table, options);
  const bool strata = !classes.empty();
  if (!strata) classes.assign(to_size(sample_count(data.table, data.matrices)), 0);
  return {random_splits(classes, rule.splits, rule.test, rule.seed, context),
          fmt::format("{} random splits{}, {:.0f} % tested, seed {}", rule.splits,
                      strata ? ", stratified" : "", 100.0 * rule.test, rule.seed),
          {}};
}

std::vector<NestedFold> nested_folds(const Dataset& data, const TrainOptions& options, Index outer,
                                     FoldOptions asked, const Context& context) {
  const Strata strata{classes_of(data.table, options), options.groups, options.sample_weights};
  const Index inner = std::exchange(asked.folds, outer);
  asked.repeats = 1;
  const Index n = sample_count(data.table, data.matrices);
  std::vector<NestedFold> nested;
  try {
    for (Fold& fold : deal(n, strata, asked, context)) nested.push_back({std::move(fold), {}});
    asked.folds = inner;
    for (NestedFold& fold : nested) fold.inner = deal(fold.outer.train, strata, asked, context);
  } catch (const ParameterError& error) {
    throw ParameterError(fmt::format("nested cross-validation: {}", error.what()));
  }
  return nested;
}

}  // namespace kernmix
