#pragma once
/// \file
/// The Euclidean projection onto a level set of the cutting planes:
///
///   min_x 1/2 |x - centre|^2   s.t.  gain_i - 1/2 q_i' x <= level for every cut i,
///                                    sum x = 1,  0 <= x <= u

#include <functional>

#include "weights/cuts/bundle.hpp"

namespace kernmix {

/// Primal-dual interior point method; every linear system has the size of the number of cuts plus
/// one, so that its cost is (number of cuts)^2 M an iteration. Exact zeros where weights vanish.
/// Empty where rounding leaves the level set without an inside: the level is all but its minimum.
/// \param level above min_{x in D} max_i cut_i(x), \param upper_bound u > 1/M, may be infinite
[[nodiscard]] Vector project_onto_level_set(const Bundle& cuts, double level, ConstSpan centre,
                                            double upper_bound);

/// The same for any D with a Euclidean projection, by accelerated gradients (FISTA, restarted where
/// the dual value falls) on the multipliers of the cuts. The cuts reach the level up to a hundredth
/// of what they are above it at the centre, if the iterations suffice.
/// \param project  onto D, in place
[[nodiscard]] Vector project_onto_level_set(const Bundle& cuts, double level, ConstSpan centre,
                                            const std::function<void(MutableSpan)>& project);

}  // namespace kernmix
