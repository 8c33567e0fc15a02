#pragma once
/// \file
/// Numbers as people and programs write them in text files.

#include <optional>
#include <string_view>

namespace kernmix {

/// The finite number that is the whole of `text`, blanks around it and a leading `+` allowed.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// A finite number at the beginning of [begin, end): the position after it, or `begin` if there is
/// none.
[[nodiscard]] const char* parse_number_prefix(const char* begin, const char* end, double& value);

/// True of the same text, and of the same number.
[[nodiscard]] bool same_label(std::string_view a, std::string_view b);

/// True for what stands for a missing value: "", NA, N/A, NaN, null, none, "?", ".".
[[nodiscard]] bool is_missing_value(std::string_view text);

/// True for the texts that can only be a missing label or id: "", NA, NaN.
[[nodiscard]] bool is_missing_name(std::string_view text);

}  // namespace kernmix
