#pragma once
/// \file
/// Whole files: reading is that of the data layer, writing is atomic.

#include <string>
#include <string_view>

#include "data/file.hpp"

namespace kernmix {

/// Writes a temporary file in the same folder, syncs it and renames it to `file`: at every moment
/// `file` is either the old one or the whole new one.
/// \throws ResourceError naming the file and the reason
void write_file(const std::string& file, std::string_view bytes);

}  // namespace kernmix
