#include "data/arrays/inflate.hpp"

#include <algorithm>
#include <limits>

#include "data/file.hpp"
#include "kernmix/error.hpp"

#if KERNMIX_WITH_ZLIB
#include <zlib.h>
#endif

namespace kernmix {

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

#if KERNMIX_WITH_ZLIB

namespace {

/// A stream of zlib, which its destructor ends.
class InflateStream {
 public:
  explicit InflateStream(Deflated kind)
      : InflateStream(kind == Deflated::raw ? -MAX_WBITS : MAX_WBITS) {}
  explicit InflateStream(int window_bits) {
    if (inflateInit2(&stream, window_bits) != Z_OK) {
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
  out.reserve(most);  // callers have room for it, and growth would take twice as much
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

namespace {

/// Calls take() with the unpacked text, piece by piece.
template <typename Take>
void gunzip_to(std::string_view compressed, const std::string& path, const Context& context,
               const Take& take) {
  constexpr int with_gzip_header = 16;
  InflateStream inflation(MAX_WBITS + with_gzip_header);
  z_stream& stream = inflation.stream;
  std::string piece(block, '\0');
  int state = Z_OK;
  // A file may have several members, and zeros after the last one.
  while (state != Z_STREAM_END || is_gzip(compressed)) {
    stop_reading_if_asked(path, context);
    if (state == Z_STREAM_END) inflateReset(&stream);
    const std::size_t given = std::min(compressed.size(), block);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));  // NOLINT
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = ::inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = piece.size() - stream.avail_out;
    take(std::string_view(piece).substr(0, made));
    compressed.remove_prefix(given - stream.avail_in);
    const bool stuck = made == 0 && given == stream.avail_in && state == Z_OK;
    if (stuck || (state != Z_OK && state != Z_STREAM_END)) {
      throw DataError(path + ": the compressed data are damaged or truncated");
    }
  }
}

}  // namespace

std::string gunzip(std::string_view compressed, std::size_t most, const std::string& path,
                   const Context& context) {
  // Counted first: a text that grows takes up to three times its memory.
  std::size_t size = 0;
  gunzip_to(compressed, path, context, [&](std::string_view piece) {
    size += piece.size();
    if (size <= most) return;
    throw ResourceError(
        path +
        ": its text, unpacked, needs more than the memory that is left for it (--memory); "
        "allow more memory, or give fewer samples or columns");
  });
  std::string out;
  out.reserve(size);
  gunzip_to(compressed, path, context, [&](std::string_view piece) { out.append(piece); });
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

std::string gunzip(std::string_view, std::size_t, const std::string& path, const Context&) {
  throw DataError(path +
                  ": is compressed, and this kernmix was built without zlib: unpack it first, or "
                  "build kernmix with zlib1g-dev installed");
}

unsigned long crc32_of(std::string_view) { return 0; }

#endif

}  // namespace kernmix
