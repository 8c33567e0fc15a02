#include "model/file/container.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "kernmix/error.hpp"
#include "model/file/header.hpp"

namespace kernmix {
namespace {

constexpr std::size_t preamble = 24;  ///< magic, version, reserved, header length
constexpr int deepest_nesting = 16;
constexpr int most_keys = 256;  ///< of an object, because Json searches keys linearly

template <typename Unsigned>
void put(std::string& out, Unsigned value) {
  for (std::size_t byte = 0; byte < sizeof(Unsigned); ++byte) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(value >> (8 * byte))));
  }
}

template <typename Unsigned>
Unsigned get(std::string_view in, std::size_t position) {
  Unsigned value = 0;
  for (std::size_t byte = 0; byte < sizeof(Unsigned); ++byte) {
    value |= static_cast<Unsigned>(static_cast<unsigned char>(in[position + byte])) << (8 * byte);
  }
  return value;
}

/// One line for each key, and for each element of a list of objects: readable with `head`.
std::string header_text(const Json& header) {
  std::string text = "{";
  for (const auto& [key, value] : header.items()) {
    text += fmt::format("{}\n{}: ", text.size() > 1 ? "," : "", Json(key).dump());
    const bool list_of_objects = value.is_array() && !value.empty() && value.front().is_object();
    if (!list_of_objects) {
      text += value.dump();
      continue;
    }
    for (std::size_t i = 0; i < value.size(); ++i)
      text += (i == 0 ? "[\n " : ",\n ") + value[i].dump();
    text += "]";
  }
  text += "\n}\n";
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

Json parse_header(std::string_view text) {
  std::array<int, deepest_nesting + 1> keys{};  // number of keys of the open object at each depth
  const auto limit_size = [&](int depth, Json::parse_event_t event, Json&) {
    if (depth >= deepest_nesting) throw DataError("its header is nested too deeply");
    const auto inside = to_size(depth);
    if (event == Json::parse_event_t::object_start) keys[inside + 1] = 0;
    if (event == Json::parse_event_t::key && ++keys[inside] > most_keys) {
      throw DataError("its header has an object of too many keys");
    }
    return true;
  };
  Json header = Json::parse(text.begin(), text.end(), limit_size);
  if (!header.is_object()) throw DataError("its header is not a JSON object");
  return header;
}

/// Checks the frame and returns the header's length.
std::size_t check_frame(std::string_view bytes) {
  if (bytes.substr(0, container_magic.size()) != container_magic) {
    throw DataError("is not a kernmix file (its first 8 bytes differ)");
  }
  if (bytes.size() < preamble + checksum_bytes) throw DataError("is truncated");
  const auto version = get<std::uint32_t>(bytes, 8);
  if (version == 0 || version > newest_version) {
    throw DataError(
        fmt::format("has format version {}, this kernmix reads up to {}: it is damaged or needs a "
                    "newer kernmix",
                    version, newest_version));
  }
  const std::size_t body = bytes.size() - checksum_bytes;
  if (XXH3_64bits(bytes.data(), body) != get<std::uint64_t>(bytes, body)) {
    throw DataError("is truncated or altered (its checksum does not match)");
  }
  const auto header = get<std::uint64_t>(bytes, 16);
  if (header > body - preamble || header % 8 != 0 || get<std::uint32_t>(bytes, 12) != 0) {
    throw DataError("has an inconsistent length of its header");
  }
  return to_size(header);
}

/// The block of `entry`, which must begin at byte `offset` of the data.
Block read_block(const Json& entry, std::string_view data, std::size_t offset) {
  const Index rows = get_count(entry, "rows");
  const Index cols = get_count(entry, "cols");
  if (get_count(entry, "offset") != static_cast<Index>(offset)) {
    throw DataError("has a block that does not follow the one before");
  }
  const auto available = static_cast<Index>((data.size() - offset) / sizeof(double));
  if (cols != 0 && rows > available / cols) {
    throw DataError("has a block that is longer than the file");
  }
  Block block{get_text(entry, "name"), Matrix(rows, cols)};
  for (double& value : block.values.values) {
    value = std::bit_cast<double>(get<std::uint64_t>(data, offset));
    offset += sizeof(double);
  }
  return block;
}

}  // namespace

std::string with_checksum(std::string body) {
  put(body, std::uint64_t{XXH3_64bits(body.data(), body.size())});
  return body;
}

std::string checksum_text(std::string_view bytes) {
  return fmt::format("{:016x}", get<std::uint64_t>(bytes, bytes.size() - checksum_bytes));
}

std::string pack(const Container& container) {
  Json header = container.header;
  std::size_t offset = 0;
  Json& entries = header["blocks"] = Json::array();
  for (const Block& block : container.blocks) {
    entries.push_back({{"name", block.name},
                       {"rows", block.values.rows},
                       {"cols", block.values.cols},
                       {"offset", offset}});
    offset += block.values.values.size() * sizeof(double);
  }
  std::string text;
  try {
    text = header_text(header);
  } catch (const Json::exception&) {
    throw DataError(
        "a name of a class, column, view or sample is not UTF-8 text; convert the file");
  }

  std::string bytes(container_magic);
  bytes.reserve(preamble + text.size() + offset + checksum_bytes);
  put(bytes, container.version);
  put(bytes, std::uint32_t{0});
  put(bytes, std::uint64_t{text.size()});
  bytes += text;
  for (const Block& block : container.blocks) {
    for (const double value : block.values.values) put(bytes, std::bit_cast<std::uint64_t>(value));
  }
  return with_checksum(std::move(bytes));
}

Container unpack(std::string_view bytes) {
  const std::size_t header_length = check_frame(bytes);
  const std::string_view data = bytes.substr(
      preamble + header_length, bytes.size() - preamble - header_length - checksum_bytes);
  try {
    Container container{
        parse_header(bytes.substr(preamble, header_length)), {}, get<std::uint32_t>(bytes, 8)};
    std::size_t offset = 0;
    for (const Json& entry : get_list(container.header, "blocks")) {
      container.blocks.push_back(read_block(entry, data, offset));
      offset += container.blocks.back().values.values.size() * sizeof(double);
    }
    if (offset != data.size()) throw DataError("has bytes that no block describes");
    return container;
  } catch (const Json::parse_error& failure) {
    throw DataError(fmt::format("has a header that is not valid JSON, from its byte {} on",
                                std::max<std::size_t>(failure.byte, 1)));
  } catch (const Json::out_of_range&) {
    throw DataError("has a header with a number outside the range of double precision");
  } catch (const Json::exception&) {
    throw DataError("has a header that is not valid JSON");
  }
}

Block vector_block(const char* name, const Vector& values) {
  Block block{name, Matrix(length(values), 1)};
  block.values.values = values;
  return block;
}

Block index_block(const char* name, const std::vector<Index>& values) {
  return vector_block(name, Vector(values.begin(), values.end()));
}

bool has_block(const Container& container, const char* name) {
  return std::ranges::any_of(container.blocks, [&](const Block& b) { return b.name == name; });
}

const Matrix& find_block(const Container& container, const char* name) {
  for (const Block& block : container.blocks) {
    if (block.name == name) return block.values;
  }
  throw DataError(fmt::format("has no block '{}'", name));
}

const Vector& find_vector(const Container& container, const char* name) {
  const Matrix& block = find_block(container, name);
  if (block.cols != 1) throw DataError(fmt::format("has a block '{}' of the wrong shape", name));
  return block.values;
}

std::vector<Index> find_indices(const Container& container, const char* name, const char* what) {
  std::vector<Index> indices;
  for (const double value : find_vector(container, name)) {
    const bool whole = value >= 0.0 && value <= 0x1p53 && value == std::floor(value);
    if (!whole) throw DataError(fmt::format("has {} is not a whole number", what));
    indices.push_back(static_cast<Index>(value));
  }
  return indices;
}

}  // namespace kernmix
