#pragma once
/// \file
/// The result of an inner solver besides a and z.

#include "kernmix/types.hpp"

namespace kernmix {

/// After a change of weights the gap must fall to this share of its value right after the change,
/// even if that is below the target. Gaps are of second order in the distance to the optimum, but
/// q, which determines the outer gap, is of first order: an outdated dual vector would stall the
/// outer solver.
constexpr double inner_gap_reduction = 0.05;

struct InnerResult {
  double gap = 0.0;  ///< of the inner problem, at the z returned
  Index iterations = 0;
  bool exact = true;  ///< z is K(d) a computed by the bank; otherwise with K(d) in single precision
};

}  // namespace kernmix
