#include "data/hdf5/reading.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>

#include "data/file.hpp"
#include "data/hdf5/description.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr double most_numbers = 1e15;

double product(const std::vector<Index>& extents) {
  return std::accumulate(extents.begin(), extents.end(), 1.0, [](double all, Index extent) {
    return all * static_cast<double>(extent);
  });
}

/// Calls read(memory, file, count) for blocks of rows; false ends it.
using ReadBlock = std::function<bool(hid_t memory, hid_t file, Index count)>;

/// \param block  rows to read at once, rounded to whole chunks
bool read_blocks(hid_t dataset, const std::vector<Index>& shape, Index block,
                 const Context& context, const ReadBlock& read) {
  if (shape.empty()) return read(H5S_ALL, H5S_ALL, 1);
  const std::vector<Index> chunk = chunk_of(dataset);
  require_memory_of_numbers("a chunk", static_cast<Index>(std::min(product(chunk), most_numbers)),
                            context);
  const Index together = chunk.empty() ? 1 : std::max<Index>(chunk[0], 1);
  const Index step = std::max<Index>(block / together, 1) * together;
  const Hdf5Handle space(hdf5().H5Dget_space(dataset), hdf5().H5Sclose);
  std::vector<hsize_t> begin(shape.size(), 0);
  std::vector<hsize_t> count(shape.begin(), shape.end());
  for (Index first = 0; first < shape[0]; first += step) {
    const Index rows = std::min(step, shape[0] - first);
    begin[0] = static_cast<hsize_t>(first);
    count[0] = static_cast<hsize_t>(rows);
    const Hdf5Handle memory(
        hdf5().H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
        hdf5().H5Sclose);
    const bool selected = hdf5().H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, begin.data(),
                                                     nullptr, count.data(), nullptr) >= 0;
    if (!selected || !read(memory.id(), space.id(), rows)) return false;
  }
  return true;
}

/// The text of a fixed number of bytes, which zeros or blanks fill up.
std::string fixed_text(std::string_view bytes) {
  bytes = bytes.substr(0, bytes.find('\0'));
  const std::size_t last = bytes.find_last_not_of(' ');
  return std::string(bytes.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

/// Fills memory of the type of the texts.
using ReadTexts = std::function<bool(void*)>;
using TakeText = std::function<void(std::string_view)>;

/// Takes `count` texts; false if reading fails. \param space  of the texts in memory
bool take_texts(hid_t type, hid_t space, Index count, const ReadTexts& read, const TakeText& take) {
  if (hdf5().H5Tis_variable_str(type) > 0) {
    std::vector<char*> pointers(to_size(count), nullptr);
    if (!read(pointers.data())) return false;
    for (const char* const text : pointers) take(text == nullptr ? "" : text);
    hdf5().H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
    return true;
  }
  const std::size_t size = hdf5().H5Tget_size(type);
  std::string bytes(size * to_size(count), '\0');
  if (!read(bytes.data())) return false;
  for (std::size_t k = 0; k < to_size(count); ++k) {
    take(fixed_text(std::string_view(bytes).substr(k * size, size)));
  }
  return true;
}

}  // namespace

Index count_of(const std::vector<Index>& shape, std::size_t each, const std::string& place,
               const Context& context) {
  const double count = product(shape);
  if (count < 1.0) throw DataError(place + ": is empty");
  const double numbers = count * static_cast<double>(each) / sizeof(double);
  require_memory_of_numbers(place, static_cast<Index>(std::min(numbers, most_numbers)), context);
  return static_cast<Index>(count);
}

bool write_numbers(hid_t dataset, const std::vector<Index>& shape, const Context& context,
                   const Descriptor& out) {
  constexpr Index block_numbers = Index{1} << 20;
  const Index row = static_cast<Index>(product(shape)) / (shape.empty() ? 1 : shape[0]);
  Vector block;
  return read_blocks(dataset, shape, block_numbers / row, context,
                     [&](hid_t memory, hid_t file, Index rows) {
                       block.resize(to_size(rows * row));
                       const bool done = hdf5().H5Dread(dataset, hdf5().native_double, memory, file,
                                                        H5P_DEFAULT, block.data()) >= 0;
                       const auto* const bytes = reinterpret_cast<const char*>(block.data());
                       return done && write_all(out, {bytes, block.size() * sizeof(double)});
                     });
}

bool write_texts(hid_t dataset, const std::vector<Index>& shape, const Context& context,
                 const Descriptor& out) {
  constexpr Index block_texts = 4096;
  constexpr std::size_t buffer = std::size_t{1} << 16;
  const Hdf5Handle type(hdf5().H5Dget_type(dataset), hdf5().H5Tclose);
  const Hdf5Handle whole(hdf5().H5Dget_space(dataset), hdf5().H5Sclose);
  const Index row = static_cast<Index>(product(shape)) / (shape.empty() ? 1 : shape[0]);
  std::string bytes;
  bool open = true;
  const auto take = [&](std::string_view text) {
    bytes.append(text);
    bytes += '\0';
    if (bytes.size() < buffer) return;
    open = open && write_all(out, bytes);
    bytes.clear();
  };
  const bool done =
      read_blocks(dataset, shape, std::max<Index>(block_texts / row, 1), context,
                  [&](hid_t memory, hid_t file, Index rows) {
                    const auto read = [&](void* to) {
                      return hdf5().H5Dread(dataset, type.id(), memory, file, H5P_DEFAULT, to) >= 0;
                    };
                    const hid_t space = memory == H5S_ALL ? whole.id() : memory;
                    return take_texts(type.id(), space, rows * row, read, take) && open;
                  });
  return done && write_all(out, bytes);
}

std::vector<std::string> read_attribute(hid_t attribute) {
  constexpr hssize_t most = 1000000;
  const Hdf5Handle type(hdf5().H5Aget_type(attribute), hdf5().H5Tclose);
  const Hdf5Handle space(hdf5().H5Aget_space(attribute), hdf5().H5Sclose);
  const hssize_t count = hdf5().H5Sget_simple_extent_npoints(space.id());
  std::vector<std::string> texts;
  if (count < 1 || count > most) return texts;
  const H5T_class_t kind = hdf5().H5Tget_class(type.id());
  if (kind == H5T_STRING) {
    const auto read = [&](void* out) { return hdf5().H5Aread(attribute, type.id(), out) >= 0; };
    const auto take = [&](std::string_view text) { texts.emplace_back(text); };
    return take_texts(type.id(), space.id(), count, read, take) ? texts
                                                                : std::vector<std::string>();
  }
  if (kind != H5T_INTEGER) return texts;
  std::vector<long long> numbers(to_size(count));
  if (hdf5().H5Aread(attribute, hdf5().native_long_long, numbers.data()) < 0) return texts;
  for (const long long number : numbers) texts.push_back(std::to_string(number));
  return texts;
}

}  // namespace kernmix
