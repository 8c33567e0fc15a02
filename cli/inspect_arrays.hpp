#pragma once
/// \file
/// kernmix inspect for files of several arrays: NPZ, HDF5, AnnData, MuData and MATLAB files.

#include <string>

#include "json_text.hpp"
#include "kernmix/context.hpp"

namespace kernmix::cli {

/// True for a file of arrays, also with a place in it (FILE:ARRAY).
[[nodiscard]] bool is_file_of_arrays(const std::string& file);

/// Every array, or those at the place, by path, type and shape, and why one is not read.
[[nodiscard]] documents::Findings inspect_arrays(const std::string& file, const Context& context);

}  // namespace kernmix::cli
