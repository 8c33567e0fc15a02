#pragma once
/// \file
/// Predictions of samples that were held out, as CSV.

#include <string>
#include <vector>

#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/study.hpp"
#include "variants.hpp"

namespace kernmix::cli {

/// A line for each model, split and sample tested there: model, split, sample, its true label or
/// number if known, then label, decision values and probabilities as kernmix predict writes them;
/// several labels of a sample are joined by commas.
[[nodiscard]] std::string held_out_csv(const Table& table, const std::vector<Variant>& variants,
                                       const ChosenFolds& folds, const CrossValidation& result);

}  // namespace kernmix::cli
