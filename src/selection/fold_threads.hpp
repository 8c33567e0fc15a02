#pragma once
/// \file
/// Allocation of threads to folds.

#include "kernmix/context.hpp"

namespace kernmix {

/// Folds run in parallel if there are at least as many as threads, otherwise one after another with
/// all threads in each. Results are bitwise identical.
class FoldThreads {
 public:
  FoldThreads(const Context& context, Index folds) : outer_(context), inner_(context) {
    if (folds < context.workers() || context.workers() == 1) {
      outer_.threads = 1;
    } else {
      inner_.threads = 1;
      inner_.memory_bytes = context.memory_bytes / static_cast<std::size_t>(context.workers());
      inner_.log = nullptr;
    }
    inner_.progress = nullptr;
  }

  [[nodiscard]] const Context& outer() const { return outer_; }
  /// The context of one fold, without progress reports.
  [[nodiscard]] const Context& inner() const { return inner_; }

 private:
  Context outer_, inner_;
};

}  // namespace kernmix
