#pragma once
/// \file
/// Work of a library that a damaged file can end: it runs in a process of its own.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "kernmix/context.hpp"

namespace kernmix {

/// The limits of a separate process, which its library does not know.
struct ProcessLimits {
  std::size_t bytes = 0;      ///< of memory, in addition to that of the copied process
  double silent_seconds = 5;  ///< of processor time without output
};

/// Runs `work` in a copy of this process, so that a crash there is an answer here.
/// \param work   writes to `out`; false if it fails
/// \param take   is given what `work` writes, piece by piece
/// \param place  for messages
/// \returns whether work() ended with true
/// \throws ResourceError when the context stops it, if no process can start, if the limit on memory
/// or the system ends it; DataError at the limit of silent_seconds; what take() throws
[[nodiscard]] bool in_separate_process(const std::function<bool(const Descriptor& out)>& work,
                                       const std::function<void(std::string_view)>& take,
                                       const ProcessLimits& limits, const std::string& place,
                                       const Context& context);

}  // namespace kernmix
