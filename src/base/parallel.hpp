#pragma once
/// \file
/// The one place that starts threads. Work is cut into blocks whose size never depends on the
/// number of threads, and results are combined in block order: the same bits for any `threads`.

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// work() once on each of at most `threads` threads, this one among them. The others come as they
/// find time and are waited for only where they have begun: beside other programs a core may not
/// be had for milliseconds. Within a work() there is one thread.
void on_threads(int threads, const std::function<void()>& work);

/// \throws ResourceError where nobody wants the answer any more
void throw_if_abandoned(const Context& context);

/// body(i) for i = 0 .. count-1, in any order, on up to context.threads threads. The first
/// exception of a body is thrown here, after the others have stopped; so is throw_if_abandoned().
template <typename Body>
void parallel_for(const Context& context, Index count, const Body& body) {
  if (context.workers() == 1 || count <= 1) {
    for (Index i = 0; i < count; ++i) {
      throw_if_abandoned(context);
      body(i);
    }
    return;
  }
  std::exception_ptr failure;
  std::atomic<bool> failed = false;
  std::atomic<Index> next;
  next.store(0);  // all that was written before is seen by whom takes an index
  on_threads(static_cast<int>(std::min<Index>(context.workers(), count)), [&] {
    for (Index i = next.fetch_add(1); i < count && !failed.load(std::memory_order_relaxed);
         i = next.fetch_add(1)) {
      try {
        throw_if_abandoned(context);
        body(i);
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    }
  });
  (void)next.load();  // and all that the others wrote is seen from here on
  if (failed) std::rethrow_exception(failure);
}

/// How many blocks of `size` cover 0 .. n-1; the last one may be shorter.
[[nodiscard]] constexpr Index blocks_of(Index n, Index size) { return (n + size - 1) / size; }

/// body(b, begin, end) for each block b of 0 .. n-1.
template <typename Body>
void parallel_blocks(const Context& context, Index n, Index size, const Body& body) {
  parallel_for(context, blocks_of(n, size),
               [&](Index b) { body(b, b * size, std::min((b + 1) * size, n)); });
}

}  // namespace kernmix
