#pragma once
/// \file
/// What a kernel must be. Every check throws DataError with the kernel's name.

#include <string>

#include "kernmix/bank/bank.hpp"
#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Every entry finite, |K_ij - K_ji| <= 1e-8 max |K|. Reads the whole matrix.
void check_symmetric(const KernelSource& source, const std::string& name, const Context& context);

/// Refuses a kernel of n samples unless K + s I = L L' in single precision, with
/// s = 1e-6 lambda + n 2^-24 max K_ii and a lambda <= trace K that is at most lambda_max(K) if no
/// eigenvalue is negative; K_ii before any centring. What passes has, whatever rounding did,
///
///     lambda_min(K) >= -s - (n + 2) 2^-24 (trace K + n s)
///
/// (Higham, Accuracy and Stability of Numerical Algorithms, 2002, theorem 10.3; Rump, BIT 46,
/// 2006): the worst case, which is n times what rounding amounts to in practice. What does not is
/// looked at again: of up to 1500 samples all eigenvalues are computed in double precision, and
/// -1e-8 times the largest one is allowed; of more the error names a bound on the smallest one.
/// Takes n^3 / 3 operations and n^2 floats.
/// \throws DataError with the kernel's name; ResourceError where the context says stop
void check_definite(const KernelSource& source, const std::string& name, const Context& context);

/// The same of kernel m of a bank. \param on_differences  only vectors of sum 0 count
void check_definite(const KernelBank& bank, Index m, bool on_differences, const std::string& name,
                    const Context& context);

/// Of a check of `count` kernels at most.
[[nodiscard]] std::size_t definiteness_bytes(Index n, Index count, const Context& context);

}  // namespace kernmix
