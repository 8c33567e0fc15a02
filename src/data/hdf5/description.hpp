#pragma once
/// \file
/// What a data set of an HDF5 file holds, and whether it can be read.

#include "data/arrays/array_file.hpp"
#include "data/hdf5/handle.hpp"

namespace kernmix {

/// Content, type and shape of an open data set; its path is left to the caller.
[[nodiscard]] StoredArray describe_dataset(hid_t dataset);

/// How the entries of a data set lie in its file.
struct StoredChunks {
  std::vector<Index> extents;  ///< of a chunk; {} without chunks
  std::size_t entry_bytes = 0;
  bool filtered = false;  ///< each chunk is compressed, or changed by another filter
};
[[nodiscard]] StoredChunks chunks_of(hid_t dataset);

}  // namespace kernmix
