#pragma once

#include "kernmix/selection/significance.hpp"
#include "selection/stability/exchange.hpp"

namespace kernmix {

/// Conditions that limit the interpretation of p-values and effects.
[[nodiscard]] std::vector<Warning> significance_warnings(const Significance& result,
                                                         const SignificanceOptions& asked,
                                                         const ExchangeRoom& room);

}  // namespace kernmix
