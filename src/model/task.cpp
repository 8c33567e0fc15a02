#include "model/task.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"
#include "model/targets.hpp"

namespace kernmix {
namespace {

/// Options that speak of classes, where there are none.
void refuse_classes(const TrainOptions& options, const Loss& loss) {
  const char* const from =
      loss_target(loss) == Target::numbers ? "numbers" : "samples without labels";
  if (!options.class_weights.empty()) {
    throw ParameterError(
        fmt::format("class weights need a loss of two classes, {} learns from {}; give sample "
                    "weights instead",
                    loss_text(loss), from));
  }
  if (!options.positive.empty()) {
    throw ParameterError(fmt::format(
        "a positive class needs a loss of two classes, {} learns from {}", loss_text(loss), from));
  }
}

/// Classes with their weights, y and C.
void set_targets(const Dataset& data, const TrainOptions& options, Index n, Task& task) {
  const Target target = loss_target(task.loss);
  if (target == Target::classes) {
    task.classes = BinaryLabels::find(data.table.labels, options.positive);
    task.class_weights = class_weights(options.class_weights, task.classes);
  } else {
    refuse_classes(options, task.loss);
  }
  task.y = target_values(target, task.classes, data.table, n);
  task.C = loss_weights(loss_weight(task.loss, options.C, n), task.class_weights, task.y,
                        options.sample_weights);
  check_loss(task.loss, task.bias, task.y, task.C);
}

}  // namespace

Task make_task(const Dataset& data, const TrainOptions& options) {
  Task task{parse_basis(options), {}, {}, {}, {}};
  check_solver({task.loss, task.regularizer, task.bias}, options.solver);
  const Index n = check_samples(data, options);
  set_targets(data, options, n, task);
  check_text(data.table, {task.classes.negative, task.classes.positive});
  set_kernels(data, options, task);
  return task;
}

}  // namespace kernmix
