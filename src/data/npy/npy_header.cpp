#include "data/npy/npy_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "base/text.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr std::size_t kMagicBytes = 6;

/// Reads `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }` in any order of keys.
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, const std::string& path, bool in_archive)
      : text_(text), path_(path), in_archive_(in_archive) {}

  void read(NpyHeader& header) {
    expect('{');
    int keys = 0;
    for (; !accept('}'); ++keys) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr") {
        read_type(header);
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
      } else if (key == "shape") {
        read_shape(header);
      } else {
        malformed();
      }
      if (!accept(',')) {
        expect('}');
        ++keys;
        break;
      }
    }
    if (keys != 3 || !has_type_) malformed();
    if (header.shape.empty() && !in_archive_) refuse_dimensions();
  }

 private:
  [[noreturn]] void malformed() const {
    throw DataError(path_ + ": the NPY header is malformed; save the array again with numpy.save");
  }

  [[noreturn]] void refuse_dimensions() const {
    throw DataError(path_ + ": only arrays of 1 to 3 dimensions are read");
  }

  bool accept(char c) {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n'))
      text_.remove_prefix(1);
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) malformed();
  }

  std::string_view string() {
    const char mark = accept('\'') ? '\'' : '"';
    if (mark == '"') expect('"');
    const std::size_t end = text_.find(mark);
    if (end == std::string_view::npos) malformed();
    const std::string_view content = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return content;
  }

  bool boolean() {
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      const std::string_view rest = trim(text_);
      if (rest.substr(0, word.size()) != word) continue;
      text_ = rest.substr(word.size());
      return value;
    }
    malformed();
  }

  /// Byte order, kind and bytes of an element: "<f8".
  static bool is_number(std::string_view type) {
    if (type.size() != 3 || std::string_view("<>|=").find(type[0]) == std::string_view::npos) {
      return false;
    }
    const std::string_view kind_and_bytes = type.substr(1);
    for (const std::string_view known :
         {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}) {
      if (kind_and_bytes == known) return true;
    }
    return false;
  }

  /// "<U12" or "|S3".
  static bool is_text(std::string_view type) {
    return type.size() > 2 && (type[1] == 'U' || type[1] == 'S') && type[2] != '0' &&
           type.size() < 10 && type.find_first_not_of("0123456789", 2) == std::string_view::npos;
  }

  void read_type(NpyHeader& header) {
    if (accept('['))
      throw DataError(path_ + ": structured arrays are not read; save plain numbers");
    const std::string_view type = string();
    has_type_ = true;
    if (in_archive_ && is_text(type)) {
      header.kind = type[1];
      header.item_bytes = 0;
      std::from_chars(type.data() + 2, type.data() + type.size(), header.item_bytes);
      if (header.kind == 'U') header.item_bytes *= 4;
      header.big_endian = type[0] == '>';
      return;
    }
    if (type == "|O") {
      throw DataError(path_ +
                      ": arrays of type '|O' are not read: they hold Python objects; convert them "
                      "with astype(str) or astype(float)");
    }
    if (!is_number(type)) {
      throw DataError(path_ + ": arrays of type " + in_quotes(type) +
                      " are not read; save float32, float64, integers or booleans");
    }
    const char order = type[0];
    const char kind = type[1];
    const char bytes = type[2];
    header.kind = kind;
    header.item_bytes = to_size(bytes - '0');
    header.big_endian = order == '>' || (order != '<' && std::endian::native == std::endian::big);
  }

  void read_shape(NpyHeader& header) {
    header.shape.clear();
    expect('(');
    while (!accept(')')) {
      if (header.shape.size() == 3) refuse_dimensions();
      Index extent = -1;
      const char* const end = text_.data() + text_.size();
      const auto parsed = std::from_chars(text_.data(), end, extent);
      if (parsed.ec != std::errc() || extent < 0) malformed();
      text_.remove_prefix(to_size(parsed.ptr - text_.data()));
      header.shape.push_back(extent);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string_view text_;
  const std::string& path_;
  bool in_archive_;
  bool has_type_ = false;
};

/// A little-endian unsigned number of `count` bytes.
std::size_t little_endian(std::string_view bytes, std::size_t begin, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t k = count; k-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[begin + k]);
  }
  return value;
}

/// Numbers of type T, in the machine's byte order or, where `reversed`, in the other.
template <typename T, bool reversed>
void convert(const char* bytes, MutableSpan out) {
  for (double& number : out) {
    std::array<char, sizeof(T)> copy;
    std::memcpy(copy.data(), bytes, sizeof(T));
    if constexpr (reversed) std::ranges::reverse(copy);
    number = static_cast<double>(std::bit_cast<T>(copy));
    bytes += sizeof(T);
  }
}

template <typename T>
void convert(const char* bytes, bool reversed, MutableSpan out) {
  if (reversed) {
    convert<T, true>(bytes, out);
  } else {
    convert<T, false>(bytes, out);
  }
}

}  // namespace

std::size_t npy_numbers(const NpyHeader& header, std::size_t data_bytes, const std::string& path) {
  std::size_t count = 1;
  for (const Index extent : header.shape) {
    if (extent == 0) throw DataError(path + ": the array is empty");
    const auto factor = to_size(extent);
    if (factor > data_bytes / header.item_bytes / count) {
      throw DataError(fmt::format("{}: is truncated: {} bytes of values are too few for shape ({})",
                                  path, data_bytes, fmt::join(header.shape, ", ")));
    }
    count *= factor;
  }
  if (count * header.item_bytes != data_bytes) {
    throw DataError(fmt::format("{}: {} bytes of values are too many for shape ({})", path,
                                data_bytes, fmt::join(header.shape, ", ")));
  }
  return count;
}

void convert_npy(const NpyHeader& header, const char* bytes, MutableSpan out) {
  const bool reversed = header.big_endian == (std::endian::native == std::endian::little);
  const auto all = [&]<typename T>(T) { convert<T>(bytes, reversed, out); };
  switch (header.item_bytes + (header.kind == 'f' ? 100 : header.kind == 'i' ? 0 : 10)) {
    case 104:
      return all(float());
    case 108:
      return all(double());
    case 1:
      return all(std::int8_t());
    case 2:
      return all(std::int16_t());
    case 4:
      return all(std::int32_t());
    case 8:
      return all(std::int64_t());
    case 11:
      return all(std::uint8_t());
    case 12:
      return all(std::uint16_t());
    case 14:
      return all(std::uint32_t());
    default:
      return all(std::uint64_t());
  }
}

NpyHeader parse_npy_header(std::string_view bytes, const std::string& path, bool in_archive) {
  if (!is_npy(bytes)) throw DataError(path + ": is not an NPY file; save it with numpy.save");
  const int version =
      bytes.size() > kMagicBytes ? static_cast<unsigned char>(bytes[kMagicBytes]) : 0;
  const std::size_t size_bytes = version == 1 ? 2 : 4;
  const std::size_t text_begin = kMagicBytes + 2 + size_bytes;
  if (bytes.size() < text_begin) throw DataError(path + ": is truncated within the NPY header");
  if (version < 1 || version > 3) {
    throw DataError(
        fmt::format("{}: NPY format version {} is not known, only 1 to 3", path, version));
  }
  const std::size_t text_bytes = little_endian(bytes, kMagicBytes + 2, size_bytes);
  if (text_bytes > bytes.size() - text_begin) {
    throw DataError(path + ": is truncated within the NPY header");
  }
  NpyHeader header;
  header.data_begin = text_begin + text_bytes;
  DictionaryReader(bytes.substr(text_begin, text_bytes), path, in_archive).read(header);
  return header;
}

}  // namespace kernmix
