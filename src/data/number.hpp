#pragma once
/// \file
/// Parsing of numbers and missing values in text files.

#include <optional>
#include <string_view>

namespace kernmix {

/// The finite number that `text` consists of; surrounding blanks and a leading `+` are allowed.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// A finite number at the beginning of [begin, end): the position after it, or `begin` if there is
/// none.
[[nodiscard]] const char* parse_number_prefix(const char* begin, const char* end, double& value);

/// True for equal texts and for equal numbers.
[[nodiscard]] bool same_label(std::string_view a, std::string_view b);

/// True for notations of a missing value: "", NA, N/A, NaN, null, none, "?", ".".
[[nodiscard]] bool is_missing_value(std::string_view text);

/// True for the texts that can only be a missing label or id: "", NA, NaN.
[[nodiscard]] bool is_missing_name(std::string_view text);

}  // namespace kernmix
