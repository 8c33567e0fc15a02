#pragma once
/// \file
/// The values of a parameter: numbers, powers, ranges and lists.

#include <vector>

#include "kernel/language/expression_cursor.hpp"

namespace kernmix {

/// Reads `0.5`, `2^-6`, `1..5`, `2^-6..2^3`, `1e-3..1e3` or a list `{0.1; 1; 2^2..2^5}`.
/// \throws ParameterError whose message shows the expression with a caret
[[nodiscard]] std::vector<double> parse_values(Cursor& cursor);

}  // namespace kernmix
