#pragma once
/// \file
/// Ctrl-C and kill: the first requests the computation to stop and save, the second terminates
/// immediately.

#include <atomic>

namespace kernmix::cli {

/// Handles SIGINT and SIGTERM from now on, and ignores SIGPIPE so that a closed pipe is a normal
/// write error.
void install_signal_handlers();

/// Set by the first SIGINT or SIGTERM; what Context::cancelled points to.
[[nodiscard]] const std::atomic<bool>& stop_requested();

}  // namespace kernmix::cli
