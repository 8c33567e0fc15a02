#pragma once
/// \file
/// What a search asks of its arguments.

#include "kernmix/selection/search.hpp"

namespace kernmix {

/// \throws ParameterError
void check_search(const std::vector<Candidate>& candidates, const std::vector<Fold>& folds,
                  const SearchRules& rules);

}  // namespace kernmix
