#pragma once
/// \file
/// HDF5 files, by the C library, which is loaded when the first file is opened.

#include <memory>
#include <string>

#include "data/arrays/array_file.hpp"

namespace kernmix {

/// Lists the groups and data sets of the file. Links to other files and places are not followed.
/// \throws DataError, also where kernmix was built without HDF5 or its library is not installed
[[nodiscard]] std::shared_ptr<const ArrayFile> open_hdf5(const std::string& path,
                                                         const Context& context);

}  // namespace kernmix
