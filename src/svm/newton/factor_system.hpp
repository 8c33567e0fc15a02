#pragma once
/// \file
/// Newton's system for a factor: with Lambda >= 0 diagonal and e_c the indicator of the samples of
/// a fixed sum,
///
///   (I + Z' (Lambda - sum_c Lambda e_c e_c' Lambda / e_c' Lambda e_c) Z) p = -g,
///
/// which is I + Y'Y, Y the rows sqrt(Lambda_i) (z_i - mean_c), means weighted by Lambda.

#include "kernmix/context.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"
#include "svm/newton/weighted_columns.hpp"

namespace kernmix {

/// p. Costs F min(F, r) r operations, F the number of samples with slope[i] = Lambda_i > 0: for F <
/// r the system is solved in F dimensions (Woodbury). Where both are many, conjugate gradients take
/// some F r operations.
[[nodiscard]] Vector newton_direction(const WeightedColumns& Z, ConstSpan slope, const DualSet& set,
                                      ConstSpan g, const Context& context);

/// Memory in addition to Z: partial sums of Y'Y, or Y and its system in F dimensions.
[[nodiscard]] std::size_t newton_direction_bytes(Index F, Index r, const Context& context);

}  // namespace kernmix
