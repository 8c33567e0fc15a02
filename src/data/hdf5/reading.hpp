#pragma once
/// \file
/// The entries of data sets and attributes of an HDF5 file.

#include <string>
#include <vector>

#include "data/hdf5/handle.hpp"
#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// The numbers of an open data set in C order, read in blocks of whole chunks.
/// \param place for messages \throws DataError, ResourceError
[[nodiscard]] Vector read_numbers(hid_t dataset, const std::vector<Index>& shape,
                                  const std::string& place, const Context& context);

/// The same for texts.
[[nodiscard]] std::vector<std::string> read_texts(hid_t dataset, const std::vector<Index>& shape,
                                                  const std::string& place, const Context& context);

/// The texts or integers of an attribute; empty for another type. \throws as read_texts()
[[nodiscard]] std::vector<std::string> read_attribute(hid_t attribute, const std::string& place,
                                                      const Context& context);

}  // namespace kernmix
