#pragma once
/// \file
/// Names as numbers and in lists.

#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// Names joined by ", "; of more than `limit` the first ones and how many more there are.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::size_t limit);

/// Equal names have equal numbers, from 0 in the order of the names.
[[nodiscard]] std::vector<Index> numbers_of_names(const std::vector<std::string>& names);

}  // namespace kernmix
