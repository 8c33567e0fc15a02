#pragma once
/// \file
/// What views add to decision values.

#include <string>
#include <vector>

#include "kernmix/explain.hpp"

namespace kernmix {

/// Views of the kernels with weight, without duplicates, in the order of the kernels.
[[nodiscard]] std::vector<std::string> views_with_weight(const Model& model,
                                                         const ViewOfMatrix& view_of_matrix);

/// \param prediction  with contributions
[[nodiscard]] std::vector<ViewEffect> view_effects(const Model& model, const Prediction& prediction,
                                                   const ViewOfMatrix& view_of_matrix);

}  // namespace kernmix
