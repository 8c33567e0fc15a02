#pragma once
/// \file
/// One self-contained HTML page from the JSON files of `train` and `evaluate`: figures are inline
/// SVG, there are no scripts and nothing is loaded from anywhere.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kernmix {

/// What may stand beside runs and evaluations.
struct ReportSupplements {
  /// JSON of `kernmix stability --json`; belongs to the run with the same regularizer and C or,
  /// where none has, to the run at the same position
  std::vector<nlohmann::json> stabilities;
  /// JSON of `kernmix tune --json`, which reads a file that some run reads, too
  std::vector<nlohmann::json> searches;
};

/// Renders a run, or an array of runs to compare.
/// \param runs         JSON of `kernmix train --json`, one object or an array of at least one
/// \param evaluations  JSON of `kernmix evaluate --json`; belongs to the run with the same `model`
///                     path or, where no path agrees, to the run at the same position
/// \throws DataError when `runs` holds anything that is not a run, and when a stability result is
/// of other kernels
[[nodiscard]] std::string render_report(const nlohmann::json& runs,
                                        const std::vector<nlohmann::json>& evaluations,
                                        const ReportSupplements& supplements = {});

}  // namespace kernmix
