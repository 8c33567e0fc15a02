#include "data/hdf5/reading.hpp"

#include <algorithm>
#include <new>
#include <numeric>

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

/// Memory of HDF5 for one chunk: with filters, the stored chunk and two steps of its decompression.
double chunk_bytes(const StoredChunks& chunks) {
  if (chunks.extents.empty()) return 0.0;
  return product(chunks.extents) * static_cast<double>(chunks.entry_bytes) *
         (chunks.filtered ? 3.0 : 1.0);
}

herr_t note_lack_of_memory(unsigned /*level*/, const H5E_error2_t* error, void* found) {
  const bool lack = error->min_num == hdf5().no_space || error->min_num == hdf5().no_allocation;
  if (lack) *static_cast<bool*>(found) = true;
  return 0;
}

}  // namespace

void rethrow_lack_of_memory() {
  bool lack = false;
  hdf5().H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_lack_of_memory, &lack);
  if (lack) throw std::bad_alloc();
}

Index count_of(const std::vector<Index>& shape, std::size_t each, const std::string& place,
               const Context& context) {
  const double count = product(shape);
  if (count < 1.0) throw DataError(place + ": is empty");
  const double numbers = count * static_cast<double>(each) / sizeof(double);
  require_memory_of_numbers(place, static_cast<Index>(std::min(numbers, most_numbers)), context);
  return static_cast<Index>(count);
}

BlockOfRows plan_blocks(hid_t dataset, const std::vector<Index>& shape, std::size_t each,
                        std::size_t room) {
  constexpr double largest_block = 1 << 23;
  constexpr double share = 8.0;  // of the room, unless a row of chunks is larger
  const StoredChunks chunks = chunks_of(dataset);
  BlockOfRows block{1, 1};
  if (!shape.empty()) block.row_entries = static_cast<Index>(product(shape)) / shape[0];
  const double row_bytes = static_cast<double>(block.row_entries) * static_cast<double>(each);
  const Index together = chunks.extents.empty() ? 1 : std::max<Index>(chunks.extents[0], 1);
  const double wanted = std::min(largest_block, static_cast<double>(room) / share) / row_bytes;
  block.rows = std::max<Index>(static_cast<Index>(wanted) / together, 1) * together;
  block.rows = shape.empty() ? 1 : std::min(block.rows, shape[0]);
  const double needed = static_cast<double>(block.rows) * row_bytes + chunk_bytes(chunks);
  if (needed > static_cast<double>(room)) throw std::bad_alloc();
  return block;
}

bool read_rows(hid_t dataset, const std::vector<Index>& shape, Index first, Index count,
               const std::function<bool(hid_t, hid_t)>& read) {
  if (shape.empty()) return read(H5S_ALL, H5S_ALL);
  std::vector<hsize_t> begin(shape.size(), 0);
  std::vector<hsize_t> extents(shape.begin(), shape.end());
  begin[0] = static_cast<hsize_t>(first);
  extents[0] = static_cast<hsize_t>(count);
  const Hdf5Handle space(hdf5().H5Dget_space(dataset), hdf5().H5Sclose);
  const Hdf5Handle memory(
      hdf5().H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
      hdf5().H5Sclose);
  const bool selected = hdf5().H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, begin.data(),
                                                   nullptr, extents.data(), nullptr) >= 0;
  return selected && read(memory.id(), space.id());
}

bool write_numbers(hid_t dataset, const std::vector<Index>& shape, std::size_t room,
                   const Descriptor& out) {
  const BlockOfRows block = plan_blocks(dataset, shape, sizeof(double), room);
  const Index rows = shape.empty() ? 1 : shape[0];
  Vector numbers;
  for (Index first = 0; first < rows; first += block.rows) {
    const Index count = std::min(block.rows, rows - first);
    numbers.resize(to_size(count * block.row_entries));
    const bool done = read_rows(dataset, shape, first, count, [&](hid_t memory, hid_t file) {
      return hdf5().H5Dread(dataset, hdf5().native_double, memory, file, H5P_DEFAULT,
                            numbers.data()) >= 0;
    });
    if (!done) rethrow_lack_of_memory();
    const auto* const bytes = reinterpret_cast<const char*>(numbers.data());
    if (!done || !write_all(out, {bytes, numbers.size() * sizeof(double)})) return false;
  }
  return true;
}

}  // namespace kernmix
