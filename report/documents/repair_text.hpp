#pragma once
/// \file
/// What was done to given matrices that are indefinite.

#include <string>

#include "json_text.hpp"
#include "kernmix/model.hpp"

namespace kernmix::documents {

/// A repair was asked for and the model has given matrices.
[[nodiscard]] bool has_repair(const Model& model);

/// "clip: precomputed on gram (3 eigenvalues < 0, the smallest -54.9)", "clip: no matrix is
/// indefinite".
[[nodiscard]] std::string repair_text(const Model& model);

/// `rule`, `smallest_eigenvalue` and `negative_eigenvalues` of one kernel, whether it was changed
/// or not.
[[nodiscard]] Json repair_json(const FittedRepair& repair);

}  // namespace kernmix::documents
