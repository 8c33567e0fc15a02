#pragma once
/// \file
/// HDF5 files, by the C library.

#include <memory>
#include <string>

#include "data/arrays/array_file.hpp"

namespace kernmix {

/// Lists the groups and data sets of the file. Links to other files and places are not followed.
/// \throws DataError, also where kernmix was built without HDF5
[[nodiscard]] std::shared_ptr<const ArrayFile> open_hdf5(const std::string& path,
                                                         const Context& context);

}  // namespace kernmix
