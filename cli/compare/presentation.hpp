#pragma once
/// \file
/// A comparison as text, CSV, LaTeX, JSON and figure: with the same numbers.

#include <string>
#include <vector>

#include "compare/experiment.hpp"
#include "kernmix/selection/comparison_summary.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// A finished comparison.
struct ComparisonResult {
  const Experiment& experiment;
  const std::vector<ComparedSplit>& splits;
  const ComparisonSummary& summary;
  double seconds = 0.0;  ///< of this run
};

/// data_remarks() and comparison_remarks().
[[nodiscard]] std::vector<std::string> remarks_on(const ComparisonResult& result);

[[nodiscard]] std::string comparison_text(const ComparisonResult& result);
/// A line for each data set, split and method.
[[nodiscard]] std::string comparison_csv(const ComparisonResult& result);
/// A table of each score, for the packages booktabs and caption.
[[nodiscard]] std::string comparison_latex(const ComparisonResult& result);
[[nodiscard]] Json comparison_json(const ComparisonResult& result);
/// Demsar's diagram (2006, figure 1) of the first score; it needs a critical difference.
[[nodiscard]] std::string critical_difference_svg(const ScoreSummary& score,
                                                  const std::vector<std::string>& methods);

/// True for each method with the best mean on a data set.
[[nodiscard]] bool is_best(const ScoreSummary& score, Index data, Index method);

}  // namespace kernmix::cli
