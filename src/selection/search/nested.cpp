// For each outer fold: s = score on its test part of argmax_c mean score of c inside its train
// part.

#include <fmt/format.h>

#include <mutex>

#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "kernmix/error.hpp"
#include "model/pipeline.hpp"
#include "selection/fold_threads.hpp"
#include "selection/search/check.hpp"
#include "selection/search/search_run.hpp"

namespace kernmix {
namespace {

class NestedRun {
 public:
  NestedRun(const SearchInput& input, const std::vector<NestedFold>& folds,
            const SearchRules& rules, const FinishedFits& finished, const KeepFit& keep,
            const Context& context)
      : input_(input), folds_(folds), rules_(rules), finished_(finished), context_(context) {
    if (!keep) return;
    keep_ = [this, &keep](const SearchedFit& fit) {
      const std::lock_guard lock(mutex_);
      keep(fit);
    };
  }

  NestedSearch run();

 private:
  [[nodiscard]] std::optional<NestedScore> run_outer(Index outer, const Context& context);
  [[nodiscard]] std::optional<NestedScore> score_outside(Index outer, Index candidate,
                                                         const Context& context);
  /// The search alone; what it chooses is trained where all parts are there.
  [[nodiscard]] bool in_part() const { return rules_.only.has_value(); }

  const SearchInput& input_;
  const std::vector<NestedFold>& folds_;
  const SearchRules& rules_;
  const FinishedFits& finished_;
  const Context& context_;
  KeepFit keep_;
  std::mutex mutex_;
};

std::optional<NestedScore> NestedRun::score_outside(Index outer, Index candidate,
                                                    const Context& context) {
  const FitPlace place{outer, 0, -1, candidate};
  if (const SearchedFit* const known = finished_.find(place)) {
    return NestedScore{candidate, known->score};
  }
  FoldRun run(input_, folds_[to_size(outer)].outer, fmt::format("outer fold {}", outer + 1),
              context);
  const std::optional<SearchedFit> fit = run.fit(place);
  if (!fit) return std::nullopt;
  if (keep_) keep_(*fit);
  return NestedScore{candidate, fit->score};
}

std::optional<NestedScore> NestedRun::run_outer(Index outer, const Context& context) {
  const std::vector<Fold>& inner = folds_[to_size(outer)].inner;
  const Search found = SearchRun(input_, inner, rules_, outer, finished_, keep_, context).run();
  if (!found.complete) return std::nullopt;
  if (in_part()) return NestedScore{};
  if (!found.chosen) {
    throw DataError(
        fmt::format("outer fold {}: no candidate has the score {} on any fold of the train part: "
                    "each tests one "
                    "class alone, or too few samples; ask for fewer folds or another score",
                    outer + 1, rules_.score.name));
  }
  return score_outside(outer, *found.chosen, context);
}

NestedSearch NestedRun::run() {
  const Index K = length(folds_);
  const FoldThreads threads(context_, K);
  std::vector<std::optional<NestedScore>> done(to_size(K));
  Index finished = 0;
  parallel_for(threads.outer(), K, [&](Index k) {
    done[to_size(k)] = run_outer(k, threads.inner());
    const std::lock_guard lock(mutex_);
    if (done[to_size(k)]) context_.report({"outer folds", ++finished, K});
  });
  NestedSearch result;
  for (const auto& one : done) {
    if (!one) result.complete = false;
    if (one && !in_part()) result.folds.push_back(*one);
  }
  return result;
}

}  // namespace

NestedSearch nested_search(const Dataset& data, const std::vector<Candidate>& candidates,
                           const std::vector<NestedFold>& folds, const SearchRules& rules,
                           const std::vector<SearchedFit>& finished, const KeepFit& keep,
                           const Context& context) {
  const SerialBlas serial_blas;
  for (const NestedFold& fold : folds) {
    check_search(data, candidates, fold.inner, rules);
    check_folds({fold.outer}, sample_count(data.table, data.matrices));
    for (const Candidate& each : candidates) check_groups({fold.outer}, each.options.groups);
  }
  const SearchInput input{data, candidates, rules.score};
  const FinishedFits known(finished);
  return NestedRun(input, folds, rules, known, keep, context).run();
}

}  // namespace kernmix
