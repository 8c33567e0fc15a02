#pragma once
/// \file
/// The only place that starts threads. Blocks of work have a size that does not depend on the
/// number of threads, and results are combined in block order: results are bitwise identical for
/// any `threads`.

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Calls work() once on each of at most `threads` threads, including this one. Threads that have
/// not started when this one finishes are not waited for, because on a busy machine a core may
/// become free only after milliseconds. Nested calls run on one thread.
void on_threads(int threads, const std::function<void()>& work);

/// \throws ResourceError if the run was abandoned
void throw_if_abandoned(const Context& context);

/// Calls body(i) for i = 0 .. count-1, in any order, on up to context.threads threads. The
/// exception of the lowest i, of a body or of throw_if_abandoned(), is rethrown after all threads
/// have stopped: it does not depend on the threads either.
template <typename Body>
void parallel_for(const Context& context, Index count, const Body& body) {
  if (context.workers() == 1 || count <= 1) {
    for (Index i = 0; i < count; ++i) {
      throw_if_abandoned(context);
      body(i);
    }
    return;
  }
  std::mutex mutex;  // guards failure
  std::exception_ptr failure;
  std::atomic<Index> failed = count;  // the lowest i that failed; all below it are carried out
  std::atomic<Index> next;
  next.store(0);  // release: writes before this are visible to threads that take an index
  on_threads(static_cast<int>(std::min<Index>(context.workers(), count)), [&] {
    for (Index i = next.fetch_add(1); i < failed.load(std::memory_order_relaxed);
         i = next.fetch_add(1)) {
      try {
        throw_if_abandoned(context);
        body(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i >= failed) continue;
        failed = i;
        failure = std::current_exception();
      }
    }
  });
  (void)next.load();  // acquire: writes of the other threads are visible from here on
  if (failure) std::rethrow_exception(failure);
}

/// Number of blocks of `size` that cover 0 .. n-1; the last one may be shorter.
[[nodiscard]] constexpr Index blocks_of(Index n, Index size) { return (n + size - 1) / size; }

/// body(b, begin, end) for each block b of 0 .. n-1.
template <typename Body>
void parallel_blocks(const Context& context, Index n, Index size, const Body& body) {
  parallel_for(context, blocks_of(n, size),
               [&](Index b) { body(b, b * size, std::min((b + 1) * size, n)); });
}

/// Number of ranges of 0 .. n-1 for sum_of_ranges(): at most `most`, of at least `least` each.
[[nodiscard]] constexpr Index ranges_of(Index n, Index least, Index most) {
  return std::clamp<Index>(n / least, 1, most);
}

/// The sum of body(begin, end) over `ranges` >= 1 ranges of 0 .. n-1, added in order.
template <typename Body>
auto sum_of_ranges(const Context& context, Index n, Index ranges, const Body& body) {
  std::vector<std::invoke_result_t<Body, Index, Index>> parts(static_cast<std::size_t>(ranges));
  parallel_for(context, ranges, [&](Index k) {
    parts[static_cast<std::size_t>(k)] = body(n * k / ranges, n * (k + 1) / ranges);
  });
  for (std::size_t k = 1; k < parts.size(); ++k) parts.front() += parts[k];
  return std::move(parts.front());
}

}  // namespace kernmix
