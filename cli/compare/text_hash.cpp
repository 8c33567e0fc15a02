#include "compare/text_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kernmix::cli {

std::uint64_t text_hash(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace kernmix::cli
