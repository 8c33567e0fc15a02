#pragma once
/// \file
/// Checks of kernels. Every check throws DataError with the kernel's name.

#include <string>

#include "kernmix/bank/bank.hpp"
#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Every entry finite, |K_ij - K_ji| <= 1e-8 max |K|. Reads the whole matrix.
void check_symmetric(const KernelSource& source, const std::string& name, const Context& context);

/// Throws unless K + s I = L L' in single precision for a kernel of n samples, with
/// s = 1e-6 lambda + n 2^-24 max K_ii and a lambda <= trace K that is at most lambda_max(K) if no
/// eigenvalue is negative; K_ii before any centring. A kernel that passes has, for any rounding,
///
///     lambda_min(K) >= -s - (n + 2) 2^-24 (trace K + n s)
///
/// (Higham, Accuracy and Stability of Numerical Algorithms, 2002, theorem 10.3; Rump, BIT 46,
/// 2006); in practice rounding errors are about n times smaller. If the factorisation fails, all
/// eigenvalues are computed in double precision for up to 1500 samples, and
/// -1e-8 times the largest one is allowed; for more samples the error has a bound on the smallest
/// one. Takes n^3 / 3 operations and n^2 floats. \throws DataError with the kernel's name;
/// ResourceError if the context stops the run
void check_definite(const KernelSource& source, const std::string& name, const Context& context);

/// The same for kernel m of a bank. \param source  of this kernel
void check_definite(const KernelBank& bank, Index m, const KernelSource& source,
                    const std::string& name, const Context& context);

/// Memory of a check of at most `count` kernels.
[[nodiscard]] std::size_t definiteness_bytes(Index n, Index count, const Context& context);

}  // namespace kernmix
