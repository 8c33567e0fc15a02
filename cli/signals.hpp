#pragma once
/// \file
/// Ctrl-C and kill: the first asks the computation to stop and save, the second ends at once.

#include <atomic>

namespace kernmix::cli {

/// Handles SIGINT and SIGTERM from now on, and ignores SIGPIPE so that a closed pipe is an ordinary
/// write error.
void install_signal_handlers();

/// Set by the first SIGINT or SIGTERM; what Context::cancelled points to.
[[nodiscard]] const std::atomic<bool>& stop_requested();

}  // namespace kernmix::cli
