#pragma once
/// \file
/// Frobenius products of centred kernels,
///
///   <K_k^c, K_l^c>_F = sum_ij (K_k^c)_ij (K_l^c)_ij,   K^c = H K H,   H = I - 1 1' / n,
///
/// that is K^c_ij = K_ij - r_i - r_j + mean(r) with the row means r = K 1 / n. Entries are centred
/// before they are multiplied, which avoids cancellation for nearly constant kernels.

#include "kernmix/bank/bank.hpp"
#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// All M x M products. One read of the bank and M^2 n^2 flops; n M + M^2 doubles and a buffer of at
/// most some 64 MiB. \throws ResourceError if this exceeds the memory budget
[[nodiscard]] Matrix centred_products(const KernelBank& bank, const Context& context);

/// Only the norms ||K_m^c||_F. A kernel that is constant up to rounding has norm 0.
[[nodiscard]] Vector centred_norms(const KernelBank& bank, const Context& context);

}  // namespace kernmix
