#pragma once
/// \file
/// Parts of studies as dictionaries.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/selection/comparison_summary.hpp"
#include "kernmix/study.hpp"
#include "values.hpp"

namespace kernmix::python {

/// name, kernels, regularizer, C, grid, mean, sd, scores, abandoned and kernels_used of each.
[[nodiscard]] Records candidate_records(const std::vector<Candidate>& candidates,
                                        const Search& search);
/// candidate and score of each outer fold.
[[nodiscard]] Records nested_records(const NestedSearch& nested);
/// name, value, low and high of each.
[[nodiscard]] Records metric_records(const std::vector<Metric>& metrics);
/// None where nothing is known.
[[nodiscard]] nb::object expected_record(const std::optional<Expected>& expected);
/// rows, fold, names, decision, winner, has_label and probability of all held-out samples, in the
/// order of the folds; None where some fold lacks them.
[[nodiscard]] nb::object held_out_record(const CrossValidation& winners,
                                         const std::vector<Fold>& folds, bool known,
                                         const Dataset& data);
/// What a search found, as auto_train's record has it.
[[nodiscard]] Record tune_record(const TuneResult& found, const std::vector<Candidate>& candidates,
                                 const Dataset& data);
/// methods, data, scores (means, differences and ranks of each), splits, remarks and whether it is
/// complete. \param remarks  on the data sets
[[nodiscard]] Record comparison_record(const std::vector<ComparedData>& data,
                                       const ComparisonRules& rules,
                                       const std::vector<ComparedSplit>& splits,
                                       const std::vector<std::string>& split_rules,
                                       std::vector<std::string> remarks);
[[nodiscard]] Records share_records(const std::vector<ViewShare>& shares);
[[nodiscard]] Records share_records(const std::vector<ColumnShare>& shares);

}  // namespace kernmix::python
