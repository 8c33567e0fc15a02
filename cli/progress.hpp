#pragma once
/// \file
/// A progress line on the terminal.

#include <chrono>
#include <mutex>

#include "kernmix/context.hpp"

namespace kernmix::cli {

/// Updates a line on standard error at most ten times a second and erases it at the end. No output
/// if standard error is not a terminal or `wanted` is false.
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
  std::mutex mutex_;  // kernels report from several threads
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace kernmix::cli
