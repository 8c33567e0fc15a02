#pragma once
/// \file
/// The memory budget, for solvers that keep more than a few vectors.

#include <cstddef>
#include <string>

#include "kernmix/context.hpp"
#include "kernmix/kernel/bank.hpp"

namespace kernmix {

/// Throws ResourceError unless bytes <= context.memory_bytes - bank.bytes(). `what` needs them, as
/// in "solver smo keeps K_m a for every kernel".
void require_room(const KernelBank& bank, std::size_t bytes, const std::string& what,
                  const Context& context);

}  // namespace kernmix
