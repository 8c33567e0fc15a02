#include "data/mat/mat_element.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace kernmix {
namespace {

/// Bytes of a number of each type; 0 for other types.
std::size_t item_bytes(std::uint32_t type) {
  constexpr std::array<std::uint8_t, 19> bytes = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8,
                                                  0, 0, 8, 8, 0, 0, 1, 2, 4};
  return type < bytes.size() ? bytes[type] : 0;
}

template <typename T>
Vector converted(std::string_view data, bool reversed) {
  Vector numbers(data.size() / sizeof(T));
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), data.data() + k * sizeof(T), sizeof(T));
    if (reversed) std::ranges::reverse(bytes);
    numbers[k] = static_cast<double>(std::bit_cast<T>(bytes));
  }
  return numbers;
}

}  // namespace

std::uint32_t MatElements::word(std::size_t at) const {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t place = at + (big_endian_ ? k : 3 - k);
    value = value << 8 | static_cast<unsigned char>(bytes_[place]);
  }
  return value;
}

std::optional<MatElement> MatElements::next() {
  constexpr std::size_t tag = 8;
  if (bytes_.size() < tag) return std::nullopt;
  MatElement element;
  element.type = word(0) & 0xffff;
  std::size_t size = word(0) >> 16;
  std::size_t begin = 4;
  std::size_t end = tag;  // a short element lies within its tag
  if (size == 0) {
    size = word(4);
    begin = tag;
    const std::size_t padding = element.type == mat_compressed ? 0 : (8 - size % 8) % 8;
    end = tag + size + padding;
  } else if (size > 4) {
    return std::nullopt;
  }
  if (size > bytes_.size() - begin) return std::nullopt;
  element.data = bytes_.substr(begin, size);
  bytes_.remove_prefix(std::min(end, bytes_.size()));
  return element;
}

std::optional<MatVariable> mat_variable(std::string_view content, bool big_endian) {
  MatElements elements(content, big_endian);
  const auto flags = elements.next();
  const auto dimensions = elements.next();
  const auto name = elements.next();
  if (!flags || !dimensions || !name || flags->data.size() < 8) return std::nullopt;
  constexpr std::uint32_t int32 = 5;
  const auto extents = mat_numbers(*dimensions, big_endian);
  if (dimensions->type != int32 || !extents || extents->size() < 2) return std::nullopt;
  MatVariable variable;
  const auto byte = [&](std::size_t k) {
    return static_cast<std::uint8_t>(flags->data[big_endian ? 3 - k : k]);
  };
  variable.kind = byte(0);
  variable.complex = (byte(1) & 0x08) != 0;
  variable.logical = (byte(1) & 0x02) != 0;
  variable.name = name->data;
  for (const double extent : *extents) {
    if (extent < 0.0) return std::nullopt;
    variable.dimensions.push_back(static_cast<Index>(extent));
  }
  const std::size_t read = to_size(name->data.data() - content.data()) + name->data.size();
  variable.values = content.substr(std::min((read + 7) / 8 * 8, content.size()));
  return variable;
}

std::size_t mat_count(const MatElement& element) {
  const std::size_t bytes = item_bytes(element.type);
  return bytes == 0 ? 0 : element.data.size() / bytes;
}

std::optional<Vector> mat_numbers(const MatElement& element, bool big_endian) {
  const bool reversed = big_endian == (std::endian::native == std::endian::little);
  switch (element.type) {
    case 1:
      return converted<std::int8_t>(element.data, reversed);
    case 2:
    case 16:
      return converted<std::uint8_t>(element.data, reversed);
    case 3:
      return converted<std::int16_t>(element.data, reversed);
    case 4:
    case 17:
      return converted<std::uint16_t>(element.data, reversed);
    case 5:
      return converted<std::int32_t>(element.data, reversed);
    case 6:
    case 18:
      return converted<std::uint32_t>(element.data, reversed);
    case 7:
      return converted<float>(element.data, reversed);
    case 9:
      return converted<double>(element.data, reversed);
    case 12:
      return converted<std::int64_t>(element.data, reversed);
    case 13:
      return converted<std::uint64_t>(element.data, reversed);
    default:
      return std::nullopt;
  }
}

Vector from_column_major(const Vector& numbers, const std::vector<Index>& shape) {
  if (shape.size() < 2) return numbers;
  const Index planes = shape.size() > 2 ? shape[2] : 1;
  Vector values(numbers.size());
  std::size_t place = 0;
  for (Index i = 0; i < shape[0]; ++i) {
    for (Index j = 0; j < shape[1]; ++j) {
      for (Index k = 0; k < planes; ++k) {
        values[place++] = numbers[to_size((k * shape[1] + j) * shape[0] + i)];
      }
    }
  }
  return values;
}

}  // namespace kernmix
