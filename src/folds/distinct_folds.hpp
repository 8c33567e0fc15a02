#pragma once
/// \file
/// Folds that are equal are one draw.

#include <cstddef>
#include <vector>

#include "kernmix/folds.hpp"

namespace kernmix {

/// The places of the folds that differ from all folds before them, ascending. Equal folds give
/// equal scores, which a test over folds counts once.
[[nodiscard]] std::vector<std::size_t> distinct_folds(const std::vector<Fold>& folds);

}  // namespace kernmix
