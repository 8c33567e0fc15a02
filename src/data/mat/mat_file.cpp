#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "data/arrays/inflate.hpp"
#include "data/arrays/sparse.hpp"
#include "data/csv/encoding.hpp"
#include "data/file.hpp"
#include "data/mat/mat.hpp"
#include "data/mat/mat_element.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr std::size_t header_bytes = 128;

bool is_class(const MatVariable& variable, MatClass kind) {
  return variable.kind == static_cast<std::uint8_t>(kind);
}

bool is_number(const MatVariable& variable) {
  return variable.kind >= static_cast<std::uint8_t>(MatClass::real64) &&
         variable.kind <= static_cast<std::uint8_t>(MatClass::last_number);
}

/// Why a variable is not read; empty if it is.
std::string refusal_of(const MatVariable& variable) {
  if (variable.complex) return "has complex numbers; save their real parts: real(X)";
  if (is_class(variable, MatClass::cell)) {
    return "is a cell array; save matrices as one array, cat(3, X{:}), and texts as char(X)";
  }
  const bool readable = is_number(variable) || is_class(variable, MatClass::text) ||
                        is_class(variable, MatClass::sparse);
  if (!readable) return "is a structure or an object; save its arrays by themselves";
  if (variable.dimensions.size() > 3) return "has more than 3 dimensions";
  if (std::ranges::min(variable.dimensions) == 0) return "is empty";
  return "";
}

std::string type_of(const MatVariable& variable) {
  if (variable.logical) return "bool";
  if (is_class(variable, MatClass::sparse)) return "float (sparse)";
  if (is_class(variable, MatClass::text)) return "text";
  if (!is_number(variable)) return "other";
  const int kind = variable.kind - static_cast<int>(MatClass::real64);
  if (kind < 2) return kind == 0 ? "float64" : "float32";
  return fmt::format("{}int{}", kind % 2 == 0 ? "" : "u", 8 << (kind - 2) / 2);
}

/// The codes of UTF-8 as the dimensions count them: characters, units of UTF-16, or bytes.
Vector codes_of_utf8(std::string_view text, double count, CharacterUnit& unit) {
  Vector characters;
  Vector units;
  for (std::size_t i = 0; i < text.size();) {
    const auto [c, bytes] = character_at(text, i);
    if (bytes == 0) break;
    i += bytes;
    characters.push_back(c);
    if (c < 0x10000) {
      units.push_back(c);
    } else {
      units.push_back(0xd800 + ((c - 0x10000) >> 10));
      units.push_back(0xdc00 + ((c - 0x10000) & 0x3ff));
    }
  }
  if (static_cast<double>(characters.size()) == count) return characters;
  if (static_cast<double>(units.size()) == count) return units;
  unit = CharacterUnit::byte;
  Vector bytes;
  for (const char byte : text) bytes.push_back(static_cast<unsigned char>(byte));
  return bytes;
}

/// Versions 5 to 7, in memory.
class MatFile final : public ArrayFile {
 public:
  MatFile(std::string bytes, const std::string& path, const Context& context)
      : ArrayFile(path), bytes_(std::move(bytes)) {
    if (bytes_.size() < header_bytes || !bytes_.starts_with("MATLAB 5.0")) refuse();
    big_endian_ = bytes_.compare(126, 2, "MI") == 0;
    MatElements elements(std::string_view(bytes_).substr(header_bytes), big_endian_);
    for (auto element = elements.next(); element; element = elements.next()) {
      stop_reading_if_asked(path, context);
      list(*element, context);
    }
    if (!elements.ended()) refuse();
  }

  [[nodiscard]] Vector numbers(const StoredArray& array, const Context& context) const override {
    std::string unpacked;
    const MatVariable variable = read(array, unpacked, context);
    MatElements elements(variable.values, big_endian_);
    if (is_class(variable, MatClass::sparse)) {
      return sparse_numbers(elements, array, unpacked.size(), context);
    }
    return from_column_major(checked(elements, array, unpacked.size(), context), array.shape);
  }

  /// The rows of a matrix of characters.
  [[nodiscard]] std::vector<std::string> texts(const StoredArray& array,
                                               const Context& context) const override {
    std::string unpacked;
    const MatVariable variable = read(array, unpacked, context);
    MatElements elements(variable.values, big_endian_);
    StoredArray characters = array;
    characters.shape = variable.dimensions;
    MatElements ahead = elements;
    const auto element = ahead.next();
    const std::uint32_t type = element ? element->type : 0;
    auto unit = type == mat_int8 || type == mat_uint8 ? CharacterUnit::byte : CharacterUnit::utf16;
    Vector codes;
    if (type == mat_utf8) {
      require_memory_of_bytes(
          place(array), bytes_.size() + unpacked.size() + 4 * sizeof(double) * element->data.size(),
          context);
      codes = codes_of_utf8(element->data, entries_of(characters), unit);
      if (static_cast<double>(codes.size()) != entries_of(characters)) refuse();
    } else {
      codes = checked(elements, characters, unpacked.size(), context);
    }
    return texts_of_codes(from_column_major(codes, characters.shape), array.shape[0], unit,
                          place(array));
  }

 private:
  [[noreturn]] void refuse() const {
    throw DataError(path() + ": is a damaged or truncated MATLAB file; save it again");
  }

  void list(const MatElement& element, const Context& context) {
    constexpr std::size_t most_header = 4096;
    std::string start;
    std::string_view content = element.data;
    if (element.type == mat_compressed) {
      start = inflate(element.data, Deflated::with_header, most_header, path(), context);
      content = std::string_view(start).substr(std::min<std::size_t>(8, start.size()));
    } else if (element.type != mat_matrix) {
      return;
    }
    const auto variable = mat_variable(content, big_endian_);
    if (!variable) refuse();
    if (variable->name.empty()) return;  // of MATLAB itself, beside objects
    StoredArray array;
    array.path = variable->name;
    array.type = type_of(*variable);
    array.refusal = refusal_of(*variable);
    array.shape = variable->dimensions;
    array.stacked_last = true;
    if (array.refusal.empty()) {
      const bool text = is_class(*variable, MatClass::text);
      array.content = text ? ArrayContent::texts : ArrayContent::numbers;
      if (text) array.shape = {variable->dimensions[0]};
    }
    add(std::move(array));
    elements_.push_back(element);
  }

  /// The variable, whose values lie in the file or in `unpacked`.
  [[nodiscard]] MatVariable read(const StoredArray& array, std::string& unpacked,
                                 const Context& context) const {
    const auto found = std::ranges::find(arrays(), array.path, &StoredArray::path);
    const MatElement& element = elements_[to_size(found - arrays().begin())];
    std::string_view content = element.data;
    if (element.type == mat_compressed) {
      unpacked = unpack(element.data, array, context);
      content = std::string_view(unpacked).substr(8);
    }
    auto variable = mat_variable(content, big_endian_);
    if (!variable) refuse();
    return *variable;
  }

  /// No more bytes are unpacked than the shape can take.
  [[nodiscard]] std::string unpack(std::string_view data, const StoredArray& array,
                                   const Context& context) const {
    const std::string tag = inflate(data, Deflated::with_header, 8, path(), context);
    if (tag.size() < 8) refuse();
    std::size_t size = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      size = size << 8 | static_cast<unsigned char>(tag[4 + (big_endian_ ? k : 3 - k)]);
    }
    require_memory_of_bytes(place(array), bytes_.size() + size + 8, context);
    std::string bytes = inflate(data, Deflated::with_header, size + 8, path(), context);
    if (bytes.size() < size + 8) refuse();
    return bytes;
  }

  /// The next element, which must have a number for each entry.
  /// \param held  bytes in memory beside the file
  [[nodiscard]] Vector checked(MatElements& elements, const StoredArray& array, std::size_t held,
                               const Context& context) const {
    const auto element = elements.next();
    if (!element || static_cast<double>(mat_count(*element)) != entries_of(array)) refuse();
    return all_numbers(*element, array, held, context);
  }

  static double entries_of(const StoredArray& array) {
    return std::accumulate(
        array.shape.begin(), array.shape.end(), 1.0,
        [](double all, Index extent) { return all * static_cast<double>(extent); });
  }

  /// Counted twice, because they are put into another order.
  [[nodiscard]] Vector all_numbers(const MatElement& element, const StoredArray& array,
                                   std::size_t held, const Context& context) const {
    const std::size_t bytes = 2 * sizeof(double) * mat_count(element);
    require_memory_of_bytes(place(array), bytes_.size() + held + bytes, context);
    auto numbers = mat_numbers(element, big_endian_);
    if (!numbers) refuse();
    return std::move(*numbers);
  }

  [[nodiscard]] Vector sparse_numbers(MatElements& elements, const StoredArray& array,
                                      std::size_t held, const Context& context) const {
    const auto rows = elements.next();
    const auto starts = elements.next();
    const auto values = elements.next();
    if (!rows || !starts || !values) refuse();
    StoredSparse stored{SparseForm::columns, {}, bytes_.size() + held};
    SparseParts& parts = stored.parts;
    const auto part = [&](const MatElement& element) {
      Vector numbers = all_numbers(element, array, held, context);
      held += numbers.size() * sizeof(double);
      return numbers;
    };
    parts.values = part(*values);
    parts.indices = part(*rows);
    parts.starts = part(*starts);
    parts.indices.resize(std::min(parts.indices.size(), parts.values.size()));  // room to grow
    return dense_numbers(stored, array.shape[0], array.shape[1], place(array), context);
  }

  std::string bytes_;
  bool big_endian_ = false;
  std::vector<MatElement> elements_;  ///< of each array
};

}  // namespace

namespace {

bool is_high(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

/// One text in UTF-8. \throws DataError for codes that are no characters
std::string text_of(ConstSpan codes, CharacterUnit unit, const std::string& place) {
  std::string text;
  for (std::size_t k = 0; k < codes.size(); ++k) {
    const bool is_byte = unit == CharacterUnit::byte && codes[k] >= -128.0 && codes[k] < 0.0;
    if (!is_byte && !(codes[k] >= 1.0 && codes[k] <= 0x10ffff)) {
      throw DataError(
          fmt::format("{}: has a character of code {}; fill texts up with blanks, as char() does",
                      place, codes[k]));
    }
    if (unit == CharacterUnit::byte) {
      text += static_cast<char>(static_cast<int>(codes[k]));
      continue;
    }
    auto c = static_cast<std::uint32_t>(codes[k]);
    const auto next = k + 1 < codes.size() ? static_cast<std::uint32_t>(codes[k + 1]) : 0;
    if (is_high(c) && is_low(next)) {
      c = 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00);
      ++k;
    }
    if (is_high(c) || is_low(c)) {
      throw DataError(place + ": has half of a character of UTF-16; save the texts again");
    }
    append_utf8(text, c);
  }
  if (is_utf8(text)) return text;
  throw DataError(place +
                  ": has characters beyond ASCII as single bytes that are not UTF-8; save the "
                  "texts again in a current MATLAB or Octave");
}

}  // namespace

std::vector<std::string> texts_of_codes(const Vector& codes, Index rows, CharacterUnit unit,
                                        const std::string& place) {
  if (rows <= 0 || codes.size() < to_size(rows)) {  // as many empty texts as the file says
    throw DataError(place + ": is an array of characters without any");
  }
  const std::size_t width = codes.size() / to_size(rows);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < to_size(rows); ++i) {
    std::string text = text_of(ConstSpan(codes).subspan(i * width, width), unit, place);
    text.resize(text.find_last_not_of(' ') + 1);  // blanks fill the rows up
    texts.push_back(std::move(text));
  }
  return texts;
}

std::shared_ptr<const ArrayFile> open_mat(const std::string& path, const Context& context) {
  return parse_mat(read_file(path, context), path, context);
}

std::shared_ptr<const ArrayFile> parse_mat(std::string bytes, const std::string& path,
                                           const Context& context) {
  return std::make_shared<MatFile>(std::move(bytes), path, context);
}

}  // namespace kernmix
