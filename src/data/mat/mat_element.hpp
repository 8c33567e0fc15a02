#pragma once
/// \file
/// Data elements of MATLAB files of version 5 to 7 ("MAT-File Format", The MathWorks).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

struct MatElement {
  std::uint32_t type = 0;
  std::string_view data;
};

/// The types of elements that are not plain numbers.
constexpr std::uint32_t mat_matrix = 14;
constexpr std::uint32_t mat_compressed = 15;
/// Types of characters, beside units of UTF-16 and whole characters.
constexpr std::uint32_t mat_int8 = 1;
constexpr std::uint32_t mat_uint8 = 2;
constexpr std::uint32_t mat_utf8 = 16;

/// Reads elements one after the other.
class MatElements {
 public:
  MatElements(std::string_view bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}
  /// The next element; nullopt at the end, or if the bytes end within it.
  [[nodiscard]] std::optional<MatElement> next();
  /// True if no byte is left.
  [[nodiscard]] bool ended() const { return bytes_.empty(); }

 private:
  [[nodiscard]] std::uint32_t word(std::size_t at) const;

  std::string_view bytes_;
  bool big_endian_;
};

/// Classes of variables.
enum class MatClass : std::uint8_t {
  cell = 1,
  structure,
  object,
  text,
  sparse,
  real64 = 6,
  last_number = 15
};

/// What a matrix element says before its values.
struct MatVariable {
  std::uint8_t kind = 0;  ///< a MatClass
  bool complex = false;
  bool logical = false;
  std::string name;
  std::vector<Index> dimensions;
  std::string_view values;  ///< the elements that follow
};

/// nullopt if it is damaged. \param content  of a matrix element, may end within the values
[[nodiscard]] std::optional<MatVariable> mat_variable(std::string_view content, bool big_endian);

/// The numbers of an element of integers, floats or characters; nullopt for another type.
[[nodiscard]] std::optional<Vector> mat_numbers(const MatElement& element, bool big_endian);

/// How many numbers it has, without reading them.
[[nodiscard]] std::size_t mat_count(const MatElement& element);

/// The entries of an array in MATLAB's order, first position fastest, in C order.
[[nodiscard]] Vector from_column_major(const Vector& numbers, const std::vector<Index>& shape);

/// What one number of an array of characters is: a byte of UTF-8, or a unit of UTF-16 or a whole
/// character.
enum class CharacterUnit : char { byte, utf16 };

/// The rows of a matrix of characters in C order, in UTF-8. \throws DataError for numbers that are
/// no characters
[[nodiscard]] std::vector<std::string> texts_of_codes(const Vector& codes, Index rows,
                                                      CharacterUnit unit, const std::string& place);

}  // namespace kernmix
