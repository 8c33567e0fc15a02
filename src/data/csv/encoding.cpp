#include "data/csv/encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using namespace std::string_view_literals;

/// The characters of Windows-1252 for the bytes 0x80 to 0x9f; the five unassigned bytes are
/// control characters, as in browsers.
constexpr std::array<std::uint16_t, 32> windows_1252 = {
    0x20ac, 0x81,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8d,   0x017d, 0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,   0x017e, 0x0178};

std::size_t high_bytes(std::string_view bytes) {
  return to_size(std::ranges::count_if(bytes, [](char c) { return (c & 0x80) != 0; }));
}

/// \param low  position of the low byte in each pair: 0 (little-endian) or 1
std::string from_utf16(std::string_view bytes, std::size_t low, const std::string& path) {
  const auto refuse = [&] {
    throw DataError(path + ": is not valid UTF-16 text; save it as UTF-8");
  };
  if (bytes.size() % 2 != 0) refuse();
  const auto unit = [&](std::size_t i) -> std::uint32_t {
    return static_cast<unsigned char>(bytes[i + low]) |
           static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + 1 - low])) << 8;
  };
  std::string text;
  text.reserve(3 * bytes.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    std::uint32_t c = unit(i);
    if (c >= 0xd800 && c < 0xe000) {
      const std::uint32_t next = c < 0xdc00 && i + 2 < bytes.size() ? unit(i + 2) : 0;
      if (next < 0xdc00 || next >= 0xe000) refuse();
      c = 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00);
      i += 2;
    }
    append_utf8(text, c);
  }
  return text;
}

/// Length of the character with this first byte, which is not ASCII; 0 if there is none.
std::size_t length_by_first(unsigned first) {
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// Length of the character that starts at text[i], which is not ASCII; 0 if there is none.
std::size_t character_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
  };
  const unsigned first = byte(0);
  const std::size_t length = length_by_first(first);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0U) != 0x80U) return 0;
  }
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool beyond = (first == 0xed && byte(1) >= 0xa0) || (first == 0xf4 && byte(1) >= 0x90);
  return overlong || beyond ? 0 : length;
}

}  // namespace

Utf8Character character_at(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) -> std::uint32_t {
    return static_cast<unsigned char>(text[i + k]);
  };
  if (i >= text.size()) return {};
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length = character_length(text, i);
  if (length == 0) return {};
  std::uint32_t code = byte(0) & (0x7fU >> length);
  for (std::size_t k = 1; k < length; ++k) code = code << 6 | (byte(k) & 0x3fU);
  return {code, length};
}

void append_utf8(std::string& text, std::uint32_t c) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xc0 | c >> 6);
    byte(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    byte(0xe0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3f));
    byte(0x80 | (c & 0x3f));
  } else {
    byte(0xf0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3f));
    byte(0x80 | (c >> 6 & 0x3f));
    byte(0x80 | (c & 0x3f));
  }
}

bool is_utf8(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080U;
  for (std::size_t i = 0; i < text.size();) {
    std::uint64_t eight = high_bits;
    if (i + sizeof eight <= text.size()) std::memcpy(&eight, text.data() + i, sizeof eight);
    if ((eight & high_bits) == 0) {
      i += sizeof eight;
    } else if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
    } else {
      const std::size_t length = character_length(text, i);
      if (length == 0) return false;
      i += length;
    }
  }
  return true;
}

Utf16 utf16_of(std::string_view bytes) {
  const auto starts = [&](std::string_view mark) { return bytes.starts_with(mark); };
  if (starts("\xff\xfe\0\0"sv) || starts("\0\0\xfe\xff"sv)) return Utf16::no;
  if (starts("\xff\xfe"sv)) return Utf16::little_endian;
  if (starts("\xfe\xff"sv)) return Utf16::big_endian;
  // Without a mark: the letters of a header are ASCII, so that every other byte is zero.
  constexpr std::size_t looked_at = 256;
  if (bytes.size() % 2 != 0) return Utf16::no;
  std::array<std::size_t, 2> zeros = {0, 0};
  const std::size_t count = std::min(bytes.size(), looked_at);
  for (std::size_t i = 0; i < count; ++i) zeros[i % 2] += bytes[i] == '\0' ? 1 : 0;
  if (zeros[0] == 0 && 4 * zeros[1] > count) return Utf16::little_endian;
  if (zeros[1] == 0 && 4 * zeros[0] > count) return Utf16::big_endian;
  return Utf16::no;
}

std::string from_windows_1252(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + 2 * high_bytes(bytes));
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(text, byte >= 0x80 && byte < 0xa0 ? windows_1252[byte - 0x80U] : byte);
  }
  return text;
}

void remove_marks(std::string& text) {
  constexpr std::string_view mark = "\xef\xbb\xbf"sv;
  if (text.starts_with(mark)) text.erase(0, mark.size());
  std::size_t found = text.find("\n\xef\xbb\xbf"sv);
  if (found == std::string::npos) return;
  std::size_t written = found + 1;
  while (found != std::string::npos) {
    const std::size_t from = found + 1 + mark.size();
    found = text.find("\n\xef\xbb\xbf"sv, from);
    const std::size_t to = found == std::string::npos ? text.size() : found + 1;
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(from),
              text.begin() + static_cast<std::ptrdiff_t>(to),
              text.begin() + static_cast<std::ptrdiff_t>(written));
    written += to - from;
  }
  text.resize(written);
}

namespace {

std::string decode_bytes(std::string& text, const std::string& path, const Context& context) {
  const Utf16 utf16 = utf16_of(text);
  if (utf16 == Utf16::no) {
    if (text.ends_with('\x1a')) text.pop_back();  // the end of a file of DOS
    if (is_utf8(text)) return "UTF-8";
    require_memory_of_bytes(path, 2 * text.size() + 2 * high_bytes(text), context);
    text = from_windows_1252(text);
    return windows_encoding;
  }
  require_memory_of_bytes(path, 5 * text.size() / 2, context);
  const bool little = utf16 == Utf16::little_endian;
  const bool marked = text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv);
  text = from_utf16(std::string_view(text).substr(marked ? 2 : 0), little ? 0 : 1, path);
  return little ? "UTF-16 LE" : "UTF-16 BE";
}

}  // namespace

std::string decode_text(std::string& text, const std::string& path, const Context& context) {
  if (utf16_of(text) == Utf16::no) remove_marks(text);
  std::string encoding = decode_bytes(text, path, context);
  remove_marks(text);
  return encoding;
}

}  // namespace kernmix
