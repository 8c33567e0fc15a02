#pragma once
/// \file
/// Factors of combined kernels, with no more columns than the rank asks for.

#include <cstddef>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// W with W W' = Z Z' up to 1e-14 of its largest eigenvalue: with Z'Z = V diag(lambda) V', the
/// columns Z v of the eigenvalues that count, in the memory of Z. Z is returned unchanged if all
/// count, or if time is over.
[[nodiscard]] Matrix compressed(Matrix Z, const Context& context);

/// What compressed() takes beside Z, n x columns.
[[nodiscard]] std::size_t compression_bytes(Index n, Index columns, const Context& context);

}  // namespace kernmix
