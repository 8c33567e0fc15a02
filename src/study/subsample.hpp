#pragma once
/// \file
/// Studies of more samples than every candidate can train on: some of the samples choose, and
/// others, which take no part in the choice, estimate.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/study.hpp"

namespace kernmix {

struct DrawnSubsample {
  Subsample facts;
  std::vector<Index> samples;  ///< that choose, ascending
  Fold estimate;               ///< its test part has none of them
  LandmarkRule landmarks;      ///< of all candidates
  std::string note = {};       ///< of landmarks that were not asked for

  /// For FoldRule::samples_called.
  [[nodiscard]] std::string called() const;
};

/// Nothing for at most 10,000 samples, and where candidates use the kernels as written. Classes
/// keep their shares, and groups stay together; of few large groups, parts choose.
/// \param rule  of the folds, with their number, seed and group column
/// \throws ParameterError for too few groups, and as settle_landmarks()
[[nodiscard]] std::optional<DrawnSubsample> draw_subsample(const Dataset& data,
                                                           const TrainOptions& options,
                                                           const FoldRule& rule,
                                                           const Context& context);

/// "The settings are chosen on 5000 samples, ...", or empty.
[[nodiscard]] std::string sentence_of_subsample(const AutoResult& study);

}  // namespace kernmix
