#pragma once
/// \file
/// Names as numbers.

#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// Numbers names from 0 in sorted order; equal names have equal numbers.
/// Names that are equal numbers, such as 1 and 1.0, are one name.
[[nodiscard]] std::vector<Index> numbers_of_names(const std::vector<std::string>& names);

}  // namespace kernmix
