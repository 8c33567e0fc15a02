#pragma once
/// \file
/// The resources and callbacks of a computation: threads, memory, time, interruption, progress.
/// The library itself never prints, exits, or decides the number of threads.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "kernmix/types.hpp"

namespace kernmix {

/// The progress of a long computation, passed to Context::progress.
struct Progress {
  std::string_view stage;     ///< "kernels", "solve", ...
  Index done = 0;             ///< units finished (kernels built, outer iterations)
  Index total = 0;            ///< number of units, or 0 if unknown
  double relative_gap = 1.0;  ///< best certified relative gap so far (stage "solve")
};

/// Borrowed by every long call; all members have sensible defaults.
struct Context {
  int threads = 1;               ///< worker threads, see workers(); never changes an answer
  std::size_t memory_bytes = 0;  ///< budget for one computation, 0 for no limit
  std::uint64_t seed = 0;        ///< seed of everything random
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  ///< time limit
  const std::atomic<bool>* cancelled = nullptr;  ///< set by a signal handler or another thread
  /// Set if the answer is no longer needed: the computation throws ResourceError soon, from any
  /// place. After `cancelled` the best answer is still certified.
  const std::atomic<bool>* abandoned = nullptr;
  /// A time from which on the computation is abandoned: that of the deadline, where only a finished
  /// answer is of use.
  std::optional<std::chrono::steady_clock::time_point> abandon_at = {};
  std::function<void(const Progress&)> progress = {};  ///< may be empty
  /// Receives decisions during the computation; may be empty.
  std::function<void(std::string_view)> log = {};

  /// `threads`, but at least 1 and at most 4096.
  [[nodiscard]] int workers() const { return std::clamp(threads, 1, 4096); }

  [[nodiscard]] bool is_abandoned() const {
    if (abandoned != nullptr && abandoned->load(std::memory_order_relaxed)) return true;
    return abandon_at && std::chrono::steady_clock::now() >= *abandon_at;
  }
  [[nodiscard]] bool is_cancelled() const {
    return is_abandoned() || (cancelled != nullptr && cancelled->load(std::memory_order_relaxed));
  }
  /// True once the deadline has passed, `cancelled` is set, or the computation is abandoned.
  [[nodiscard]] bool should_stop() const {
    if (is_cancelled()) return true;
    return deadline && std::chrono::steady_clock::now() >= *deadline;
  }
  void report(const Progress& moment) const {
    if (progress) progress(moment);
  }
  void tell(std::string_view message) const {
    if (log) log(message);
  }
};

}  // namespace kernmix
