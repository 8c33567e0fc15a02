#pragma once
/// \file
/// Checks of the arguments of a search.

#include "kernmix/selection/search.hpp"

namespace kernmix {

/// \throws ParameterError, and DataError for inconsistent parts
void check_search(const Dataset& data, const std::vector<Candidate>& candidates,
                  const std::vector<Fold>& folds, const SearchRules& rules);

/// \throws DataError naming a file of landmarks that cannot be read
void check_landmark_files(const std::vector<Candidate>& candidates, const Context& context);

}  // namespace kernmix
