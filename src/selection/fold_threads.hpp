#pragma once
/// \file
/// Who has the threads where much is computed for each of several folds.

#include "kernmix/context.hpp"

namespace kernmix {

/// Folds side by side where they are as many as the threads, else one after the other with all
/// threads inside each. Neither changes a bit.
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
  /// Of one fold, without progress of its own.
  [[nodiscard]] const Context& inner() const { return inner_; }

 private:
  Context outer_, inner_;
};

}  // namespace kernmix
