#pragma once
/// \file
/// Recipes of the page docs/how-to/clean-a-table.md, which messages name.

#include <string>
#include <string_view>

namespace kernmix {

/// "recipe 'dates' in docs/how-to/clean-a-table.md"
[[nodiscard]] std::string recipe(std::string_view name);

}  // namespace kernmix
