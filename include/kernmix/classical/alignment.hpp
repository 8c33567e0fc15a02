#pragma once
/// \file
/// Kernel weights from centred alignment with the targets
/// (docs/reference/regularizers/alignment.md).
///
///   a_m = y' K_m^c y,   M_kl = <K_k^c, K_l^c>_F,   K^c = H K H
///   align:   w_m = a_m / ||K_m^c||_F                      alignf:  w = argmin_{v >= 0} v'Mv - 2
///   a'v
///
/// both divided by ||w||_2. Cortes, Mohri and Rostamizadeh, ICML 2010 and JMLR 2012 ("align" and
/// "alignf"): the first weights every kernel by its own alignment, the second maximises the
/// alignment of the sum.

#include "kernmix/bank/bank.hpp"
#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct AlignmentWeights {
  Vector weights;           ///< length M, >= 0, ||w||_2 = 1
  Vector alignment;         ///< of each kernel: a_m / (||K_m^c||_F ||Hy||^2), in [0, 1]
  double relative_gap = 0;  ///< certified, of the quadratic program of alignf; 0 for align
};

/// Constant kernels have weight 0. Cost: one read of the bank; alignf also M^2 n^2 flops.
/// \param y n targets, +-1 or real
/// \throws DataError if all targets are equal or no kernel varies with them
[[nodiscard]] AlignmentWeights align(const KernelBank& bank, ConstSpan y, const Context& context);
[[nodiscard]] AlignmentWeights alignf(const KernelBank& bank, ConstSpan y, const Context& context);

}  // namespace kernmix
