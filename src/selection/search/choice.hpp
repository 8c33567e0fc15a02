#pragma once
/// \file
/// The choice of a candidate.

#include "kernmix/selection/search.hpp"

namespace kernmix {

/// The first of the best means; absent if no candidate has a mean.
[[nodiscard]] std::optional<Index> best_cell(const std::vector<SearchedCell>& cells,
                                             const ScoreRule& score);

/// Choice::one_se.
[[nodiscard]] std::optional<Index> simplest_cell(const std::vector<SearchedCell>& cells,
                                                 const std::vector<Candidate>& candidates,
                                                 const ScoreRule& score);

}  // namespace kernmix
