#pragma once
/// \file
/// MATLAB files: versions 5 to 7, and 7.3, which is HDF5.

#include <memory>
#include <string>

#include "data/arrays/array_file.hpp"

namespace kernmix {

[[nodiscard]] std::shared_ptr<const ArrayFile> open_mat(const std::string& path,
                                                        const Context& context);

/// A file of version 5 to 7 in `bytes`. \param path only for messages
[[nodiscard]] std::shared_ptr<const ArrayFile> parse_mat(std::string bytes, const std::string& path,
                                                         const Context& context);

/// The variables in the HDF5 file that MATLAB 7.3 wrote.
[[nodiscard]] std::shared_ptr<const ArrayFile> open_mat73(std::shared_ptr<const ArrayFile> hdf5);

}  // namespace kernmix
