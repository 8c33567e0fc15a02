#pragma once
/// \file
/// The candidates of one fold.

#include <functional>
#include <optional>
#include <vector>

#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/selection/search.hpp"
#include "selection/part_score.hpp"

namespace kernmix {

/// The common input of all folds of a search; borrowed.
struct SearchInput {
  const Dataset& data;
  const std::vector<Candidate>& candidates;
  const ScoreRule& score;
};

/// A place of a search with some of the test samples of a fold.
struct TestedPart {
  FitPlace place;
  std::vector<Index> rows;  ///< of the test part
};

class FoldRun {
 public:
  /// \param where  for messages: "fold 2"
  FoldRun(const SearchInput& input, const Fold& fold, std::string where, const Context& context);

  /// Trains and scores the candidate, starting from the last one of its path. \returns nothing if
  /// the context requested a stop before the model was finished
  [[nodiscard]] std::optional<SearchedFit> fit(const FitPlace& place);
  /// The same for places that differ in their test samples.
  [[nodiscard]] std::optional<std::vector<SearchedFit>> fit(const std::vector<TestedPart>& parts);
  /// Has the effect of fit(): the answer of the model is recalled if another needs it.
  void skip(const SearchedFit& fit);

 private:
  [[nodiscard]] const Candidate& candidate(Index place) const {
    return input_.candidates[to_size(place)];
  }
  void begin(Index candidate);
  [[nodiscard]] std::optional<PartScore> scored(Index place);
  [[nodiscard]] SearchedFit searched(const FitPlace& place, const PartScore& score,
                                     const std::vector<Metric>& metrics) const;

  const SearchInput& input_;
  PartFits fits_;
  std::optional<Index> path_;
};

}  // namespace kernmix
