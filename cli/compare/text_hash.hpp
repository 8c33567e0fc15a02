#pragma once
/// \file
/// A checksum of bytes: not for secrets.

#include <cstdint>
#include <string_view>

namespace kernmix::cli {

[[nodiscard]] std::uint64_t text_hash(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace kernmix::cli
