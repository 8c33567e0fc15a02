#pragma once
/// \file
/// Probabilities of a model by cross-fitting (docs/how-to/calibrate.md).

#include <optional>

#include "kernmix/train.hpp"
#include "model/cross_fitting/cross_fit.hpp"
#include "model/targets.hpp"

namespace kernmix {

/// Sets model.calibration, or leaves it empty where time is up; adds what should be told.
/// \returns whether there was time
bool calibrate(const Dataset& data, const TrainOptions& options, const Context& context,
               Model& model, std::vector<Warning>& warnings);

/// The maps of a model once more, from its training data and settings, and the decision values that
/// they were fitted to.
struct CalibrationAgain {
  std::vector<ProbabilityMap> maps;
  Matrix decision;
};
/// \param data  the samples of training in their order;  \returns nothing where time was up
[[nodiscard]] std::optional<CalibrationAgain> calibrate_again(const Model& model,
                                                              const Dataset& data,
                                                              const TaskTargets& targets,
                                                              const Context& context);

}  // namespace kernmix
