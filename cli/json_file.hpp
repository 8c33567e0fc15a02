#pragma once
/// \file
/// JSON files that kernmix wrote, read back.

#include <nlohmann/json.hpp>
#include <string>

#include "kernmix/context.hpp"

namespace kernmix::cli {

/// \throws DataError when the file cannot be read or is not JSON, naming the line; ResourceError if
/// it exceeds the memory budget, or the context requests a stop
[[nodiscard]] nlohmann::json read_json(const std::string& file, const Context& context);
/// The same for the text of a file; messages name the file.
[[nodiscard]] nlohmann::json parse_json(const std::string& text, const std::string& file,
                                        const Context& context = {});

/// A document whose "command" is `command`. \throws DataError for other documents
[[nodiscard]] nlohmann::json read_result(const std::string& file, const std::string& command,
                                         const Context& context);

}  // namespace kernmix::cli
