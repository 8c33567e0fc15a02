#pragma once
/// \file
/// Which of many options are best on samples that were held out: a grid, or a path along C. Kernels
/// are computed once for each fold of a round, and each model begins with the answer of the most
/// similar one before.

#include <functional>
#include <optional>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/selection/comparison.hpp"
#include "kernmix/selection/scores.hpp"

namespace kernmix {

struct SearchRules {
  ScoreRule score;
  /// Every candidate on every fold. Else a candidate is abandoned once even the best possible score
  /// on the folds that it lacks leaves its mean below that of the best candidate: the winner stays.
  bool all = false;
};

/// One candidate over the folds.
struct SearchedCell {
  std::vector<std::optional<double>> scores;  ///< of each fold; absent where it was not tried
  bool abandoned = false;
  std::optional<double> mean;    ///< where every fold has a score
  std::optional<double> spread;  ///< standard deviation (n - 1)
  double kernels_used = 0.0;     ///< mean over the folds tried
};

struct Search {
  std::vector<SearchedCell> cells;  ///< of each candidate
  std::optional<Index> best;        ///< of equal means the first; absent where no cell has them all
  bool complete = true;             ///< false: the context said stop
  Index fits = 0;
  Index unconverged = 0;  ///< of these
  Index kernel_builds = 0;
  double kernel_seconds = 0.0;
  double solve_seconds = 0.0;
};

/// Rounds are fixed, and what a round tries follows from the rounds before it: the numbers do not
/// depend on context.threads, nor on what was finished before. Without `all` they are (1) the first
/// fold, (2) the candidate that is best there on the other folds, (3, 4) the others that are not
/// hopeless, on the first half of the other folds and on the second.
///
/// \param finished, keep  a fold of a round: `data` is the round, each of `methods` a candidate
/// (ComparedCell::candidate) with its one score. `keep` receives each as it is finished, one call
/// at a time; may be empty
/// \throws ParameterError, DataError, ResourceError as train(), naming candidate and fold
[[nodiscard]] Search search(const Dataset& data, const std::vector<Candidate>& candidates,
                            const std::vector<Fold>& folds, const SearchRules& rules,
                            const std::vector<ComparedSplit>& finished,
                            const std::function<void(const ComparedSplit&)>& keep,
                            const Context& context);

}  // namespace kernmix
