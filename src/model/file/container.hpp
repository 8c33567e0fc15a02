#pragma once
/// \file
/// The container of our binary files (docs/reference/formats.md): magic, version, a JSON header,
/// blocks of doubles, checksum. Independent of the meaning of the header.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/error.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

using Json = nlohmann::ordered_json;

inline constexpr std::string_view container_magic = "KERNMIX\n";
inline constexpr std::uint32_t newest_version = 9;  ///< the newest version that this library reads

/// A named matrix of doubles; a vector has one column.
struct Block {
  std::string name;
  Matrix values;
};

struct Container {
  Json header;  ///< an object; its key "blocks" belongs to the container
  std::vector<Block> blocks;
  std::uint32_t version = newest_version;  ///< version of the file
};

/// The bytes of a file; equal containers give equal bytes. \throws DataError if a string of the
/// header is not UTF-8
[[nodiscard]] std::string pack(const Container& container);

/// The inverse. Lengths are checked against the number of bytes before anything is allocated.
/// \throws DataError with the reason, without the name of the file
[[nodiscard]] Container unpack(std::string_view bytes);

/// `body` followed by its checksum.
[[nodiscard]] std::string with_checksum(std::string body);
inline constexpr std::size_t checksum_bytes = 8;
/// The checksum at the end of such bytes, in hexadecimal digits.
[[nodiscard]] std::string checksum_text(std::string_view bytes);

[[nodiscard]] Block vector_block(const char* name, const Vector& values);
[[nodiscard]] Block index_block(const char* name, const std::vector<Index>& values);
[[nodiscard]] bool has_block(const Container& container, const char* name);
/// \throws DataError where there is none
[[nodiscard]] const Matrix& find_block(const Container& container, const char* name);
/// \throws DataError if it is missing or has several columns
[[nodiscard]] const Vector& find_vector(const Container& container, const char* name);
/// A vector of whole numbers >= 0. \param what  "a support vector whose row"
[[nodiscard]] std::vector<Index> find_indices(const Container& container, const char* name,
                                              const char* what);

/// The next `count` entries of a vector that holds those of several parts, from `next` on.
/// \param too_few  the message if there are fewer \throws DataError
template <typename T>
[[nodiscard]] std::vector<T> take_entries(const std::vector<T>& values, std::size_t& next,
                                          Index count, const char* too_few) {
  if (count > length(values) - static_cast<Index>(next)) throw DataError(too_few);
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(next);
  next += to_size(count);
  return {begin, begin + count};
}

}  // namespace kernmix
