#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "output.hpp"

namespace kernmix::cli {
namespace {

constexpr const char* kEraseLine = "\r\033[K";

std::string describe(const Progress& moment) {
  std::string text(moment.stage);
  text += moment.total > 0 ? fmt::format(" {}/{}", moment.done, moment.total)
                           : fmt::format(" {}", moment.done);
  if (moment.stage == "solve") {
    text += fmt::format(", relative gap {:.2e}", moment.relative_gap);
    text += "  (Ctrl-C stops and saves)";
  }
  return text;
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) : enabled_(wanted && isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const Progress& moment) {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  visible_ = true;
  write_terminal(kEraseLine + describe(moment));
}

void ProgressLine::erase() {
  const std::lock_guard lock(mutex_);
  if (!visible_) return;
  visible_ = false;
  write_terminal(kEraseLine);
}

}  // namespace kernmix::cli
