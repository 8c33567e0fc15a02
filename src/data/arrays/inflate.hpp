#pragma once
/// \file
/// Decompression of DEFLATE data by zlib.

#include <string>
#include <string_view>

#include "kernmix/context.hpp"

namespace kernmix {

enum class Deflated : char {
  raw,         ///< as in ZIP archives
  with_header  ///< with zlib's header and checksum
};

/// At most `most` bytes of what `compressed` holds, and no byte more is decompressed.
/// \param path for messages \throws DataError for damaged data, and if kernmix was built without
/// zlib; ResourceError if the context says stop
[[nodiscard]] std::string inflate(std::string_view compressed, Deflated kind, std::size_t most,
                                  const std::string& path, const Context& context);

/// Whether bytes begin as a gzip file does.
[[nodiscard]] bool is_gzip(std::string_view bytes);

/// What a gzip file holds, all of its members. \throws DataError for damaged data, and if kernmix
/// was built without zlib; ResourceError for more than `most` bytes, and if the context says stop
[[nodiscard]] std::string gunzip(std::string_view compressed, std::size_t most,
                                 const std::string& path, const Context& context);

/// The checksum of ZIP archives; 0 without zlib.
[[nodiscard]] unsigned long crc32_of(std::string_view bytes);

}  // namespace kernmix
