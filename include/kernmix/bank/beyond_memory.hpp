#pragma once
/// \file
/// Banks of which some kernels are not stored, and plans of banks that are.

#include <memory>

#include "kernmix/bank/bank.hpp"
#include "kernmix/bank/plan.hpp"

namespace kernmix {

/// Expected time of a pass over the kernels of `bank` that are evaluated or read from their file in
/// each pass, measured when it was built; 0 where all are stored.
[[nodiscard]] double evaluation_seconds(const KernelBank& bank);

/// The families of a plan without their numbers, for plans of other solvers on the same bank.
[[nodiscard]] std::shared_ptr<const MemoryPlan::Families> outlines(const MemoryPlan& plan);

}  // namespace kernmix
