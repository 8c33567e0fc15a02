#pragma once

#include "kernmix/selection/significance.hpp"

namespace kernmix {

/// What makes p-values and effects mean less than they seem to.
[[nodiscard]] std::vector<Warning> significance_warnings(const Significance& result,
                                                         const SignificanceOptions& asked);

}  // namespace kernmix
