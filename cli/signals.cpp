#include "signals.hpp"

#include <unistd.h>

#include <csignal>

namespace kernmix::cli {
namespace {

// A signal handler can only access global objects.
std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void request_stop(int signal) {
  if (stop.exchange(true)) _exit(128 + signal);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>& stop_requested() { return stop; }

}  // namespace kernmix::cli
