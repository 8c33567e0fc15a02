#pragma once
/// \file
/// What kernmix auto says of views.

#include <vector>

#include "kernmix/study.hpp"

namespace kernmix {

/// AutoResult::views, of its model and those of the outer folds.
[[nodiscard]] std::vector<ViewShare> ranged_view_shares(const AutoResult& study);

}  // namespace kernmix
