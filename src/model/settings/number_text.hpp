#pragma once
/// \file
/// Parsing of option values: numbers, sizes, durations, assignments.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "kernmix/types.hpp"

namespace kernmix {

/// Each throws ParameterError "OPTION must be RULE, got 'TEXT'".
[[nodiscard]] double positive_number(const std::string& option, const std::string& text);
/// A number in the range of parameters (kernmix/range.hpp).
[[nodiscard]] double number_in_range(const std::string& option, const std::string& text);
[[nodiscard]] Index whole_number(const std::string& option, const std::string& text, Index minimum);
/// "true" or "false".
[[nodiscard]] bool truth(const std::string& option, const std::string& text);
[[nodiscard]] std::uint64_t seed_number(const std::string& option, const std::string& text);

/// "4G", "1.5GiB", "500MB", "1024" (bytes): suffixes are powers of 1024.
[[nodiscard]] std::size_t byte_count(const std::string& option, const std::string& text);

/// "30s", "5m", "2h", "500ms", "30" (seconds).
[[nodiscard]] double duration_seconds(const std::string& option, const std::string& text);

/// "NAME=VALUE" split at the last `=`, because labels may contain one.
[[nodiscard]] std::pair<std::string, std::string> assignment(const std::string& option,
                                                             const std::string& text);

}  // namespace kernmix
