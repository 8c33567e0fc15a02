#pragma once
/// \file
/// Asking for memory ahead of time.

#include <algorithm>

#include "kernmix/types.hpp"

namespace kernmix {

/// Asks for the first cache lines of what is read soon; the machine goes on by itself after these.
template <typename T>
void prefetch(const T* begin, Index count) {
  constexpr Index line = 64 / static_cast<Index>(sizeof(T));
  constexpr Index most = 32 * line;
  for (Index i = 0; i < std::min(count, most); i += line) __builtin_prefetch(begin + i);
}

}  // namespace kernmix
