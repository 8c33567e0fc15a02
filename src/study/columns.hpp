#pragma once
/// \file
/// Which columns the decision of a model moves with, and in how many models of parts of the samples
/// it does.

#include <string>
#include <vector>

#include "kernmix/study.hpp"

namespace kernmix {

/// AutoResult::columns. Models of outer folds are trained anew and explained on what they did not
/// see, at most 200 samples; folds that train on one class or test one sample are left out.
/// \param study  all but its columns and the answer
[[nodiscard]] std::vector<ColumnShare> column_shares(const AutoResult& study, const Dataset& data,
                                                     const Context& context);

/// Up to five columns whose share is above that of the average column in every model; nothing of
/// fewer than four columns.
[[nodiscard]] std::string sentence_of_columns(const std::vector<ColumnShare>& columns);

}  // namespace kernmix
