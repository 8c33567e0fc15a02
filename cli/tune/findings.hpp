#pragma once
/// \file
/// The results of a search as text and as JSON.

#include <string>
#include <vector>

#include "fold_options.hpp"
#include "kernmix/selection/expected.hpp"
#include "kernmix/selection/mean.hpp"
#include "kernmix/selection/search.hpp"
#include "output.hpp"
#include "tune/arguments.hpp"

namespace kernmix::cli {

/// A finished search.
struct Tuned {
  const ComparedMethod& method;
  const ChosenFolds& folds;
  ScoreRule score;
  Choice choice = Choice::best;
  Search search;
  NestedSearch nested;               ///< of --nested
  std::optional<Expected> expected;  ///< of its models
  std::vector<std::string> remarks;
  bool says_answer = false;  ///< the output already begins with answer_sentence()
  std::string estimated_by = "nested cross-validation";

  [[nodiscard]] const Candidate& candidate(Index c) const { return method.candidates[to_size(c)]; }
  [[nodiscard]] const SearchedCell& cell(Index c) const { return search.cells[to_size(c)]; }
};

/// Limits of the interpretation: the end of a grid, an optimistic score, different kinds of folds.
[[nodiscard]] std::vector<std::string> tune_remarks(const Tuned& tuned, const TuneArguments& asked);

/// The text of `tuned` with its remarks.
[[nodiscard]] std::string tune_text(const Tuned& tuned);
[[nodiscard]] Json tune_json(const TuneArguments& asked, const Tuned& tuned);

}  // namespace kernmix::cli
