#pragma once
/// \file
/// Whether models differ on the same splits of one data set.

#include <string>
#include <vector>

#include "kernmix/selection/cross_validation.hpp"
#include "output.hpp"
#include "variants.hpp"

namespace kernmix::cli {

/// Each other model against the first: mean difference, its 95 % interval and p by the corrected
/// resampled t-test, and Holm's p of all of them.
[[nodiscard]] std::string paired_table(const CrossValidation& result,
                                       const std::vector<Variant>& variants,
                                       const std::vector<Fold>& folds, const std::string& score);
[[nodiscard]] Json paired_json(const CrossValidation& result, const std::vector<Variant>& variants,
                               const std::vector<Fold>& folds, const std::string& score);

}  // namespace kernmix::cli
