#pragma once
/// \file
/// The kernel that a normalised one was made of.

#include "kernmix/kernel.hpp"

namespace kernmix {

/// Null where `source` is not normalised.
[[nodiscard]] const KernelSource* given_source(const KernelSource& source);

}  // namespace kernmix
