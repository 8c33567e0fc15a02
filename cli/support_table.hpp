#pragma once
/// \file
/// The support matrix loss x regularizer x solver as text.

#include <string>
#include <vector>

#include "kernmix/solve.hpp"

namespace kernmix::cli {

/// One row for each regularizer, one numbered column for each solver, "yes" if the solver supports
/// the regularizer with some loss; below it the unsupported combinations of single losses with the
/// reason.
/// \param cells all combinations of the losses, regularizers and solvers
[[nodiscard]] std::string support_text(const std::vector<Support>& cells);

}  // namespace kernmix::cli
