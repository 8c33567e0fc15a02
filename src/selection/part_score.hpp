#pragma once
/// \file
/// A model of one part of a data set, scored on another.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/selection/scores.hpp"
#include "model/fits/part_fits.hpp"

namespace kernmix {

struct PartScore : PartAnswer {
  /// Metrics of scores(). Samples of a class that is missing in the part count as errors; ranking
  /// and probability metrics are then undefined.
  std::vector<Metric> metrics;
};

/// Replaces -infinity by decision values below all others.
[[nodiscard]] Prediction with_finite_decisions(Prediction prediction);

/// Trains on the train samples of the part and scores on the test samples.
/// \param name  of the model, for messages, or empty
/// \returns nothing where the context said stop before the model was finished
[[nodiscard]] std::optional<PartScore> score_part(PartFits& fits, const TrainOptions& options,
                                                  const std::string& name, Purpose purpose);
/// The metrics of some of the test samples: PartScore::metrics of a test part with only these.
/// \param rows  of the test part
[[nodiscard]] std::vector<Metric> metrics_at(PartFits& fits, const TrainOptions& options,
                                             const PartAnswer& answer,
                                             const std::vector<Index>& rows);

}  // namespace kernmix
