#pragma once
/// \file
/// Which columns the decision of a model moves with, and in how many models of parts of the samples
/// it does.

#include <string>
#include <vector>

#include "automatic/study.hpp"

namespace kernmix::cli {

/// FeatureEffect::importance as a share of all columns, the mean over tasks.
struct ColumnShare {
  std::string view;
  std::string column;
  double share = 0.0;
  double least = 0.0;  ///< over this model and those of the outer folds
  double most = 0.0;
};

/// The largest first; empty where kernels read no columns, columns and samples are too many for a
/// second or two, or time is up. Models of outer folds are trained anew and explained on what they
/// did not see, at most 200 samples; folds that train on one class or test one sample are left out.
[[nodiscard]] std::vector<ColumnShare> column_shares(const AutomaticStudy& study,
                                                     const Dataset& data,
                                                     const std::vector<Candidate>& candidates,
                                                     const std::vector<NestedFold>& nested,
                                                     const Context& context);

/// Up to five columns whose share is above that of the average column in every model; nothing of
/// fewer than four columns.
[[nodiscard]] std::string sentence_of_columns(const std::vector<ColumnShare>& columns);

}  // namespace kernmix::cli
