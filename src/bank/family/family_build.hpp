#pragma once
/// \file
/// A family on all samples.

#include <optional>

#include "bank/family/factor_family.hpp"
#include "bank/family/incomplete_cholesky.hpp"

namespace kernmix {

/// A basis for kernels k = 0 .. M_f - 1 from S = sum_k K_k / trace K_k, with what it leaves out:
///   |phi_k(x_i) - sum_p X_ip phi_k(x_p)|^2 <= trace K_k * residual_i    for every k
/// because the squares, each over its trace, sum to the residual diagonal of S.
struct FamilyBasis {
  Factorization found;   ///< of S; its columns are X' once interpolated
  Vector traces;         ///< of the kernels; 1 instead of 0
  double largest = 0.0;  ///< entry on the diagonal of S
};

/// Continues from `pivots`; reads the kernels on the pivots only.
/// \param tolerance  stop at residual trace <= this * trace S
[[nodiscard]] FamilyBasis family_basis(const std::vector<const KernelSource*>& kernels,
                                       const std::vector<Index>& pivots, double tolerance,
                                       Index most_rank, const Context& context);

/// Turns L' of a basis into X'.
void interpolate(FamilyBasis& basis, const Context& context);

/// The family on all samples, or nothing if it needs more than `most_rank` columns or an entry is
/// not finite.
/// \param numbers  of the kernels in the bank
[[nodiscard]] std::optional<FactorFamily> build_family(
    const std::vector<const KernelSource*>& kernels, const std::vector<Index>& numbers,
    const std::vector<Index>& pivots, double tolerance, Index most_rank, const Context& context);

}  // namespace kernmix
