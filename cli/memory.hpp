#pragma once
/// \file
/// What the machine has and what this process took.

#include <cstddef>

namespace kernmix::cli {

/// 80 % of the memory that is available now, container limits included; 0 where nobody knows.
[[nodiscard]] std::size_t default_memory_budget();

/// Largest resident size of this process so far.
[[nodiscard]] std::size_t peak_memory_bytes();

}  // namespace kernmix::cli
