#pragma once
/// \file
/// Factors of combined kernels, with no more columns than the rank asks for.

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// W with W W' = Z Z' up to 1e-14 of its largest entry: the columns of Z that a pivoted Cholesky
/// factorisation of Z'Z chooses, times a small core. Z as it is where few columns can go.
[[nodiscard]] Matrix compressed(Matrix Z, const Context& context);

}  // namespace kernmix
