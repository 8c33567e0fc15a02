#pragma once
/// \file
/// GMT files, one set of names a line.

#include <string>
#include <string_view>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/sets.hpp"

namespace kernmix {

/// \param text UTF-8 without a byte order mark \throws as read_sets()
[[nodiscard]] ColumnSets parse_gmt(std::string_view text, const std::string& path,
                                   const Context& context = {});

/// The descriptions of the sets in a file that read_sets() has read, in order; none of a pipe.
[[nodiscard]] std::vector<std::string> descriptions_in(const std::string& file);

}  // namespace kernmix
