#pragma once
/// \file
/// The one place that starts threads. Work is cut into blocks whose size never depends on the
/// number of threads, and results are combined in block order: the same bits for any `threads`.

#include <algorithm>
#include <atomic>
#include <exception>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// body(i) for i = 0 .. count-1, in any order, on up to context.threads threads. The first
/// exception of a body is thrown here, after the others have stopped.
template <typename Body>
void parallel_for(const Context& context, Index count, const Body& body) {
  std::exception_ptr failure;
  std::atomic<bool> failed = false;
#pragma omp parallel for schedule(dynamic) \
    num_threads(context.threads) if (context.threads > 1 && count > 1)
  for (Index i = 0; i < count; ++i) {
    if (failed.load(std::memory_order_relaxed)) continue;
    try {
      body(i);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  }
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
