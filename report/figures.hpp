#pragma once
/// \file
/// The figures of a report as values. A figure without charts has nothing to show.

#include <string>
#include <vector>

#include "figure.hpp"
#include "run.hpp"

namespace kernmix::report {

/// Which colour each view has, the same in every figure of a page.
class ViewColors {
 public:
  /// The views with the largest shares over all runs have colours of their own; the rest is grey.
  explicit ViewColors(const std::vector<Run>& runs);
  [[nodiscard]] std::string_view fill(const std::string& view) const;
  [[nodiscard]] bool is_own(const std::string& view) const;
  /// Views in the order of their colours, then the others.
  [[nodiscard]] const std::vector<std::string>& order() const { return order_; }

 private:
  std::vector<std::string> order_;
};

// weight_figures.cpp

/// Of several runs: how each divides its weight among the views.
[[nodiscard]] Figure view_shares(const std::vector<Run>& runs, const ViewColors& colors);
/// The largest views and kernels of one run, with intervals where there is a stability result.
[[nodiscard]] Figure kernel_weights(const Run& run, const ViewColors& colors);
/// What is in no figure: one sentence of equal weights, or a table of all kernels that are used.
[[nodiscard]] std::string weight_table(const Run& run);

// similarity_figures.cpp

/// How alike the kernels of one run are, and the eigenvalues of their sum; nothing where the run
/// does not say.
[[nodiscard]] Figure kernel_similarity(const Run& run);

// training_figures.cpp

/// Relative gap of every run against iterations and seconds.
[[nodiscard]] Figure convergence(const std::vector<Run>& runs);
/// Primal and dual bound of one run against iterations; nothing where one iteration was enough.
[[nodiscard]] Figure bounds(const Run& run);
/// Of shared weights: the largest of one run against seconds; nothing where no history has them.
[[nodiscard]] Figure weight_evolution(const Run& run);
/// Of runs with a trace: metrics on held-out samples against seconds.
[[nodiscard]] Figure trace_curves(const std::vector<Run>& runs);
/// Of a search over C: score and kernels used along the path of the best regularizer.
[[nodiscard]] Figure search_path(const Search& search);

// curve_figures.cpp

/// Of several evaluations of two classes: their ROC in one figure.
[[nodiscard]] Figure roc_comparison(const std::vector<Run>& runs);
/// Of each evaluation of two classes: ROC and precision against recall, with bands.
[[nodiscard]] std::vector<Figure> ranking_curves(const Run& run);
/// Of each evaluation with probabilities: how often what was predicted came true.
[[nodiscard]] std::vector<Figure> reliability(const Run& run);

// value_figures.cpp

/// Of each evaluation of a regression: predicted against true numbers, and residuals.
[[nodiscard]] std::vector<Figure> predicted_numbers(const Run& run);
/// Of each evaluation of a novelty detector: how its decision values are distributed.
[[nodiscard]] std::vector<Figure> decision_values(const Run& run);

// task_figures.cpp

/// Of many tasks: how each divides itself among the kernels, as a heat map: its own kernel weights,
/// or with shared weights its block norms below the weights.
[[nodiscard]] Figure task_weights(const Run& run);
/// Of each evaluation of classes: how often one was taken for another; of many classes those with
/// the most errors.
[[nodiscard]] std::vector<Figure> confusions(const Run& run);

/// " on test.csv" where a run has several evaluations.
[[nodiscard]] std::string where_assessed(const Run& run, const Assessment& assessment);

}  // namespace kernmix::report
