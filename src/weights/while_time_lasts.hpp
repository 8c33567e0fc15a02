#pragma once
/// \file
/// The end of a run on an Objective by its time.

#include "problem/without_end.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// Calls body(). A pass over kernels that takes longer than time allows ends it, and the best
/// answer before that pass counts. \throws ResourceError if there is none
template <typename Body>
void while_time_lasts(const Objective& J, const Context& context, const Body& body) {
  try {
    body();
  } catch (const ResourceError&) {
    if (J.at_start() || !ended_in_use(context)) throw;
  }
}

}  // namespace kernmix
