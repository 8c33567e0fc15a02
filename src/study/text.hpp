#pragma once
/// \file
/// Names as numbers and in lists.

#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// Names joined by ", "; for more than `limit` the first ones and the number of the others.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::size_t limit);

/// Numbers names from 0 in sorted order; equal names have equal numbers.
[[nodiscard]] std::vector<Index> numbers_of_names(const std::vector<std::string>& names);

}  // namespace kernmix
