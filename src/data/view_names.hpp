#pragma once
/// \file
/// Checks of the names of views.

#include <string>
#include <vector>

#include "kernmix/data.hpp"

namespace kernmix {

/// True for `all` and `each`, which expressions read otherwise.
[[nodiscard]] bool is_word_of_language(const std::string& name);

/// \throws ParameterError if two views have the same name
void require_different_names(const std::vector<View>& views);

}  // namespace kernmix
