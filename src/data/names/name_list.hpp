#pragma once
/// \file
/// Files with a name or another text in each line.

#include <string>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct ListedName {
  std::string text;
  Index line = 0;  ///< from 1
};

/// The lines that are not blank, without blanks around them. Byte order marks, UTF-16, Windows-1252
/// and quotes are read as in tables.
/// \throws DataError for a file that is missing or empty, and a quote that is never closed;
/// ResourceError as read_table()
[[nodiscard]] std::vector<ListedName> read_name_list(const std::string& file,
                                                     const Context& context);

}  // namespace kernmix
