#pragma once
/// \file
/// Whole files in and out.

#include <string>
#include <string_view>

namespace kernmix {

/// The bytes of a regular file. \throws DataError when it cannot be opened or read
[[nodiscard]] std::string read_bytes(const std::string& file);

/// Writes a temporary file in the same folder, syncs it and renames it to `file`: at every moment
/// `file` is either the old one or the whole new one.
/// \throws ResourceError naming the file and the reason
void write_bytes(const std::string& file, std::string_view bytes);

}  // namespace kernmix
