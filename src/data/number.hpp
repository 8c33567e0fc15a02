#pragma once
/// \file
/// Parsing of numbers and missing values in text files.

#include <optional>
#include <string_view>

namespace kernmix {

/// How numbers are written.
struct NumberFormat {
  char decimal = '.';     ///< `.` or `,`
  char thousands = '\0';  ///< between groups of three digits: `,` `.` `'` or a blank; 0: none
  friend bool operator==(const NumberFormat&, const NumberFormat&) = default;
};

/// 0 to 9.
[[nodiscard]] constexpr bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

/// The finite number that `text` consists of; surrounding blanks and a leading `+` are allowed.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// The same for other notations. Groups of digits have three digits, the first one to three, and
/// do not begin with 0; numbers without groups are read as well. A blank as thousands separator
/// stands for non-breaking blanks, too.
[[nodiscard]] std::optional<double> parse_number(std::string_view text, NumberFormat format);

/// A finite number without groups at the beginning of [begin, end): the position after it, or
/// `begin` if there is none.
[[nodiscard]] const char* parse_number_prefix(const char* begin, const char* end, double& value,
                                              char decimal = '.');

/// True for equal texts and for equal numbers.
[[nodiscard]] bool same_label(std::string_view a, std::string_view b);

/// True for notations of a missing value: "", NA, N/A, <NA>, #N/A, NaN, null, none, "?", ".".
[[nodiscard]] bool is_missing_value(std::string_view text);

/// True for missing labels and ids: the notations of missing values but "none", which is a common
/// name of a class.
[[nodiscard]] bool is_missing_name(std::string_view text);

}  // namespace kernmix
