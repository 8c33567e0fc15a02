#pragma once
/// \file
/// The directory of a ZIP archive in memory, and its members (APPNOTE.TXT of PKWARE, with ZIP64).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/context.hpp"

namespace kernmix {

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t checksum = 0;
  std::size_t size = 0;     ///< of the contents
  std::string_view stored;  ///< the bytes in the archive, which it borrows
};

/// The members in the order of the directory. Sizes are compared with the archive, and with what
/// DEFLATE can reach. \throws DataError for a damaged, encrypted or split archive
[[nodiscard]] std::vector<ZipMember> read_zip(std::string_view archive, const std::string& path);

/// The contents. \throws DataError if they are damaged, ResourceError if they exceed the memory
/// budget
[[nodiscard]] std::string unpack(const ZipMember& member, const std::string& path,
                                 const Context& context);

/// At most `most` bytes from the beginning of the contents.
[[nodiscard]] std::string unpack_start(const ZipMember& member, std::size_t most,
                                       const std::string& path, const Context& context);

}  // namespace kernmix
