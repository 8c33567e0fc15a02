#pragma once
/// \file
/// JSON files that kernmix wrote, read back.

#include <nlohmann/json.hpp>
#include <string>

namespace kernmix::cli {

/// \throws DataError when the file cannot be read or is not JSON, naming line and column
[[nodiscard]] nlohmann::json read_json(const std::string& file);

/// A document whose "command" is `command`. \throws DataError when it is something else
[[nodiscard]] nlohmann::json read_result(const std::string& file, const std::string& command);

}  // namespace kernmix::cli
