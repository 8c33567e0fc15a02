#pragma once
/// \file
/// The kernel before normalisation.

#include "kernmix/kernel.hpp"

namespace kernmix {

/// Null if `source` is not normalised.
[[nodiscard]] const KernelSource* given_source(const KernelSource& source);

}  // namespace kernmix
