#pragma once
/// \file
/// The figures of a report, each a <figure> with its caption.

#include <string>
#include <vector>

#include "run.hpp"

namespace kernmix::report {

/// How each run divides its weight among the views: one stacked bar a run.
[[nodiscard]] std::string view_shares(const std::vector<Run>& runs);

/// The weights of one run, grouped by view; of more than 40 kernels the largest, the others summed.
/// One sentence where all weights are equal.
[[nodiscard]] std::string kernel_weights(const Run& run);

/// Relative gap of every run against seconds and against iterations.
[[nodiscard]] std::string convergence(const std::vector<Run>& runs);

/// Primal and dual bound of one run against iterations; nothing where one iteration was enough.
[[nodiscard]] std::string bounds(const Run& run);

/// Of shared weights: the largest of one run against seconds; nothing where no history has them.
[[nodiscard]] std::string weight_evolution(const Run& run);

/// Of runs with a trace: accuracy, mean AUC and mean average precision on held-out samples against
/// seconds.
[[nodiscard]] std::string trace_curves(const std::vector<Run>& runs);

/// ROC curves of every evaluation that has one, with their AUC.
[[nodiscard]] std::string roc_curves(const std::vector<Run>& runs);

/// Of each evaluation of a regression: predicted against true numbers, and residuals.
[[nodiscard]] std::string predicted_numbers(const Run& run);

/// Of each evaluation of a novelty detector: how its decision values are distributed.
[[nodiscard]] std::string decision_values(const Run& run);

/// Of many classes, labels or targets: the metrics of each, as a table for each evaluation.
[[nodiscard]] std::string class_results(const Run& run);

/// Of many tasks: how each divides itself among the kernels, as a heat map: its own kernel weights,
/// or with shared weights its block norms below the weights.
[[nodiscard]] std::string task_weights(const Run& run);

/// Of each evaluation of many classes: how often one was taken for another, as a heat map.
[[nodiscard]] std::string confusions(const Run& run);

}  // namespace kernmix::report
