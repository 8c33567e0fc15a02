#pragma once
/// \file
/// Permutation tests where folds test samples more than once (repeats): folds follow the labels
/// that they were dealt by.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/selection/significance.hpp"

namespace kernmix {

/// Whether some sample stands in the test part of several folds.
[[nodiscard]] bool tests_samples_again(const std::vector<Fold>& folds, Index samples);

/// Where sample i gets the label of sample order[i], it also takes its place in the folds. So each
/// fold keeps its classes, whatever the permutation, and what is permuted is as likely as what was
/// observed where labels are independent of the data: the test is exact for folds that were dealt
/// by labels and chance. Kernels are computed anew, as other samples train. \returns for each order
/// the score of each fold, NaN where a fold has none, or nothing where time was up
[[nodiscard]] std::vector<std::optional<Vector>> scores_with_carried_folds(
    const Dataset& data, const TrainOptions& options, const SignificanceOptions& asked,
    const std::string& score, const std::vector<std::vector<Index>>& orders,
    const Context& context);

}  // namespace kernmix
