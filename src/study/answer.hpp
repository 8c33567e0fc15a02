#pragma once
/// \file
/// What a study says of views, and its warnings.

#include <optional>
#include <vector>

#include "kernmix/study.hpp"

namespace kernmix {

/// AutoResult::views, from the model and those of the outer folds. With a subsample there is one
/// outer fold, and the models of the folds of the search are trained again.
[[nodiscard]] std::vector<ViewShare> ranged_view_shares(const AutoResult& study,
                                                        const Dataset& data,
                                                        const Context& context);

/// Warnings of training and, if known, of the expected performance.
[[nodiscard]] std::vector<Warning> warnings_of_study(const TrainResult& trained,
                                                     const std::optional<Expected>& expected);

}  // namespace kernmix
