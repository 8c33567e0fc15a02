#pragma once
/// \file
/// The numbers of data sets of an HDF5 file, read by a copy of the process.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "data/hdf5/handle.hpp"
#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// The number of entries. \param each  bytes of one in memory \throws DataError for an empty array,
/// ResourceError for one that exceeds the memory budget
[[nodiscard]] Index count_of(const std::vector<Index>& shape, std::size_t each,
                             const std::string& place, const Context& context);

/// Throws std::bad_alloc, which the waiting process reports, where the last call of HDF5 failed for
/// lack of memory.
void rethrow_lack_of_memory();

/// Rows of a data set that are read at once: whole chunks.
struct BlockOfRows {
  Index rows = 0;
  Index row_entries = 1;
};
/// \param each  bytes of an entry in memory;  \param room  bytes for the block and what HDF5 needs
/// to fill it \throws std::bad_alloc if there is not enough
[[nodiscard]] BlockOfRows plan_blocks(hid_t dataset, const std::vector<Index>& shape,
                                      std::size_t each, std::size_t room);

/// Calls read(memory space, file space) for `count` rows from `first` on; false if that fails.
[[nodiscard]] bool read_rows(hid_t dataset, const std::vector<Index>& shape, Index first,
                             Index count, const std::function<bool(hid_t, hid_t)>& read);

/// Writes the numbers of an open data set in C order; false where one cannot be read.
/// \param room  bytes of memory \throws std::bad_alloc if there is not enough
[[nodiscard]] bool write_numbers(hid_t dataset, const std::vector<Index>& shape, std::size_t room,
                                 const Descriptor& out);

}  // namespace kernmix
