#pragma once
/// \file
/// Paired tests of models on the same splits of one data set.

#include <string>
#include <vector>

#include "kernmix/selection/cross_validation.hpp"
#include "output.hpp"
#include "variants.hpp"

namespace kernmix::cli {

/// All other models against the first: mean difference, its 95 % interval and p-value by the
/// corrected resampled t-test, and p-values adjusted by Holm's method.
[[nodiscard]] std::string paired_table(const CrossValidation& result,
                                       const std::vector<Variant>& variants,
                                       const std::vector<Fold>& folds, const std::string& score);
[[nodiscard]] Json paired_json(const CrossValidation& result, const std::vector<Variant>& variants,
                               const std::vector<Fold>& folds, const std::string& score);

}  // namespace kernmix::cli
