#pragma once
/// \file
/// What a search asks of its arguments.

#include "kernmix/selection/search.hpp"

namespace kernmix {

/// \throws ParameterError, and DataError for parts that do not fit each other
void check_search(const Dataset& data, const std::vector<Candidate>& candidates,
                  const std::vector<Fold>& folds, const SearchRules& rules);

}  // namespace kernmix
