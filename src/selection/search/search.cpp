// The mean score of each candidate over the folds, (1/K) sum_f s_cf, and the best one.

#include "kernmix/selection/search.hpp"

#include <set>
#include <string>

#include "base/blas_threads.hpp"
#include "kernmix/error.hpp"
#include "model/kernel_choice.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/pipeline.hpp"
#include "selection/search/check.hpp"
#include "selection/search/search_run.hpp"

namespace kernmix {

void check_search(const Dataset& data, const std::vector<Candidate>& candidates,
                  const std::vector<Fold>& folds, const SearchRules& rules) {
  if (candidates.empty()) throw ParameterError("search: there are no candidates");
  check_folds(folds, sample_count(data.table, data.matrices));
  for (const Candidate& candidate : candidates) {
    (void)check_samples(data, candidate.options);
    check_groups(folds, candidate.options.groups);
  }
  if (rules.choice == Choice::one_se && folds.size() < 2) {
    throw ParameterError("search: the choice one-se needs a standard error, and one fold has none");
  }
}

Search search(const Dataset& data, const std::vector<Candidate>& candidates,
              const std::vector<Fold>& folds, const SearchRules& rules,
              const std::vector<SearchedFit>& finished, const KeepFit& keep,
              const Context& context) {
  const SerialBlas serial_blas;
  check_search(data, candidates, folds, rules);
  check_landmark_files(candidates, context);
  const SearchInput input{data, candidates, rules.score};
  const FinishedFits known(finished);
  return SearchRun(input, folds, rules, -1, known, keep, context).run();
}

void check_landmark_files(const std::vector<Candidate>& candidates, const Context& context) {
  std::set<std::string> read;
  for (const Candidate& each : candidates) {
    const LandmarkRule& rule = each.options.landmarks;
    if (read.insert(rule.file).second) require_landmark_file(rule, context);
  }
}

std::vector<SearchUnit> search_units(const std::vector<Candidate>& candidates, Index folds,
                                     const std::vector<NestedFold>& nested) {
  std::vector<SearchUnit> units;
  const auto add = [&](Index outer, Index count) {
    for (Index fold = 0; fold < count; ++fold) {
      for (const Candidate& candidate : candidates) {
        const SearchUnit unit{outer, fold, candidate.path};
        if (units.empty() || units.back() != unit) units.push_back(unit);
      }
    }
  };
  add(-1, folds);
  for (Index k = 0; k < length(nested); ++k) add(k, length(nested[to_size(k)].inner));
  return units;
}

std::vector<FitPlace> places_of(const SearchUnit& unit, const std::vector<Candidate>& candidates) {
  std::vector<FitPlace> places;
  for (Index c = 0; c < length(candidates); ++c) {
    if (candidates[to_size(c)].path == unit.path) places.push_back({unit.outer, 0, unit.fold, c});
  }
  return places;
}

}  // namespace kernmix
