#pragma once
/// \file
/// Names as numbers.

#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// Numbers names from 0 in sorted order; equal names have equal numbers.
[[nodiscard]] std::vector<Index> numbers_of_names(const std::vector<std::string>& names);

}  // namespace kernmix
