#pragma once
/// \file
/// JSON files that kernmix wrote, read back.

#include <nlohmann/json.hpp>
#include <string>

#include "kernmix/context.hpp"

namespace kernmix::cli {

/// \throws DataError when the file cannot be read or is not JSON, naming the line; ResourceError
/// where it takes more memory than is allowed, or the context says stop
[[nodiscard]] nlohmann::json read_json(const std::string& file, const Context& context);
/// The same of the text of such a file, which messages name.
[[nodiscard]] nlohmann::json parse_json(const std::string& text, const std::string& file,
                                        const Context& context = {});

/// A document whose "command" is `command`. \throws DataError when it is something else
[[nodiscard]] nlohmann::json read_result(const std::string& file, const std::string& command,
                                         const Context& context);

}  // namespace kernmix::cli
