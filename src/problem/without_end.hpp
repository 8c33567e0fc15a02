#pragma once
/// \file
/// Computations that are always finished.

#include "kernmix/context.hpp"

namespace kernmix {

/// For a certificate, which is always computed: neither the deadline nor the first signal stops it.
[[nodiscard]] inline Context without_end(Context context) {
  context.deadline.reset();
  context.cancelled = nullptr;
  return context;
}

}  // namespace kernmix
