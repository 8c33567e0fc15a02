#pragma once
/// \file
/// Threads and memory of many parts of a data set, each with models of its own.

#include <cstddef>
#include <functional>

#include "kernmix/context.hpp"

namespace kernmix {

/// Folds, splits or resamples, and their memory.
struct ManyParts {
  Index count = 0;
  const char* stage = "";  ///< of Progress, which counts finished parts; empty: no reports
  std::size_t held = 0;    ///< bytes of what all parts have in common
  std::size_t each = 0;    ///< bytes that the largest part needs; 0: unknown
};

/// The parts, as many side by side as there are threads and as memory has room for, with one thread
/// each; one after the other with all threads inside each where the parts are fewer than that.
/// Neither changes a bit.
/// \param body  of a part, with its own context, which has its memory and no progress; a log is
/// told only where no other part runs. It returns false where the context said stop. \returns
/// whether all returned true
[[nodiscard]] bool for_each_part(const Context& context, const ManyParts& parts,
                                 const std::function<bool(Index, const Context&)>& body);

}  // namespace kernmix
