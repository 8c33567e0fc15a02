#pragma once
/// \file
/// A second order model of J for steps that change the set of free samples
/// (docs/reference/solvers/newton.md).
///
///   S = K(d)_FF + diag(-gain'' + delta / w)   for F the samples within delta of a kink.
///
/// J has a kink wherever a sample enters or leaves the free set. If every loss is replaced by its
/// average over 2 delta of decision values, the dual variables of samples within delta of a kink
/// move through their width w_i over that range, as if the dual of the loss were curved there. The
/// mean curvature is 2 delta / w_i, and half of it performs best.

#include "weights/objective.hpp"

namespace kernmix {

/// The samples that the smoothed model treats as free, with their delta / w. The function chooses
/// delta such that averaging changes J by a small part of the outer gap. The result is empty if the
/// model of the free samples suffices.
/// \param most  largest number of samples
[[nodiscard]] FreeSet near_kinks(const Problem& problem, const DualSet& set, const Point& point,
                                 Index most);

/// The free samples of a model at `point`. The result includes samples near kinks if the gap is in
/// an intermediate range; outside that range, they do not improve the second order model.
[[nodiscard]] FreeSet with_near_kinks(const Objective& J, const Point& point);

}  // namespace kernmix
