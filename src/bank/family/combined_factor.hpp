#pragma once
/// \file
/// Factors of combined kernels, with no more columns than the rank asks for.

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// W with W W' = Z Z' up to 1e-14 of its largest eigenvalue: with Z'Z = V diag(lambda) V', the
/// columns Z v of the eigenvalues that count, in the memory of Z. Z is returned unchanged if all
/// count.
[[nodiscard]] Matrix compressed(Matrix Z, const Context& context);

}  // namespace kernmix
