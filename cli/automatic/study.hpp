#pragma once
/// \file
/// What kernmix auto does between reading and writing: choose, train, and see what to expect.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/selection/expected.hpp"
#include "kernmix/selection/search.hpp"

namespace kernmix::cli {

/// "squared" where several numbers are asked for, and where all labels are numbers that do not name
/// classes: more than two different ones, not all whole, or more than 20 that do not count up from
/// 0 or 1 with five samples each on average; else "hinge".
[[nodiscard]] std::string loss_for(const Table& table);

/// The average of the kernels, weights of an lp norm and sparse ones, each along a path of C: on
/// the kernels asked for, or on the default ones and a second bank (docs/how-to/auto.md). Of equal
/// scores the first, and so the average, is chosen.
[[nodiscard]] std::vector<Candidate> automatic_candidates(const Dataset& data,
                                                          const TrainOptions& options);

struct AutomaticStudy {
  Search search;
  TrainResult trained;  ///< the chosen candidate, on all samples
  NestedSearch nested;
  CrossValidation winners;  ///< what each search inside an outer fold chose, on its test part
  /// Of these; absent where time did not suffice, or the folds have different classes.
  std::optional<Expected> expected;
};

/// Chooses and trains first, so that time runs out on what to expect rather than on the model.
/// \param groups  of each sample, or empty;  \throws as require_choice()
[[nodiscard]] AutomaticStudy study_automatically(
    const Dataset& data, const std::vector<Candidate>& candidates, const std::vector<Fold>& folds,
    const std::vector<NestedFold>& nested, const std::vector<Index>& groups, const ScoreRule& score,
    double tolerance, const Context& context);

}  // namespace kernmix::cli
