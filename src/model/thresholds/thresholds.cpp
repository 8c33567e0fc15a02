#include "model/thresholds/thresholds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/samples.hpp"
#include "metrics/threshold_steps.hpp"
#include "model/cross_fitting/cross_fit.hpp"

namespace kernmix {
namespace {

/// The midpoint to the next lower value, so that the threshold is not the value of a sample.
double between(const std::vector<ThresholdStep>& steps, std::size_t at) {
  const double own = steps[at].threshold;
  if (at + 1 == steps.size()) return own;
  const double middle = std::midpoint(own, steps[at + 1].threshold);
  return middle > steps[at + 1].threshold ? middle : own;
}

}  // namespace

double best_f1_threshold(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  const std::vector<ThresholdStep> steps = threshold_steps(y, decision, weights);
  const double positives = steps.back().positives;
  const auto f1 = [&](const ThresholdStep& step) {
    return 2.0 * step.positives / (step.positives + step.negatives + positives);
  };
  const auto best = std::ranges::max_element(steps, {}, f1);
  return between(steps, to_size(best - steps.begin()));
}

bool choose_thresholds(const Dataset& data, const TrainOptions& options,
                       const DescribedKernels* kernels, const Context& context, Model& model) {
  const MultiLabels& labels = data.table.multi_labels;
  const auto folds = folds_without_classes(labels.samples(), options.groups, options.sample_weights,
                                           options.threshold_folds, context.seed);
  const auto held_out =
      cross_fit({data, folds, length(labels.names), "thresholds", kernels}, options, context);
  if (!held_out) {
    context.tell("time ran out before thresholds were chosen by cross-fitting: all are 0");
    return false;
  }
  for (Index t = 0; t < length(model.tasks); ++t) {
    TaskModel& task = model.tasks[to_size(t)];
    if (held_out->known[to_size(t)]) {
      task.threshold = best_f1_threshold(labels.signs(t), column_of(held_out->decision, t),
                                         options.sample_weights);
      continue;
    }
    context.tell(
        fmt::format("in the training part of some fold all samples or no samples have label '{}': "
                    "its threshold is 0",
                    task.name));
  }
  return true;
}

}  // namespace kernmix
