#pragma once
/// \file
/// MULAN's XML files with the names of labels.

#include <string>
#include <string_view>
#include <vector>

namespace kernmix {

/// As read_label_names, for a text. \param path only for messages
[[nodiscard]] std::vector<std::string> parse_label_names(std::string_view text,
                                                         const std::string& path);

}  // namespace kernmix
