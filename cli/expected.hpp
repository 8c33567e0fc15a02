#pragma once
/// \file
/// What to expect of new samples, as sentences, tables and JSON: the same for cv, tune and auto.

#include <optional>
#include <string>
#include <vector>

#include "findings.hpp"
#include "kernmix/selection/expected.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// One sentence for everybody: "Expected: right for 75 of 100 new samples (95 % interval 66 to 83);
/// always saying 'no' is right for 68." Of numbers: how much of their variation is explained. Empty
/// where nothing of the kind is known.
[[nodiscard]] std::string answer_sentence(const Expected& expected);

/// " (95 % interval 66 to 83)" of a share in per cent, or empty where there is none.
[[nodiscard]] std::string interval_of_hundred(const Metric& metric);

/// What `score` is expected to be: "auc 0.67 (95 % interval 0.54 to 0.78)".
[[nodiscard]] std::string expected_score(const Expected& expected, const std::string& score);

/// "0.7500 (0.63 to 0.84)", "0.7500", or "-" without a value.
[[nodiscard]] std::string interval_cell(const Metric& metric);

/// For people: one average of those over classes, and no area that is another's approximation. The
/// JSON has them all.
[[nodiscard]] bool is_shown(const std::string& metric);

[[nodiscard]] Json expected_json(const std::optional<Expected>& expected);

/// Code no-better-than-majority: labels that are right no more often than those of always saying
/// the most frequent class, and a balanced accuracy that cannot be told from that of guessing.
/// \param name  of the model among several, or empty
[[nodiscard]] std::vector<Warning> expected_warnings(const Expected& expected,
                                                     const std::string& name);

/// The same of the metrics of an evaluation.
[[nodiscard]] std::vector<Warning> evaluation_warnings(const Model& model, const Table& table,
                                                       const Prediction& prediction,
                                                       ConstSpan weights);

/// Tables, curves and counts of held-out predictions, whose metrics are those of `expected`.
[[nodiscard]] Findings held_out_findings(const PooledPrediction& all,
                                         const std::vector<Fold>& folds, const Expected& expected);

}  // namespace kernmix::cli
