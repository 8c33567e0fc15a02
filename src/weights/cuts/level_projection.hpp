#pragma once
/// \file
/// The Euclidean projection onto a level set of the cutting planes:
///
///   min_x 1/2 |x - centre|^2   s.t.  gain_i - 1/2 q_i' x <= level for every cut i,
///                                    sum x = 1,  0 <= x <= u

#include <functional>

#include "weights/cuts/bundle.hpp"

namespace kernmix {

/// Projects by a primal-dual interior point method. Every linear system has the number of cuts plus
/// one as its dimension, so the cost of an iteration is (number of cuts)^2 M. Vanishing weights are
/// exactly zero. The result is empty if the level is so close to its minimum that, due to rounding,
/// the level set has no interior.
/// \param level        above min_{x in D} max_i cut_i(x)
/// \param upper_bound  u > 1/M, may be infinite
[[nodiscard]] Vector project_onto_level_set(const Bundle& cuts, double level, ConstSpan centre,
                                            double upper_bound);

/// Projects for any D with a Euclidean projection, by accelerated gradients (FISTA, restarted when
/// the dual value decreases) on the multipliers of the cuts. If the iterations suffice, the excess
/// of the cuts over the level is at most a hundredth of the excess at the centre.
/// \param project  the projection onto D, in place
[[nodiscard]] Vector project_onto_level_set(const Bundle& cuts, double level, ConstSpan centre,
                                            const std::function<void(MutableSpan)>& project);

}  // namespace kernmix
