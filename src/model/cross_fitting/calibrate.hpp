#pragma once
/// \file
/// Calibration of a model by cross-fitting (docs/how-to/calibrate.md).

#include <optional>

#include "kernmix/train.hpp"
#include "model/cross_fitting/cross_fit.hpp"
#include "model/targets.hpp"

namespace kernmix {

/// Sets model.calibration and adds warnings; leaves it empty if time runs out.
/// \param kernels  of the model, in place of those of the options; or null
/// \returns false if time ran out
bool calibrate(const Dataset& data, const TrainOptions& options, const DescribedKernels* kernels,
               const Context& context, Model& model, std::vector<Warning>& warnings);

/// The maps of a model recomputed from its training data and settings, and the held-out decision
/// values.
struct RefittedCalibration {
  std::vector<ProbabilityMap> maps;
  Matrix decision;
};
/// \param data the training samples in their order; \returns nothing if time ran out
[[nodiscard]] std::optional<RefittedCalibration> calibrate_again(const Model& model,
                                                                 const Dataset& data,
                                                                 const TaskTargets& targets,
                                                                 const Context& context);

}  // namespace kernmix
