#pragma once
/// \file
/// Permutation tests with repeated folds, which move along with the labels that determined them.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/selection/significance.hpp"

namespace kernmix {

/// Whether some sample is in the test part of several folds.
[[nodiscard]] bool tests_samples_again(const std::vector<Fold>& folds, Index samples);

struct CarriedScore {
  std::string name;             ///< of the metric
  bool weights_follow = false;  ///< sample weights move with the labels
};

/// Sample i gets the label of sample order[i] and its place in the folds. Each fold therefore keeps
/// its classes, and under independence of labels and data all permutations are equally likely: the
/// test is exact for folds that depend only on labels and chance. Kernels are recomputed because
/// training samples change. \returns for each order the score of each fold, NaN if undefined, or
/// nothing if time ran out
[[nodiscard]] std::vector<std::optional<Vector>> scores_with_carried_folds(
    const Dataset& data, const TrainOptions& options, const SignificanceOptions& asked,
    const CarriedScore& score, const std::vector<std::vector<Index>>& orders,
    const Context& context);

}  // namespace kernmix
