#pragma once
/// \file
/// A second order model of J for steps that change the set of free samples
/// (docs/reference/solvers/newton.md).
///
/// S = K(d)_FF + diag(-gain'' + delta / w)   for F the samples within delta of a kink.
///
/// J has a kink wherever a sample becomes free or stops to be. With every loss replaced by its
/// average over 2 delta of decision values, those within delta of a kink have dual variables that
/// move through their width w_i over that range, as if the loss's dual curved there: by 2 delta /
/// w_i in the mean, of which half serves best.

#include "weights/objective.hpp"

namespace kernmix {

/// The samples that such a model takes for free, and their delta / w; none where those that are
/// free will do. With delta such that averaging changes J by a small part of the outer gap.
/// \param most  samples
[[nodiscard]] FreeSet near_kinks(const Problem& problem, const DualSet& set, const Point& point,
                                 Index most);

/// The free samples of a model at `point`: with those near kinks where the gap is between the two
/// at which a second order model is as good as it can be without.
[[nodiscard]] FreeSet with_near_kinks(const Objective& J, const Point& point);

}  // namespace kernmix
