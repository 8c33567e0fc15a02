#include "data/hdf5/reading.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "data/arrays/separate_process.hpp"
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

[[noreturn]] void refuse(const std::string& place) {
  throw DataError(place + ": cannot be read: the file is damaged or truncated");
}

/// \param beside  numbers of the size of a double that are in memory at the same time
Index checked_count(const std::vector<Index>& shape, double each, double beside,
                    const std::string& place, const Context& context) {
  const double count = product(shape);
  if (count < 1.0) throw DataError(place + ": is empty");
  const double needed = std::min(count * each + beside, most_numbers);
  require_memory_of_numbers(place, static_cast<Index>(needed), context);
  return static_cast<Index>(count);
}

/// Calls read(memory, file, first, count) for blocks of rows; false ends it with a refusal.
using ReadBlock = std::function<bool(hid_t memory, hid_t file, Index first, Index count)>;

/// \param block  rows to read at once, rounded to whole chunks
void read_blocks(hid_t dataset, const std::vector<Index>& shape, Index block,
                 const std::string& place, const Context& context, const ReadBlock& read) {
  if (shape.empty()) {
    if (!read(H5S_ALL, H5S_ALL, 0, 1)) refuse(place);
    return;
  }
  const std::vector<Index> chunk = chunk_of(dataset);
  const Index together = chunk.empty() ? 1 : std::max<Index>(chunk[0], 1);
  const Index step = std::max<Index>(block / together, 1) * together;
  const Hdf5Handle space(hdf5().H5Dget_space(dataset), hdf5().H5Sclose);
  std::vector<hsize_t> begin(shape.size(), 0);
  std::vector<hsize_t> count(shape.begin(), shape.end());
  for (Index first = 0; first < shape[0]; first += step) {
    stop_reading_if_asked(place, context);
    const Index rows = std::min(step, shape[0] - first);
    begin[0] = static_cast<hsize_t>(first);
    count[0] = static_cast<hsize_t>(rows);
    const Hdf5Handle memory(
        hdf5().H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
        hdf5().H5Sclose);
    const bool selected = hdf5().H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, begin.data(),
                                                     nullptr, count.data(), nullptr) >= 0;
    if (!selected || !read(memory.id(), space.id(), first, rows)) refuse(place);
  }
}

/// The text of a fixed number of bytes, which zeros or blanks fill up.
std::string fixed_text(std::string_view bytes) {
  bytes = bytes.substr(0, bytes.find('\0'));
  const std::size_t last = bytes.find_last_not_of(' ');
  return std::string(bytes.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

/// Fills memory of the type of the texts.
using ReadTexts = std::function<bool(void*)>;

/// Takes `count` texts of a fixed number of bytes; {} if reading fails.
std::vector<std::string> take_fixed(hid_t type, Index count, const ReadTexts& read) {
  const std::size_t size = hdf5().H5Tget_size(type);
  std::string bytes(size * to_size(count), '\0');
  std::vector<std::string> texts;
  if (!read(bytes.data())) return texts;
  for (std::size_t k = 0; k < to_size(count); ++k) {
    texts.push_back(fixed_text(std::string_view(bytes).substr(k * size, size)));
  }
  return texts;
}

/// Writes `count` texts of variable length as their bytes and a zero, which no such text contains.
bool write_variable(hid_t type, hid_t space, Index count, const ReadTexts& read,
                    const Descriptor& out) {
  std::vector<char*> pointers(to_size(count), nullptr);
  if (!read(pointers.data())) return false;
  constexpr std::size_t buffer = std::size_t{1} << 16;
  std::string bytes;
  for (const char* const text : pointers) {
    if (text != nullptr) bytes += text;
    bytes += '\0';
    if (bytes.size() < buffer) continue;
    if (!write_all(out, bytes)) return false;
    bytes.clear();
  }
  hdf5().H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return write_all(out, bytes);
}

/// The texts that `write` gives to write_variable(). A damaged file can end libhdf5 here: it does
/// not check the references to such texts (H5HG_read, up to version 1.10 at least).
std::vector<std::string> take_variable(Index count,
                                       const std::function<bool(const Descriptor& out)>& write,
                                       const std::string& place, const Context& context) {
  std::vector<std::string> texts;
  std::string open;  // the text that has begun
  std::size_t bytes = 0;
  const auto take = [&](std::string_view piece) {
    bytes += piece.size();
    for (std::size_t end = 0; (end = piece.find('\0')) != std::string_view::npos;) {
      texts.push_back(open.append(piece.substr(0, end)));
      open.clear();
      piece.remove_prefix(end + 1);
    }
    open += piece;
    const std::size_t held = bytes + texts.size() * sizeof(std::string);
    require_memory_of_numbers(place, static_cast<Index>(held / sizeof(double)), context);
  };
  if (!in_separate_process(write, take, place, context) || length(texts) != count) refuse(place);
  return texts;
}

}  // namespace

Vector read_numbers(hid_t dataset, const std::vector<Index>& shape, const std::string& place,
                    const Context& context) {
  if (dataset < 0) refuse(place);
  constexpr Index block_numbers = Index{1} << 20;
  const double chunk = product(chunk_of(dataset));
  Vector numbers(to_size(checked_count(shape, 1.0, chunk, place, context)));
  const Index row = shape.empty() ? 1 : length(numbers) / shape[0];
  read_blocks(dataset, shape, block_numbers / row, place, context,
              [&](hid_t memory, hid_t file, Index first, Index) {
                double* const out = numbers.data() + first * row;
                return hdf5().H5Dread(dataset, hdf5().native_double, memory, file, H5P_DEFAULT,
                                      out) >= 0;
              });
  return numbers;
}

std::vector<std::string> read_texts(hid_t dataset, const std::vector<Index>& shape,
                                    const std::string& place, const Context& context) {
  if (dataset < 0) refuse(place);
  constexpr Index block = 4096;
  const Hdf5Handle type(hdf5().H5Dget_type(dataset), hdf5().H5Tclose);
  const double each =
      static_cast<double>(hdf5().H5Tget_size(type.id()) + sizeof(std::string)) / 8.0;
  const Index all = checked_count(shape, each, product(chunk_of(dataset)), place, context);
  const Index row = shape.empty() ? 1 : all / shape[0];
  const Index rows_of_block = std::max<Index>(block / row, 1);
  const auto read = [&](hid_t memory, hid_t file, void* out) {
    return hdf5().H5Dread(dataset, type.id(), memory, file, H5P_DEFAULT, out) >= 0;
  };
  if (hdf5().H5Tis_variable_str(type.id()) > 0) {
    const auto write = [&](const Descriptor& out) {
      const Hdf5Handle whole(hdf5().H5Dget_space(dataset), hdf5().H5Sclose);
      read_blocks(dataset, shape, rows_of_block, place, Context(),
                  [&](hid_t memory, hid_t file, Index, Index rows) {
                    const auto own = [&](void* to) { return read(memory, file, to); };
                    const hid_t taken = memory == H5S_ALL ? whole.id() : memory;
                    return write_variable(type.id(), taken, rows * row, own, out);
                  });
      return true;
    };
    return take_variable(all, write, place, context);
  }
  std::vector<std::string> texts;
  read_blocks(dataset, shape, rows_of_block, place, context,
              [&](hid_t memory, hid_t file, Index, Index rows) {
                const auto own = [&](void* to) { return read(memory, file, to); };
                std::vector<std::string> some = take_fixed(type.id(), rows * row, own);
                if (some.empty()) return false;
                std::ranges::move(some, std::back_inserter(texts));
                return true;
              });
  return texts;
}

std::vector<std::string> read_attribute(hid_t attribute, const std::string& place,
                                        const Context& context) {
  constexpr hssize_t most = 1000000;
  const Hdf5Handle type(hdf5().H5Aget_type(attribute), hdf5().H5Tclose);
  const Hdf5Handle space(hdf5().H5Aget_space(attribute), hdf5().H5Sclose);
  const hssize_t count = hdf5().H5Sget_simple_extent_npoints(space.id());
  if (count < 1 || count > most) return {};
  const H5T_class_t kind = hdf5().H5Tget_class(type.id());
  if (kind == H5T_STRING) {
    const auto read = [&](void* out) { return hdf5().H5Aread(attribute, type.id(), out) >= 0; };
    if (hdf5().H5Tis_variable_str(type.id()) <= 0) return take_fixed(type.id(), count, read);
    const auto write = [&](const Descriptor& out) {
      return write_variable(type.id(), space.id(), count, read, out);
    };
    return take_variable(count, write, place, context);
  }
  if (kind != H5T_INTEGER) return {};
  std::vector<long long> numbers(to_size(count));
  if (hdf5().H5Aread(attribute, hdf5().native_long_long, numbers.data()) < 0) return {};
  std::vector<std::string> texts;
  for (const long long number : numbers) texts.push_back(std::to_string(number));
  return texts;
}

}  // namespace kernmix
