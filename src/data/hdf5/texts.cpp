#include "data/hdf5/texts.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "data/hdf5/reading.hpp"

namespace kernmix {
namespace {

/// The text of a fixed number of bytes, which zeros or blanks fill up.
std::string_view fixed_text(std::string_view bytes) {
  bytes = bytes.substr(0, bytes.find('\0'));
  const std::size_t last = bytes.find_last_not_of(' ');
  return bytes.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

void take_fixed(std::string_view bytes, std::size_t size, const TakeText& take) {
  for (; bytes.size() >= size; bytes.remove_prefix(size)) take(fixed_text(bytes.substr(0, size)));
}

/// Memory for the variable texts of one block, which HDF5 asks for text by text.
class TextArena {
 public:
  explicit TextArena(std::size_t bytes) : bytes_(bytes) {}
  /// Forgets all texts.
  void clear() {
    used_ = 0;
    overflowed_ = false;
  }
  void grow(std::size_t bytes) { bytes_.resize(bytes); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  /// The texts since clear() did not fit.
  [[nodiscard]] bool overflowed() const { return overflowed_; }

  static void* allocate(std::size_t size, void* arena) {
    auto& own = *static_cast<TextArena*>(arena);
    if (size > own.bytes_.size() - own.used_) {
      own.overflowed_ = true;
      return nullptr;
    }
    char* const begin = own.bytes_.data() + own.used_;
    own.used_ += size;
    return begin;
  }
  static void release(void* /*text*/, void* /*arena*/) {}

 private:
  std::vector<char> bytes_;
  std::size_t used_ = 0;
  bool overflowed_ = false;
};

constexpr std::size_t first_arena = std::size_t{1} << 20;
constexpr std::size_t arena_share = 4;  ///< of the room: HDF5 holds texts as well

/// The data set whose texts are read, and how.
struct TextSource {
  hid_t dataset;
  hid_t type;
  const std::vector<Index>& shape;
  std::size_t room;

  [[nodiscard]] Index rows() const { return shape.empty() ? 1 : shape[0]; }
};

bool read_fixed(const TextSource& source, const TakeText& take) {
  const std::size_t size = hdf5().H5Tget_size(source.type);
  const BlockOfRows block = plan_blocks(source.dataset, source.shape, size, source.room);
  std::string bytes;
  for (Index first = 0; first < source.rows(); first += block.rows) {
    const Index count = std::min(block.rows, source.rows() - first);
    bytes.resize(size * to_size(count * block.row_entries));
    const bool done =
        read_rows(source.dataset, source.shape, first, count, [&](hid_t memory, hid_t file) {
          return hdf5().H5Dread(source.dataset, source.type, memory, file, H5P_DEFAULT,
                                bytes.data()) >= 0;
        });
    if (!done) rethrow_lack_of_memory();
    if (!done) return false;
    take_fixed(bytes, size, take);
  }
  return true;
}

/// Fewer rows at once where the texts of a block do not fit into the arena, and a larger arena
/// where those of one row do not.
bool read_variable(const TextSource& source, const TakeText& take) {
  const Hdf5Handle settings(hdf5().H5Pcreate(hdf5().reading), hdf5().H5Pclose);
  TextArena arena(std::min(first_arena, source.room / arena_share));
  if (hdf5().H5Pset_vlen_mem_manager(settings.id(), TextArena::allocate, &arena, TextArena::release,
                                     &arena) < 0) {
    return false;
  }
  const BlockOfRows block = plan_blocks(source.dataset, source.shape, sizeof(char*), source.room);
  std::vector<char*> pointers(to_size(block.rows * block.row_entries));
  Index together = block.rows;
  for (Index first = 0; first < source.rows();) {
    const Index count = std::min(together, source.rows() - first);
    arena.clear();
    std::ranges::fill(pointers, nullptr);
    const bool done =
        read_rows(source.dataset, source.shape, first, count, [&](hid_t memory, hid_t file) {
          return hdf5().H5Dread(source.dataset, source.type, memory, file, settings.id(),
                                pointers.data()) >= 0;
        });
    if (done) {
      for (std::size_t k = 0; k < to_size(count * block.row_entries); ++k) {
        take(pointers[k] == nullptr ? "" : pointers[k]);
      }
      first += count;
      together = std::min(2 * together, block.rows);
    } else if (!arena.overflowed()) {
      rethrow_lack_of_memory();
      return false;
    } else if (count > 1) {
      together = count / 2;
    } else if (2 * arena.size() <= source.room / arena_share) {
      arena.grow(2 * arena.size());
    } else {
      throw std::bad_alloc();
    }
  }
  return true;
}

}  // namespace

bool write_texts(hid_t dataset, const std::vector<Index>& shape, std::size_t room,
                 const Descriptor& out) {
  constexpr std::size_t buffer = std::size_t{1} << 16;
  const Hdf5Handle type(hdf5().H5Dget_type(dataset), hdf5().H5Tclose);
  if (!type.valid() || hdf5().H5Tget_size(type.id()) == 0) return false;
  std::string bytes;
  bool open = true;
  const auto take = [&](std::string_view text) {
    bytes.append(text);
    bytes += '\0';
    if (bytes.size() < buffer) return;
    open = open && write_all(out, bytes);
    bytes.clear();
  };
  const TextSource source{dataset, type.id(), shape, room};
  const bool variable = hdf5().H5Tis_variable_str(type.id()) > 0;
  return (variable ? read_variable(source, take) : read_fixed(source, take)) && open &&
         write_all(out, bytes);
}

void take_attribute(hid_t attribute, std::size_t room, const TakeText& take) {
  constexpr hssize_t most = 1000000;
  const Hdf5Handle type(hdf5().H5Aget_type(attribute), hdf5().H5Tclose);
  const Hdf5Handle space(hdf5().H5Aget_space(attribute), hdf5().H5Sclose);
  const hssize_t count = hdf5().H5Sget_simple_extent_npoints(space.id());
  if (count < 1 || count > most) return;
  const auto read = [&](hid_t memory_type, void* to) {
    const bool done = hdf5().H5Aread(attribute, memory_type, to) >= 0;
    if (!done) rethrow_lack_of_memory();
    return done;
  };
  const auto entries = static_cast<std::size_t>(count);
  const H5T_class_t kind = hdf5().H5Tget_class(type.id());
  if (kind == H5T_INTEGER) {
    std::vector<long long> numbers(entries);
    if (!read(hdf5().native_long_long, numbers.data())) return;
    for (const long long number : numbers) take(std::to_string(number));
  } else if (kind == H5T_STRING && hdf5().H5Tis_variable_str(type.id()) > 0) {
    // HDF5 allocates these texts by itself, and stops at the limit of the process.
    std::vector<char*> pointers(entries, nullptr);
    if (!read(type.id(), static_cast<void*>(pointers.data()))) return;
    for (const char* const text : pointers) take(text == nullptr ? "" : text);
    hdf5().H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
  } else if (kind == H5T_STRING) {
    const std::size_t size = std::max<std::size_t>(hdf5().H5Tget_size(type.id()), 1);
    if (entries > room / size) throw std::bad_alloc();
    std::string bytes(size * entries, '\0');
    if (read(type.id(), bytes.data())) take_fixed(bytes, size, take);
  }
}

}  // namespace kernmix
