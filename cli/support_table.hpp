#pragma once
/// \file
/// The support matrix loss x regularizer x solver for people.

#include <string>
#include <vector>

#include "kernmix/solve.hpp"

namespace kernmix::cli {

/// One row for each regularizer, one numbered column for each solver, "yes" where the solver takes
/// the regularizer with some loss; below it what single losses do not go with, and why.
/// \param cells  every combination of the losses, regularizers and solvers that occur
[[nodiscard]] std::string support_text(const std::vector<Support>& cells);

}  // namespace kernmix::cli
