#pragma once
/// \file
/// Where a result comes from: the command that made it and the bytes that it read.

#include <optional>
#include <string>
#include <vector>

#include "json_text.hpp"

namespace kernmix::documents {

/// The command line of this process, each word quoted where a shell needs it; "" where the system
/// does not say.
[[nodiscard]] std::string command_line();

/// XXH3 of 128 bits as 32 hexadecimal digits, which `xxh128sum FILE` prints; absent where `file`
/// cannot be read as a file.
[[nodiscard]] std::optional<std::string> file_checksum(const std::string& file);

/// One checksum, or null, for each file.
[[nodiscard]] Json checksums_json(const std::vector<std::string>& files);

}  // namespace kernmix::documents
