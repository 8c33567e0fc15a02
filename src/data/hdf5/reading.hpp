#pragma once
/// \file
/// The entries of data sets and attributes of an HDF5 file, read by a copy of the process.

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

/// Writes the numbers of an open data set in C order, read in blocks of whole chunks; false where
/// one cannot be read. \throws ResourceError for chunks that exceed the memory budget
[[nodiscard]] bool write_numbers(hid_t dataset, const std::vector<Index>& shape,
                                 const Context& context, const Descriptor& out);

/// The same for texts, each with a zero at its end.
[[nodiscard]] bool write_texts(hid_t dataset, const std::vector<Index>& shape,
                               const Context& context, const Descriptor& out);

/// The texts or integers of an attribute; empty for another type.
[[nodiscard]] std::vector<std::string> read_attribute(hid_t attribute);

}  // namespace kernmix
