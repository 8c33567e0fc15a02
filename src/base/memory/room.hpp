#pragma once
/// \file
/// What is left of the memory that a computation may use.

#include <algorithm>
#include <cstddef>

#include "kernmix/context.hpp"

namespace kernmix {

/// Whether the budget holds `bytes` in all.
template <typename Bytes>
[[nodiscard]] bool has_room(const Context& context, Bytes bytes) {
  return context.memory_bytes == 0 ||
         static_cast<double>(bytes) <= static_cast<double>(context.memory_bytes);
}

/// The context of a computation beside `held` bytes, which are no part of its own.
[[nodiscard]] inline Context beside(Context context, std::size_t held) {
  const std::size_t budget = context.memory_bytes;
  if (budget > 0) context.memory_bytes = std::max<std::size_t>(budget, held + 1) - held;
  return context;
}

}  // namespace kernmix
