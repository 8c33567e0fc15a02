#pragma once
/// \file
/// Which samples are looked at, and whether to go on looking.

#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// 0, 1, ..., n-1
[[nodiscard]] std::vector<Index> all_samples(Index n);
/// At most `count` evenly spaced of 0 .. n-1.
[[nodiscard]] std::vector<Index> spaced_samples(Index n, Index count);

/// Throws ResourceError once the caller's time limit has passed or the caller has cancelled:
/// without its kernels no problem has a best answer so far.
void stop_if_asked(const Context& context);

}  // namespace kernmix
