#include "compare/text_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kernmix::cli {

std::uint64_t text_hash(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace kernmix::cli
