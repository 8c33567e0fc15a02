#pragma once
/// \file
/// What a data set of an HDF5 file holds, and whether it can be read.

#include "data/arrays/array_file.hpp"
#include "data/hdf5/handle.hpp"

namespace kernmix {

/// Content, type and shape of an open data set; its path is left to the caller.
[[nodiscard]] StoredArray describe_dataset(hid_t dataset);

/// The chunk of the data set, or {} if it has none.
[[nodiscard]] std::vector<Index> chunk_of(hid_t dataset);

}  // namespace kernmix
