#pragma once
/// \file
/// Computations that are always finished, and those that are of use only when finished.

#include "kernmix/context.hpp"

namespace kernmix {

/// For a certificate, which is always computed: neither the deadline nor the first signal stops it.
[[nodiscard]] inline Context without_end(Context context) {
  context.deadline.reset();
  context.cancelled = nullptr;
  return context;
}

/// For what is of use only when finished: the end of the run abandons it, and it throws
/// ResourceError then.
[[nodiscard]] inline Context of_use_if_finished(Context context) {
  if (context.abandoned == nullptr) context.abandoned = context.cancelled;
  if (!context.abandon_at) context.abandon_at = context.deadline;
  return context;
}

}  // namespace kernmix
