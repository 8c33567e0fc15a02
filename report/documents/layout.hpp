#pragma once
/// \file
/// Text for people: aligned tables, sizes, durations, CSV fields, wrapped lines.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace kernmix::documents {

using Row = std::vector<std::string>;

/// Rows as lines of aligned columns, two blanks between them; cells that read as numbers go to the
/// right. With `header` the first row is underlined.
[[nodiscard]] std::string aligned(const std::vector<Row>& rows, bool header = false);

[[nodiscard]] std::string readable_seconds(double seconds);  ///< "0.25 s", "3 min 20 s"

/// A field of a CSV line, quoted where it must be. A text that spreadsheets would take for a
/// formula, as it begins with =, +, -, @, a tab or a carriage return and is no number, is quoted
/// and begins with an apostrophe.
[[nodiscard]] std::string csv_field(std::string_view text);

/// `text` broken at blanks into lines of at most `width` bytes; line breaks in it are kept.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width);

using kernmix::listed;

}  // namespace kernmix::documents
