#include "data/arrays/inflate.hpp"

#include <algorithm>
#include <limits>

#include "data/file.hpp"
#include "kernmix/error.hpp"

#if KERNMIX_WITH_ZLIB
#include <zlib.h>
#endif

namespace kernmix {

#if KERNMIX_WITH_ZLIB

namespace {

/// A stream of zlib, which its destructor ends.
class InflateStream {
 public:
  explicit InflateStream(Deflated kind) {
    if (inflateInit2(&stream, kind == Deflated::raw ? -MAX_WBITS : MAX_WBITS) != Z_OK) {
      throw ResourceError("there is no memory for decompression");
    }
  }
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;
  ~InflateStream() { inflateEnd(&stream); }

  z_stream stream = {};
};

constexpr std::size_t block = std::size_t{1} << 20;

}  // namespace

std::string inflate(std::string_view compressed, Deflated kind, std::size_t most,
                    const std::string& path, const Context& context) {
  InflateStream inflation(kind);
  z_stream& stream = inflation.stream;
  std::string out;
  std::string piece(std::min(most, block), '\0');
  int state = Z_OK;
  while (state == Z_OK && out.size() < most) {
    stop_reading_if_asked(path, context);
    const std::size_t given = std::min(compressed.size(), block);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));  // NOLINT
    stream.avail_in = static_cast<uInt>(given);
    const std::size_t room = std::min(most - out.size(), piece.size());
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(room);
    state = ::inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = room - stream.avail_out;
    out.append(piece, 0, made);
    compressed.remove_prefix(given - stream.avail_in);
    const bool stuck = made == 0 && given == stream.avail_in;
    if (stuck && state == Z_OK) state = Z_BUF_ERROR;
  }
  if (state != Z_OK && state != Z_STREAM_END) {
    throw DataError(path + ": the compressed data are damaged or truncated");
  }
  return out;
}

unsigned long crc32_of(std::string_view bytes) {
  unsigned long sum = ::crc32(0, nullptr, 0);
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), std::size_t{1} << 30);
    sum = ::crc32(sum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(count));
    bytes.remove_prefix(count);
  }
  return sum;
}

#else

std::string inflate(std::string_view, Deflated, std::size_t, const std::string& path,
                    const Context&) {
  throw DataError(path +
                  ": is compressed, and this kernmix was built without zlib: save it uncompressed "
                  "(numpy.savez), or build kernmix with zlib1g-dev installed");
}

unsigned long crc32_of(std::string_view) { return 0; }

#endif

}  // namespace kernmix
