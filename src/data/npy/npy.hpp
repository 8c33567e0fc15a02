#pragma once
/// \file
/// NumPy's .npy format, versions 1.0 to 3.0 (numpy/lib/format.py).

#include <string>
#include <string_view>
#include <vector>

#include "data/file.hpp"
#include "data/npy/npy_header.hpp"

namespace kernmix {

/// The array in `bytes`, in C order. Sizes are checked against the bytes before anything is
/// allocated. \param path only for messages
[[nodiscard]] Vector parse_npy(std::string_view bytes, const std::string& path,
                               std::vector<Index>& shape);

/// The same for a known header of numbers.
[[nodiscard]] Vector npy_values(const NpyHeader& header, std::string_view bytes,
                                const std::string& path, std::vector<Index>& shape);

/// A two-dimensional array as a table with columns "1".."D".
[[nodiscard]] FileTable read_npy_table(const InputFile& file, const ReadOptions& options);

}  // namespace kernmix
