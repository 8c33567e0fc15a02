#include "kernmix/selection/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/errors_at.hpp"
#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "model/fits/side_by_side.hpp"
#include "model/kernel_choice.hpp"
#include "model/pipeline.hpp"
#include "selection/comparison/split_run.hpp"

namespace kernmix {
namespace {

using SplitPlace = std::pair<Index, Index>;  ///< data set and split

void check_comparison(const std::vector<ComparedData>& data, const ComparisonRules& rules) {
  if (data.empty()) throw ParameterError("compare: there is no data set");
  if (rules.scores.empty()) throw ParameterError("compare: there is no score");
  for (const std::string& score : rules.scores) static_cast<void>(score_rule(score));
  if (rules.inner_folds < 2) {
    throw ParameterError(
        fmt::format("compare: {} inner folds; at least 2 are needed", rules.inner_folds));
  }
  for (const ComparedData& one : data) {
    const bool whole = !one.methods.empty() && !one.splits.empty() &&
                       std::ranges::none_of(one.methods, [](const ComparedMethod& method) {
                         return method.candidates.empty();
                       });
    if (!whole) {
      throw ParameterError(
          fmt::format("compare: data set '{}' lacks splits, methods or their options", one.name));
    }
    errors_at(fmt::format("data set '{}'", one.name), [&] {
      check_folds(one.splits, sample_count(one.data.table, one.data.matrices));
      for (const ComparedMethod& method : one.methods) {
        for (const Candidate& candidate : method.candidates) {
          (void)check_samples(one.data, candidate.options);
          check_groups(one.splits, candidate.options.groups);
        }
      }
    });
  }
}

/// The summary has a test for each pair of methods on each data set and over all of them.
void require_room_for_pairs(const std::vector<ComparedData>& data, const ComparisonRules& rules,
                            const Context& context) {
  constexpr double bytes_of_a_pair = 1400;  // with the JSON and the text of the result
  const auto k = static_cast<double>(data.front().methods.size());
  const double tables = static_cast<double>((data.size() + 1) * rules.scores.size());
  const double needed = k * (k - 1) / 2 * tables * bytes_of_a_pair;
  if (has_room(context, needed)) return;
  throw ResourceError(fmt::format(
      "compare: the tests of all pairs of {} methods take about {}, and {} may be used; compare "
      "fewer methods, or allow more with --memory",
      k, memory_text(needed), memory_text(context.memory_bytes)));
}

std::vector<SplitPlace> places_to_do(const std::vector<ComparedData>& data,
                                     const std::vector<ComparedSplit>& finished) {
  std::set<SplitPlace> done;
  for (const ComparedSplit& split : finished) done.emplace(split.data, split.split);
  std::vector<SplitPlace> todo;
  for (Index d = 0; d < length(data); ++d) {
    for (Index s = 0; s < length(data[to_size(d)].splits); ++s) {
      if (!done.contains({d, s})) todo.emplace_back(d, s);
    }
  }
  return todo;
}

}  // namespace

std::vector<ComparedSplit> compare(const std::vector<ComparedData>& data,
                                   const ComparisonRules& rules,
                                   std::vector<ComparedSplit> finished,
                                   const std::function<void(const ComparedSplit&)>& keep,
                                   const Context& context) {
  const SerialBlas serial_blas;
  check_comparison(data, rules);
  require_room_for_pairs(data, rules, context);
  const std::vector<SplitPlace> todo = places_to_do(data, finished);
  const Index all = length(finished) + length(todo);
  std::mutex mutex;
  context.report({"splits", length(finished), all});
  const auto run = [&](Index i, const Context& one) {
    if (context.should_stop()) return false;
    const Index d = todo[to_size(i)].first;
    const Index s = todo[to_size(i)].second;
    const ComparedData& own = data[to_size(d)];
    std::optional<ComparedSplit> split =
        errors_at(fmt::format("data set '{}', split {}", own.name, s + 1),
                  [&] { return SplitRun(own, s, rules, one).run(); });
    if (!split) return false;
    split->data = d;
    const std::lock_guard lock(mutex);
    if (keep) keep(*split);
    finished.push_back(std::move(*split));
    context.report({"splits", length(finished), all});
    return true;
  };
  (void)for_each_part(context, {.count = length(todo)}, run);
  std::ranges::sort(finished, {},
                    [](const ComparedSplit& split) { return SplitPlace(split.data, split.split); });
  return finished;
}

std::vector<Candidate> single_kernel_candidates(const Dataset& data,
                                                const std::vector<Candidate>& candidates) {
  std::vector<Candidate> single;
  for (const Candidate& candidate : candidates) {
    const TrainOptions& options = candidate.options;
    const auto kernels = expand_kernels(data, options);
    for (std::size_t m = 0; m < kernels.size(); ++m) {
      Candidate one = candidate;
      std::vector<int> weights(kernels.size(), 0);
      weights[m] = 1;
      one.options.regularizer = fmt::format("fixed:{}", fmt::join(weights, ","));
      one.name = fmt::format("{}{}{}", kernels[m].name(), candidate.name.empty() ? "" : ", ",
                             candidate.name);
      single.push_back(std::move(one));
    }
  }
  return single;
}

}  // namespace kernmix
