#pragma once
/// \file
/// The separator of CSV text.

#include <string_view>

#include "data/file.hpp"

namespace kernmix {

/// Reads Excel's line "sep=X" at the beginning of the text and replaces it by blanks, so that line
/// numbers stay. \returns X, or 0 if there is no such line
[[nodiscard]] char take_separator_line(InputFile& file);

/// Replaces comments, lines that begin with # above the header, by blanks. A line that begins with
/// # and has as many fields as the lines below is the header. \returns the number of comments
Index blank_comments(InputFile& file);

/// The separator of a table. A tab or semicolon that cuts all of the first records, header
/// included, into the same number of fields is preferred to a comma, which may be a decimal mark.
/// A blank is a separator only if the first record has none of them, the first records have the
/// same number of fields, and one column has numbers only; a bar only if it cuts all of them into
/// the same number of fields. R's header may lack one name.
[[nodiscard]] char table_separator(std::string_view text);

/// The separator of a matrix: of comma, semicolon, tab and blank the one that cuts the first
/// records into the same number of fields, most of them numbers.
[[nodiscard]] char matrix_separator(std::string_view text);

}  // namespace kernmix
