#pragma once
/// \file
/// Computations that are always finished, and those that are of use only when finished.

#include "kernmix/context.hpp"
#include "kernmix/error.hpp"

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

/// Whether a ResourceError is the end of the run, whose answer so far is still of use.
[[nodiscard]] inline bool ended_in_use(const Context& context) {
  return context.should_stop() && !context.is_abandoned();
}

/// Calls body(). \returns false where the end of the run stopped it, whose answer so far is still
/// of use \throws ResourceError for any other reason
template <typename Body>
[[nodiscard]] bool finished_in_time(const Context& context, const Body& body) {
  try {
    body();
    return true;
  } catch (const ResourceError&) {
    if (!ended_in_use(context)) throw;
    return false;
  }
}

}  // namespace kernmix
