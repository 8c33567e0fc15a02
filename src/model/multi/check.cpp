#include "model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/loss.hpp"
#include "loss/any.hpp"
#include "model/multi/targets.hpp"
#include "model/multi/weights.hpp"

namespace kernmix {
namespace {

void check_names(const MultiModel& model) {
  const bool labels = model.of_labels();
  require_model(labels ? !model.names.empty() : model.names.size() >= 2,
                "has too few classes or labels");
  require_model(are_unique(model.names), "has two classes or labels of the same name");
  const Vector& weights = model.settings.class_weights;
  require_model(weights.size() == (labels ? 0 : model.names.size()) && all_positive(weights),
                "has class weights that are not a number > 0 for each class");
  require_model(loss_target(parse_loss(model.settings.loss)) == Target::classes,
                "has a loss that does not learn from classes");
}

/// How many tasks the scheme has, without making them.
Index count_of_tasks(const MultiModel& model) {
  const Index K = length(model.names);
  return model.scheme == TaskScheme::one_vs_one ? K * (K - 1) / 2 : K;
}

void check_joint_settings(const MultiModel& model) {
  require_model(is<Hinge>(parse_loss(model.settings.loss)) &&
                    parse_bias(model.settings.bias) != Bias::penalised,
                "is a joint model with a loss that is not the hinge or a bias that is penalised");
  const auto has_bounds = [](const TaskModel& task) {
    return task.primal != 0.0 || task.gap != 0.0;
  };
  require_model(std::ranges::none_of(model.tasks, has_bounds),
                "is a joint model with bounds of single classes");
}

void check_sharing(const MultiModel& model) {
  const bool joint = model.scheme == TaskScheme::joint;
  if (joint) check_settings_of([&] { check_joint_settings(model); });
  require_model(
      joint ? model.sharing == "joint"
            : model.sharing == "sum" || model.sharing == "minimax" || model.sharing == "separate",
      "has a sharing that its scheme does not know");
  const Index T = count_of_tasks(model);
  require_model(length(model.gamma) == T && all_nonnegative(model.gamma),
                "has task weights that are not a number >= 0 for each task");
  const double sum = std::accumulate(model.gamma.begin(), model.gamma.end(), 0.0);
  const bool ones = std::ranges::all_of(model.gamma, [](double g) { return g == 1.0; });
  require_model(model.sharing == "minimax" ? std::abs(sum - 1.0) <= 1e-9 : ones,
                "has task weights that its sharing does not allow");
}

bool has_shape(const Matrix& matrix, Index rows, Index cols) {
  return matrix.rows == rows && matrix.cols == cols && length(matrix.values) == rows * cols;
}

void check_weights(const MultiModel& model) {
  const Index T = count_of_tasks(model);
  const Index M = length(model.kernels);
  require_model(has_shape(model.weights, model.sharing == "separate" ? T : 1, M) &&
                    all_nonnegative(model.weights.values),
                "has weights that are not a number >= 0 for each kernel");
  require_model(has_shape(model.norms, T, M) && all_nonnegative(model.norms.values),
                "has norms that are not a number >= 0 for each task and kernel");
  const WeightedKernels all = over_tasks(model.weights, model.norms);
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    const ModelKernel& kernel = model.kernels[m];
    require_model(
        kernel.weight == all.weights[m] &&
            std::abs(kernel.norm - all.norms[m]) <= 1e-9 * all.norms[m],
        fmt::format("has a kernel {} whose weight or norm is not that of its tasks", m + 1));
  }
}

void check_task(const MultiModel& model, const TaskModel& task, const TaskModel& expected) {
  require_model(task.name == expected.name && task.positive == expected.positive &&
                    task.negative == expected.negative,
                "is not the one that its scheme has there");
  require_model(are_ascending(task.support, length(model.support)),
                "has support vectors that are not in ascending order or not in the model");
  require_model(task.coefficients.size() == task.support.size() && all_finite(task.coefficients),
                "has coefficients that are not one finite number for each support vector");
  require_model(
      task.proof.empty() || (task.proof.size() == task.support.size() && all_finite(task.proof)),
      "has a proof that is not one finite number for each support vector");
  require_model(all_finite(Vector{task.bias, task.threshold, task.primal, task.gap}),
                "has a bias, threshold or bound that is not finite");
  require_model(model.of_labels() || task.threshold == 0.0, "has a threshold, which is for labels");
}

void check_tasks(const MultiModel& model) {
  require_model(length(model.tasks) == count_of_tasks(model),
                "has a number of tasks that does not fit its names");
  const std::vector<TaskModel> expected = outline_tasks(model.scheme, model.names);
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    try {
      check_task(model, model.tasks[k], expected[k]);
    } catch (const DataError& failure) {
      throw DataError(fmt::format("has an impossible task {}: it {}", k + 1, failure.what()));
    }
  }
}

}  // namespace

void check_model(const MultiModel& model) {
  check_basis(model);
  check_settings_of([&] { check_names(model); });
  check_sharing(model);
  check_tasks(model);
  check_weights(model);
  const Bounds& bounds = model.certificate;
  require_model(all_finite(Vector{bounds.primal, bounds.dual, bounds.gap, bounds.inner_gap,
                                  bounds.outer_gap, bounds.least_size}),
                "has a certificate that is not finite");
}

}  // namespace kernmix
