#include "model/cross_fitting/calibrate.hpp"

#include <map>
#include <set>

#include "base/samples.hpp"
#include "model/cross_fitting/calibration_folds.hpp"
#include "model/kernel_choice.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

/// +1 if output k is true for the sample, otherwise -1.
Vector signs_of_output(const TaskTargets& targets, Index k) {
  if (targets.scheme == TaskScheme::labels || targets.scheme == TaskScheme::single) {
    return column_of(targets.values, k);
  }
  Vector y;
  for (Index i = 0; i < targets.samples(); ++i) {
    y.push_back(targets.class_of(i) == k ? 1.0 : -1.0);
  }
  return y;
}

/// An output that some fold could not learn gets its share of positive samples as constant
/// probability.
std::vector<ProbabilityMap> fit_maps(CalibrationMethod method, const TaskTargets& targets,
                                     const HeldOutDecisions& held_out, ConstSpan weights) {
  std::vector<ProbabilityMap> maps;
  for (Index k = 0; k < held_out.decision.cols; ++k) {
    const Vector f = held_out.known[to_size(k)] ? column_of(held_out.decision, k)
                                                : Vector(to_size(held_out.decision.rows), 0.0);
    maps.push_back(fit_calibration(method, signs_of_output(targets, k), f, weights));
  }
  return maps;
}

/// Renumbers from 0 in the same order.
std::vector<Index> ranks_of(const std::vector<Index>& groups) {
  const std::set<Index> numbers(groups.begin(), groups.end());
  std::map<Index, Index> rank;
  for (const Index g : numbers) rank.emplace_hint(rank.end(), g, length(rank));
  std::vector<Index> ranks;
  for (const Index g : groups) ranks.push_back(rank.at(g));
  return ranks;
}

/// Balanced weights are those of all training samples, which the model file contains, so that
/// verify can retrain the folds.
TrainOptions with_class_weights_of(const Model& model, TrainOptions options) {
  options.balanced_classes = false;
  const Vector& weights = model.settings.class_weights;
  for (std::size_t k = 0; k < weights.size(); ++k)
    options.class_weights[model.names[k]] = weights[k];
  return options;
}

TrainOptions options_of(const Model& model) {
  const ModelSettings& settings = model.settings;
  TrainOptions options;
  options.missing = parse_missing_rule(settings.missing);
  if (const auto& product = model.product) {
    options.combination = Combination::product;
    options.weight_penalty = parse_penalty_rule(product->penalty);
    options.weight_start = product->start;
  } else {
    options.regularizer = settings.regularizer;
  }
  options.loss = settings.loss;
  options.C = settings.C;
  options.bias = parse_bias(settings.bias);
  options.sample_weights = model.sample_weights;
  if (model.single()) options.positive = model.names.back();
  options.landmarks = landmark_rule(model);
  options.assume_psd = true;  // tested by another claim
  options.solver.solver = model.calibration.solver;
  options.solver.tolerance = settings.tolerance;
  options.solver.max_iterations = model.calibration.max_iterations;
  options.scheme = model.scheme;
  if (model.scheme != TaskScheme::joint) options.coupling = model.coupling;
  return with_class_weights_of(model, std::move(options));
}

}  // namespace

bool calibrate(const Dataset& data, const TrainOptions& options, const DescribedKernels* kernels,
               const Context& context, Model& model, std::vector<Warning>& warnings) {
  const TrainOptions weighted = with_class_weights_of(model, options);
  const TaskTargets targets =
      encode_targets(model.scheme, model.target, model.names, data.table, model.training_samples);
  const auto folds = calibration_folds(targets, options.groups, options.sample_weights,
                                       options.calibration_folds, context.seed);
  const auto held_out =
      cross_fit({data, folds, model.outputs(), "calibration", kernels}, weighted, context);
  if (!held_out) {
    warn_of_missing_calibration(warnings);
    return false;
  }
  model.calibration = {
      .method = options.calibration,
      .maps = fit_maps(options.calibration, targets, *held_out, options.sample_weights),
      .folds = options.calibration_folds,
      .groups = ranks_of(options.groups),
      .solver = options.solver.solver,
      .max_iterations = options.solver.max_iterations};
  warn_of_constant_maps(model, warnings);
  warn_of_undone_class_weights(model, warnings);
  return true;
}

std::optional<RefittedCalibration> calibrate_again(const Model& model, const Dataset& data,
                                                   const TaskTargets& targets,
                                                   const Context& context) {
  Context seeded = context;
  seeded.seed = model.settings.seed;
  const DescribedKernels kernels = described_kernels(model);
  const Calibration& own = model.calibration;
  const auto folds =
      calibration_folds(targets, own.groups, sample_counts(model), own.folds, seeded.seed);
  auto held_out =
      cross_fit({data, folds, model.outputs(), "calibration", &kernels}, options_of(model), seeded);
  if (!held_out) return std::nullopt;
  auto maps = fit_maps(own.method, targets, *held_out, model.sample_weights);
  return RefittedCalibration{std::move(maps), std::move(held_out->decision)};
}

}  // namespace kernmix
