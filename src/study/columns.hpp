#pragma once
/// \file
/// Which columns the decision of a model moves with, and in how many models of parts of the samples
/// it does.

#include <string>
#include <vector>

#include "kernmix/study.hpp"

namespace kernmix {

/// AutoResult::columns. Models of outer folds are retrained and explained on at most 200 held-out
/// samples; folds with one class or one test sample are omitted. \param study complete except for
/// columns and answer
[[nodiscard]] std::vector<ColumnShare> column_shares(const AutoResult& study, const Dataset& data,
                                                     const Context& context);

/// Up to five columns with more than the average share in every model; empty for fewer than four
/// columns.
[[nodiscard]] std::string sentence_of_columns(const std::vector<ColumnShare>& columns);

}  // namespace kernmix
