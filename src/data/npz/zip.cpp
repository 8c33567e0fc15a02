#include "data/npz/zip.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "data/arrays/inflate.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t in_zip64 = 0xffffffff;
/// One byte of DEFLATE data makes at most this number of bytes.
constexpr std::size_t most_expansion = 1032;

class ZipReader {
 public:
  ZipReader(std::string_view archive, const std::string& path) : archive_(archive), path_(path) {}

  std::vector<ZipMember> read() {
    const std::size_t end = end_record();
    std::uint64_t count = number(end + 10, 2);
    std::uint64_t at = number(end + 16, 4);
    if (count == 0xffff || at == in_zip64 || number(end + 12, 4) == in_zip64) {
      if (end < 20 || archive_.substr(end - 20, 4) != "PK\x06\x07"sv) refuse();
      const std::uint64_t record = number(end - 20 + 8, 8);
      require("PK\x06\x06"sv, record);
      count = number(record + 32, 8);
      at = number(record + 48, 8);
    }
    std::vector<ZipMember> members;
    for (; count > 0; --count) {  // each takes 46 bytes: a false count ends with the archive
      members.push_back(member(at));
      at += 46 + number(at + 28, 2) + number(at + 30, 2) + number(at + 32, 2);
    }
    return members;
  }

 private:
  [[noreturn]] void refuse() const {
    throw DataError(path_ + ": is a damaged or truncated ZIP archive; save it again");
  }

  /// A little-endian number of the archive.
  [[nodiscard]] std::uint64_t number(std::uint64_t at, std::size_t bytes) const {
    if (at > archive_.size() || bytes > archive_.size() - at) refuse();
    std::uint64_t value = 0;
    for (std::size_t k = bytes; k-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(archive_[at + k]);
    }
    return value;
  }

  void require(std::string_view signature, std::uint64_t at) const {
    if (at > archive_.size() || archive_.substr(at, 4) != signature) refuse();
  }

  [[nodiscard]] std::size_t end_record() const {
    constexpr std::size_t bytes = 22;
    if (archive_.size() < bytes) refuse();
    const std::size_t found = archive_.rfind("PK\x05\x06"sv, archive_.size() - bytes);
    if (found == std::string_view::npos) refuse();
    return found;
  }

  [[nodiscard]] ZipMember member(std::uint64_t at) const {
    require("PK\x01\x02"sv, at);
    const std::uint64_t flags = number(at + 8, 2);
    const std::uint64_t method = number(at + 10, 2);
    const std::uint64_t name_bytes = number(at + 28, 2);
    std::uint64_t packed = number(at + 20, 4);
    std::uint64_t size = number(at + 24, 4);
    std::uint64_t local = number(at + 42, 4);
    (void)number(at + 46, name_bytes == 0 ? 0 : 1);
    ZipMember result;
    result.name = archive_.substr(at + 46, name_bytes);
    take_zip64(at + 46 + name_bytes, number(at + 30, 2), {&size, &packed, &local});
    const std::string where = path_ + ":" + result.name;
    if ((flags & 1) != 0) throw DataError(where + ": is encrypted; save it without a password");
    if (method != 0 && method != 8) {
      throw DataError(where + ": is compressed by another method than DEFLATE; save it with numpy");
    }
    result.deflated = method == 8;
    result.checksum = static_cast<std::uint32_t>(number(at + 16, 4));
    result.size = size;
    require("PK\x03\x04"sv, local);
    const std::uint64_t begin = local + 30 + number(local + 26, 2) + number(local + 28, 2);
    if (begin > archive_.size() || packed > archive_.size() - begin) refuse();
    if (result.deflated ? size / most_expansion > packed : size != packed) refuse();
    result.stored = archive_.substr(begin, packed);
    return result;
  }

  /// Replaces the numbers that stand in the extra field of ZIP64.
  void take_zip64(std::uint64_t at, std::uint64_t bytes,
                  std::initializer_list<std::uint64_t*> numbers) const {
    const std::uint64_t end = at + bytes;
    while (at + 4 <= end) {
      const std::uint64_t kind = number(at, 2);
      const std::uint64_t next = at + 4 + number(at + 2, 2);
      at += 4;
      for (std::uint64_t* const value : numbers) {
        if (kind != 1 || *value != in_zip64) continue;
        if (at + 8 > std::min(next, end)) refuse();
        *value = number(at, 8);
        at += 8;
      }
      at = next;
    }
  }

  std::string_view archive_;
  const std::string& path_;
};

}  // namespace

std::vector<ZipMember> read_zip(std::string_view archive, const std::string& path) {
  return ZipReader(archive, path).read();
}

std::string unpack_start(const ZipMember& member, std::size_t most, const std::string& path,
                         const Context& context) {
  const std::size_t bytes = std::min(member.size, most);
  if (!member.deflated) return std::string(member.stored.substr(0, bytes));
  return inflate(member.stored, Deflated::raw, bytes, path + ":" + member.name, context);
}

std::string unpack(const ZipMember& member, const std::string& path, const Context& context) {
  require_memory_of_numbers(path + ":" + member.name, static_cast<Index>(member.size / 8 + 1),
                            context);
  std::string bytes = unpack_start(member, member.size, path, context);
  const unsigned long sum = crc32_of(bytes);
  if (bytes.size() != member.size || (sum != 0 && sum != member.checksum)) {
    throw DataError(path + ":" + member.name + ": is damaged: its checksum is wrong");
  }
  return bytes;
}

}  // namespace kernmix
