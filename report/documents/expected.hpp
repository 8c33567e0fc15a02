#pragma once
/// \file
/// The expected performance as sentences, tables and JSON, common to cv, tune and auto.

#include <optional>
#include <string>
#include <vector>

#include "findings.hpp"
#include "json_text.hpp"
#include "kernmix/study.hpp"

namespace kernmix::documents {

/// The expected value of `score`: "auc 0.67 (95 % interval 0.54 to 0.78)".
[[nodiscard]] std::string expected_score(const Expected& expected, const std::string& score);

/// "0.7500 (0.63 to 0.84)", "0.7500", or "-" without a value.
[[nodiscard]] std::string interval_cell(const Metric& metric);

/// Whether the text shows the metric: one of the averages over classes, and no approximations of
/// other areas. The JSON has all metrics.
[[nodiscard]] bool is_shown(const std::string& metric);

[[nodiscard]] Json expected_json(const std::optional<Expected>& expected);

/// Tables, curves and counts of held-out predictions, whose metrics are those of `expected`.
[[nodiscard]] Findings held_out_findings(const PooledPrediction& all,
                                         const std::vector<Fold>& folds, const Expected& expected);

}  // namespace kernmix::documents
