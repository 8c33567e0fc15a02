#include "data/csv/recipe.hpp"

#include <fmt/format.h>

namespace kernmix {

std::string recipe(std::string_view name) {
  return fmt::format("recipe '{}' in docs/how-to/clean-a-table.md", name);
}

}  // namespace kernmix
