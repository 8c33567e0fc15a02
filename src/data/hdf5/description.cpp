#include "data/hdf5/description.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string>

namespace kernmix {
namespace {

constexpr int most_dimensions = 3;

/// Whether an enumeration is what h5py writes for booleans.
bool is_boolean(hid_t type) {
  if (hdf5().H5Tget_nmembers(type) != 2) return false;
  const auto named = [&](unsigned k, std::string_view expected) {
    char* const name = hdf5().H5Tget_member_name(type, k);
    const bool same = name != nullptr && name == expected;
    hdf5().H5free_memory(name);
    return same;
  };
  return named(0, "FALSE") && named(1, "TRUE");
}

void refuse(StoredArray& array, std::string why) {
  array.content = ArrayContent::other;
  array.refusal = std::move(why);
}

void describe_type(hid_t dataset, StoredArray& array) {
  const Hdf5Handle type(hdf5().H5Dget_type(dataset), hdf5().H5Tclose);
  const std::size_t bits = type.valid() ? 8 * hdf5().H5Tget_size(type.id()) : 0;
  switch (type.valid() ? hdf5().H5Tget_class(type.id()) : H5T_NO_CLASS) {
    case H5T_FLOAT:
      array.content = ArrayContent::numbers;
      array.type = fmt::format("float{}", bits);
      return;
    case H5T_INTEGER:
      array.content = ArrayContent::numbers;
      array.type =
          fmt::format("{}int{}", hdf5().H5Tget_sign(type.id()) == H5T_SGN_NONE ? "u" : "", bits);
      return;
    case H5T_STRING:
      array.content = ArrayContent::texts;
      array.type = "text";
      return;
    case H5T_ENUM:
      array.type = "bool";
      array.content = ArrayContent::numbers;
      if (is_boolean(type.id())) return;
      array.type = "enumeration";
      return refuse(array, "is an enumeration; save its numbers or names");
    case H5T_COMPOUND:
      array.type = "compound";
      array.refusal =
          "has compound entries, such as complex numbers or records; save each of their parts as "
          "an array of numbers";
      return;
    default:
      array.type = "other";
      array.refusal = "has entries that are neither numbers nor texts; save it as numbers";
  }
}

void describe_shape(hid_t dataset, StoredArray& array) {
  const Hdf5Handle space(hdf5().H5Dget_space(dataset), hdf5().H5Sclose);
  const int dimensions = space.valid() ? hdf5().H5Sget_simple_extent_ndims(space.id()) : -1;
  if (dimensions < 0 || hdf5().H5Sget_simple_extent_type(space.id()) == H5S_NULL) {
    return refuse(array, "is empty");
  }
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  hdf5().H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
  for (int k = 0; k < dimensions; ++k) {
    const hsize_t extent = extents[static_cast<std::size_t>(k)];
    constexpr auto most = static_cast<hsize_t>(std::numeric_limits<Index>::max());
    if (extent > most) return refuse(array, "has an impossible shape");
    array.shape.push_back(static_cast<Index>(extent));
  }
  if (dimensions > most_dimensions) {
    refuse(array,
           fmt::format("has {} dimensions; only arrays of 1 to 3 dimensions are read", dimensions));
  }
}

/// Numbers in other files, and filters that only plug-ins know, are not read.
void check_storage(hid_t dataset, StoredArray& array) {
  const Hdf5Handle settings(hdf5().H5Dget_create_plist(dataset), hdf5().H5Pclose);
  if (!settings.valid()) return refuse(array, "cannot be examined: the file is damaged");
  if (hdf5().H5Pget_layout(settings.id()) == H5D_VIRTUAL ||
      hdf5().H5Pget_external_count(settings.id()) > 0) {
    return refuse(array, "is stored in other files; copy the numbers into one file (h5repack)");
  }
  const int filters = hdf5().H5Pget_nfilters(settings.id());
  for (int k = 0; k < filters; ++k) {
    std::array<char, 64> name{};
    unsigned flags = 0;
    unsigned config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        hdf5().H5Pget_filter2(settings.id(), static_cast<unsigned>(k), &flags, &values, nullptr,
                              name.size() - 1, name.data(), &config);
    if (filter >= 0 && hdf5().H5Zfilter_avail(filter) > 0) continue;
    return refuse(array, fmt::format("is compressed with the filter {} ({}), which needs a "
                                     "plug-in, and plug-ins are not loaded; write it again with "
                                     "compression='gzip'",
                                     filter, name.data()));
  }
}

}  // namespace

StoredArray describe_dataset(hid_t dataset) {
  StoredArray array;
  describe_type(dataset, array);
  describe_shape(dataset, array);
  check_storage(dataset, array);
  return array;
}

StoredChunks chunks_of(hid_t dataset) {
  StoredChunks chunks;
  const Hdf5Handle type(hdf5().H5Dget_type(dataset), hdf5().H5Tclose);
  if (type.valid()) chunks.entry_bytes = hdf5().H5Tget_size(type.id());
  const Hdf5Handle settings(hdf5().H5Dget_create_plist(dataset), hdf5().H5Pclose);
  if (!settings.valid() || hdf5().H5Pget_layout(settings.id()) != H5D_CHUNKED) return chunks;
  chunks.filtered = hdf5().H5Pget_nfilters(settings.id()) > 0;
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  const int dimensions = hdf5().H5Pget_chunk(settings.id(), H5S_MAX_RANK, extents.data());
  for (int k = 0; k < dimensions; ++k) {
    chunks.extents.push_back(static_cast<Index>(extents[static_cast<std::size_t>(k)]));
  }
  return chunks;
}

}  // namespace kernmix
