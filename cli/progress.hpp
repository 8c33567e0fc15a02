#pragma once
/// \file
/// One line on the terminal that tells where a long computation is.

#include <chrono>
#include <mutex>

#include "kernmix/context.hpp"

namespace kernmix::cli {

/// Rewrites one line of standard error at most ten times a second and erases it at the end.
/// Silent when standard error is not a terminal or `wanted` is false.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& moment);
  void erase();

 private:
  bool enabled_;
  bool visible_ = false;
  std::mutex mutex_;  // kernels report from the threads that build them
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace kernmix::cli
