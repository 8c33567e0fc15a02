// For each outer fold: s = score on its test part of argmax_c mean score of c inside its train
// part. If the inner folds of outer fold i are the other folds, the model trained without i and j
// is scored on j for i and on i for j: K (K - 1) / 2 models of a candidate instead of K^2.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <set>

#include "base/blas_threads.hpp"
#include "kernmix/error.hpp"
#include "model/fits/side_by_side.hpp"
#include "model/pipeline.hpp"
#include "selection/search/check.hpp"
#include "selection/search/search_run.hpp"

namespace kernmix {
namespace {

struct InnerFold {
  Index outer;
  Index fold;
};

/// Inner folds of different outer folds with the same training samples.
std::vector<std::vector<InnerFold>> sharing_models(const std::vector<NestedFold>& folds) {
  std::map<std::vector<Index>, std::vector<InnerFold>> by_samples;
  for (Index k = 0; k < length(folds); ++k) {
    const std::vector<Fold>& inner = folds[to_size(k)].inner;
    for (Index f = 0; f < length(inner); ++f) by_samples[inner[to_size(f)].train].push_back({k, f});
  }
  std::vector<std::vector<InnerFold>> shared;
  for (auto& [samples, places] : by_samples) {
    if (places.size() > 1) shared.push_back(std::move(places));
  }
  return shared;
}

/// The indices of some samples among others, both ascending.
std::vector<Index> places_among(const std::vector<Index>& some, const std::vector<Index>& all) {
  std::vector<Index> places;
  for (const Index sample : some) {
    places.push_back(std::ranges::lower_bound(all, sample) - all.begin());
  }
  return places;
}

class NestedRun {
 public:
  NestedRun(const SearchInput& input, const std::vector<NestedFold>& folds, SearchRules rules,
            const FinishedFits& finished, const KeepFit& keep, const Context& context)
      : input_(input),
        folds_(folds),
        rules_(std::move(rules)),
        finished_(finished),
        context_(context) {
    if (!rules_.only) shared_ = sharing_models(folds);
    if (!shared_.empty()) rules_.all = true;
    if (!keep) return;
    keep_ = [this, &keep](const SearchedFit& fit) {
      const std::lock_guard lock(mutex_);
      keep(fit);
    };
  }

  NestedSearch run();

 private:
  /// False if the context requested a stop.
  [[nodiscard]] bool fit_shared();
  [[nodiscard]] bool is_known(const FitPlace& place);
  /// Null if the model of some part is new.
  [[nodiscard]] const SearchedFit* known_of(const std::vector<TestedPart>& parts);
  void take(SearchedFit fit);
  [[nodiscard]] bool fit_shared(const std::vector<InnerFold>& places, const Context& context);
  [[nodiscard]] std::optional<NestedScore> run_outer(Index outer, const Context& context);
  [[nodiscard]] std::optional<NestedScore> score_outside(Index outer, Index candidate,
                                                         const Context& context);
  /// Whether only a part of the search is computed; the choice is trained when all parts are
  /// complete.
  [[nodiscard]] bool in_part() const { return rules_.only.has_value(); }

  const SearchInput& input_;
  const std::vector<NestedFold>& folds_;
  SearchRules rules_;
  FinishedFits finished_;
  const Context& context_;
  std::vector<std::vector<InnerFold>> shared_;
  std::deque<SearchedFit> own_;  ///< models of this run, to which finished_ points
  KeepFit keep_;
  std::mutex mutex_;
};

bool NestedRun::is_known(const FitPlace& place) {
  const std::lock_guard lock(mutex_);
  return finished_.find(place) != nullptr;
}

const SearchedFit* NestedRun::known_of(const std::vector<TestedPart>& parts) {
  const auto known = [&](const TestedPart& part) { return is_known(part.place); };
  if (!std::ranges::all_of(parts, known)) return nullptr;
  const std::lock_guard lock(mutex_);
  return finished_.find(parts.front().place);
}

void NestedRun::take(SearchedFit fit) {
  if (keep_) keep_(fit);
  fit.answer.clear();  // no other model starts from it
  const std::lock_guard lock(mutex_);
  finished_.add(own_.emplace_back(std::move(fit)));
}

bool NestedRun::fit_shared(const std::vector<InnerFold>& places, const Context& context) {
  const auto fold_at = [&](const InnerFold& place) -> const Fold& {
    return folds_[to_size(place.outer)].inner[to_size(place.fold)];
  };
  Fold joined{fold_at(places.front()).train, {}};
  std::set<Index> tested;
  for (const InnerFold& place : places) {
    tested.insert(fold_at(place).test.begin(), fold_at(place).test.end());
  }
  joined.test.assign(tested.begin(), tested.end());
  std::vector<TestedPart> parts;
  std::vector<std::string> outer;
  for (const InnerFold& place : places) {
    parts.push_back(
        {{place.outer, 0, place.fold, 0}, places_among(fold_at(place).test, joined.test)});
    outer.push_back(fmt::format("{}", place.outer + 1));
  }
  FoldRun run(input_, joined, fmt::format("without outer folds {}", fmt::join(outer, ", ")),
              context);
  for (Index c = 0; c < length(input_.candidates); ++c) {
    for (TestedPart& part : parts) part.place.candidate = c;
    if (const SearchedFit* const known = known_of(parts)) {
      run.skip(*known);
      continue;
    }
    auto fits = run.fit(parts);
    if (!fits) return false;
    for (SearchedFit& fit : *fits) {
      if (!is_known(fit.place)) take(std::move(fit));
    }
  }
  return true;
}

bool NestedRun::fit_shared() {
  return for_each_part(
      context_, {.count = length(shared_), .stage = "pairs of outer folds"},
      [&](Index i, const Context& context) { return fit_shared(shared_[to_size(i)], context); });
}

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
    throw DataError(fmt::format(
        "outer fold {}: no candidate has the score {} on any fold of the training part: each fold "
        "tests only one class, or too few samples; ask for fewer folds or another score",
        outer + 1, rules_.score.name));
  }
  return score_outside(outer, *found.chosen, context);
}

NestedSearch NestedRun::run() {
  if (!fit_shared()) return {{}, false};
  const Index K = length(folds_);
  std::vector<std::optional<NestedScore>> done(to_size(K));
  NestedSearch result;
  result.complete = for_each_part(context_, {.count = K, .stage = "outer folds"},
                                  [&](Index k, const Context& context) {
                                    done[to_size(k)] = run_outer(k, context);
                                    return done[to_size(k)].has_value();
                                  });
  for (const auto& one : done) {
    if (one && !in_part()) result.folds.push_back(*one);
  }
  return result;
}

}  // namespace

std::vector<NestedFold> nested_in_pairs(const std::vector<Fold>& folds) {
  std::vector<NestedFold> nested;
  for (const Fold& outer : folds) {
    nested.push_back({outer, {}});
    for (const Fold& other : folds) {
      if (other == outer) continue;
      Fold inner;
      std::ranges::set_intersection(outer.train, other.train, std::back_inserter(inner.train));
      std::ranges::set_intersection(outer.train, other.test, std::back_inserter(inner.test));
      nested.back().inner.push_back(std::move(inner));
    }
  }
  return nested;
}

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
  check_landmark_files(candidates, context);
  const SearchInput input{data, candidates, rules.score};
  const FinishedFits known(finished);
  return NestedRun(input, folds, rules, known, keep, context).run();
}

}  // namespace kernmix
