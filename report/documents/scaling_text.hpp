#pragma once
/// \file
/// The rules that columns are scaled by, in words and as JSON.

#include <string>
#include <vector>

#include "json_text.hpp"
#include "kernmix/data.hpp"

namespace kernmix::documents {

/// "standard", "sqrt of words; common of pixels, image  (auto)".
[[nodiscard]] std::string scaling_text(const std::vector<ScaledView>& views);

/// The rule of each view, by name.
[[nodiscard]] Json scaling_json(const std::vector<ScaledView>& views);

}  // namespace kernmix::documents
