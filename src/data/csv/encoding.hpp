#pragma once
/// \file
/// Encodings of text files.

#include <cstdint>
#include <string>
#include <string_view>

#include "kernmix/context.hpp"

namespace kernmix {

/// Whether `text` is UTF-8 without overlong forms and surrogates, as ASCII is.
[[nodiscard]] bool is_utf8(std::string_view text);

/// A character of UTF-8.
struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: there is none
};
[[nodiscard]] Utf8Character character_at(std::string_view text, std::size_t i);

/// Appends a character of Unicode, a code up to 0x10ffff that is no surrogate.
void append_utf8(std::string& text, std::uint32_t c);

/// Removes byte order marks at the beginning of lines, where concatenated files have them.
void remove_marks(std::string& text);

inline constexpr const char* windows_encoding = "Windows-1252";
/// In UTF-8.
[[nodiscard]] std::string from_windows_1252(std::string_view bytes);

enum class Utf16 : char { no, little_endian, big_endian };
/// By its byte order mark, or because every other byte is zero.
[[nodiscard]] Utf16 utf16_of(std::string_view bytes);

/// Turns text that begins with a byte order mark of UTF-8, is UTF-16, or is not UTF-8 (then it is
/// read as Windows-1252, which has the letters of Latin-1), into UTF-8 without the mark.
/// \returns the name of its encoding
/// \throws DataError for UTF-16 that ends within a character or has lone surrogates, ResourceError
/// if both texts do not fit in the memory allowed
std::string decode_text(std::string& text, const std::string& path, const Context& context);

}  // namespace kernmix
