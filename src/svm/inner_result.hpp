#pragma once
/// \file
/// What an inner solver returns besides a and z.

#include "kernmix/types.hpp"

namespace kernmix {

/// After a change of weights the gap must fall to this share of what the change opened, even where
/// it is below its target already. Gaps are of second order in the distance to the optimum, but q,
/// on which the outer gap hangs, is of first order: a dual vector left behind would stall it.
constexpr double inner_gap_reduction = 0.05;

struct InnerResult {
  double gap = 0.0;  ///< of the inner problem, at the z returned
  Index iterations = 0;
  bool exact = true;  ///< z is K(d) a of the bank; else of K(d) rounded to single precision
};

}  // namespace kernmix
