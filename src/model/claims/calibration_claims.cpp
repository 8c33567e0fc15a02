#include "model/claims/calibration_claims.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/samples.hpp"
#include "model/cross_fitting/calibrate.hpp"

namespace kernmix {
namespace {

/// The mean absolute difference over decision values; NaN if a value is NaN.
double mean_difference(const ProbabilityMap& left, const ProbabilityMap& right,
                       ConstSpan decision) {
  double sum = 0.0;
  for (const double f : decision) {
    sum += std::abs(probability_at(left, f) - probability_at(right, f));
  }
  return sum / static_cast<double>(decision.size());
}

}  // namespace

void check_calibration_again(Claims& claims, const Model& model, const Dataset& data,
                             const TaskTargets& targets, const TrainingData& found,
                             const Context& context) {
  if (model.calibration.empty() || found.rows != model.support) return;
  std::optional<RefittedCalibration> again;
  const bool trained = claims.attempt(
      "calibration", [&] { again = calibrate_again(model, data, targets, context); });
  if (!trained || !again) return;
  for (std::size_t k = 0; k < again->maps.size(); ++k) {
    const Vector f = column_of(again->decision, static_cast<Index>(k));
    const double difference = mean_difference(model.calibration.maps[k], again->maps[k], f);
    claims.require(
        "calibration", difference <= calibration_agreement,
        fmt::format("cross-fitted again, probabilities{} differ by {:.3g} in the mean over the "
                    "training samples, more than {:g}",
                    model.single() ? "" : fmt::format(" of '{}'", model.names[k]), difference,
                    calibration_agreement));
  }
}

}  // namespace kernmix
