#pragma once
/// \file
/// The texts of data sets and attributes of an HDF5 file, read by a copy of the process. A file may
/// refer to one text from many entries, so that its size says nothing of theirs.

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "base/descriptor.hpp"
#include "data/hdf5/handle.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Writes the texts of an open data set, each with a zero at its end; false where one cannot be
/// read. \param room  bytes of memory \throws std::bad_alloc if there is not enough
[[nodiscard]] bool write_texts(hid_t dataset, const std::vector<Index>& shape, std::size_t room,
                               const Descriptor& out);

using TakeText = std::function<void(std::string_view)>;

/// Takes the texts or integers of an attribute; none of another type.
/// \param room  bytes of memory \throws std::bad_alloc if there is not enough
void take_attribute(hid_t attribute, std::size_t room, const TakeText& take);

}  // namespace kernmix
