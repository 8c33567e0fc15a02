#include "model/task_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors_at.hpp"
#include "kernmix/error.hpp"
#include "kernmix/solve.hpp"
#include "model/cross_fitting/calibration_folds.hpp"
#include "model/cross_fitting/cross_fit.hpp"
#include "model/kernel_choice.hpp"
#include "model/pipeline.hpp"
#include "model/product/product.hpp"
#include "model/solving/task_memory.hpp"

namespace kernmix {
namespace {

/// "class 'setosa'", "setosa vs virginica", "label 'mature'", "target 'price'".
std::string full_name(const TaskSet& set, Index k) {
  if (set.targets.scheme == TaskScheme::one_vs_one) return set.name(k);
  const char* const what = set.targets.scheme == TaskScheme::labels    ? "label"
                           : set.targets.scheme == TaskScheme::targets ? "target"
                                                                       : "class";
  return fmt::format("{} '{}'", what, set.name(k));
}

void require_both_signs(const TaskSet& set, Index k) {
  const Vector& y = set.task(k).y;
  if (std::ranges::adjacent_find(y, std::not_equal_to<>()) != y.end()) return;
  throw DataError(fmt::format("{}: {} samples have it, so there is nothing to learn; leave it out",
                              full_name(set, k), y.empty() || y.front() < 0.0 ? "no" : "all"));
}

void check_one(const TaskSet& set, Index k) {
  if (set.targets.scheme == TaskScheme::labels) require_both_signs(set, k);
  const Task& task = set.task(k);
  if (set.single()) {
    return check_loss(set.loss, set.bias, task.y, task.C);
  }
  errors_at(full_name(set, k), [&] { check_loss(set.loss, set.bias, task.y, task.C); });
}

/// "sum" and "minimax", or nothing for "separate", a single task, and joint.
std::optional<Coupling> parse_sharing(TaskScheme scheme, const std::string& text) {
  if (scheme == TaskScheme::single || scheme == TaskScheme::joint || text == "separate") {
    return std::nullopt;
  }
  return parse_coupling(text);
}

void check_task_solver(const TaskSet& set, const TrainOptions& options) {
  if (set.joint()) return check_joint_options(options);
  check_solver({set.loss, set.regularizer, set.bias, set.sharing.value_or(Coupling::separate)},
               options.solver);
}

/// Rejects options about classes if there are no classes.
void refuse_classes(const TrainOptions& options, const Loss& loss) {
  const char* const from =
      loss_target(loss) == Target::numbers ? "numbers" : "samples without labels";
  if (!options.class_weights.empty() || options.balanced_classes) {
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

void check_many(const TrainOptions& options, const TaskSet& set) {
  const bool targets = set.targets.scheme == TaskScheme::targets;
  if (targets && loss_target(set.loss) != Target::numbers) {
    throw ParameterError(fmt::format(
        "several targets need a loss for numbers such as squared, not {}", loss_text(set.loss)));
  }
  if (targets) return;
  if (loss_target(set.loss) != Target::classes) {
    throw ParameterError(
        fmt::format("classes and labels need a loss for two classes, not {}", loss_text(set.loss)));
  }
  if (!options.positive.empty()) {
    throw ParameterError(
        "a positive class is chosen among two classes; of many tasks, each class "
        "or label has a task of its own: leave it out");
  }
  const bool weighted = !options.class_weights.empty() || options.balanced_classes;
  if (set.targets.scheme == TaskScheme::labels && weighted) {
    throw ParameterError(
        "class weights belong to classes; samples with several labels take sample "
        "weights instead");
  }
}

void check_coupling(const std::string& text) {
  if (text == "sum" || text == "minimax" || text == "separate") return;
  throw ParameterError(fmt::format("sharing must be sum, minimax or separate, got '{}'", text));
}

void check_task_options(const TrainOptions& options, const TaskSet& set) {
  if (joins_classes(set.loss) && !set.joint()) {
    throw ParameterError(
        fmt::format("{} trains all classes together, unlike the scheme {}: leave the scheme out, "
                    "or choose hinge",
                    loss_text(set.loss), scheme_name(set.targets.scheme)));
  }
  if (options.balanced_classes && !options.class_weights.empty()) {
    throw ParameterError("class weights are balanced or given, not both");
  }
  if (!set.single()) check_many(options, set);
  if (loss_target(set.loss) != Target::classes) refuse_classes(options, set.loss);
  if (options.threshold_folds != 0 && set.targets.scheme != TaskScheme::labels) {
    throw ParameterError(
        "thresholds by cross-fitting belong to labels; the class of a sample is "
        "the one with the largest decision value");
  }
  if (options.trace && set.separate()) {
    throw ParameterError(
        "a trace needs shared weights; separate tasks are trained one after the other");
  }
  if (options.threshold_folds < 0 || options.threshold_folds == 1) {
    throw ParameterError(
        fmt::format("the number of folds for thresholds must be 0 or at least 2, "
                    "got {}",
                    options.threshold_folds));
  }
}

void check_calibration_options(const TrainOptions& options, const TaskSet& set) {
  if (options.calibration == CalibrationMethod::none) return;
  if (loss_target(set.loss) != Target::classes) {
    throw ParameterError(
        fmt::format("calibration gives probabilities of classes and labels, which {} does not "
                    "learn: leave it out",
                    loss_text(set.loss)));
  }
  if (options.threshold_folds != 0) {
    throw ParameterError(
        "thresholds by cross-fitting and calibration decide labels differently, by the largest F1 "
        "and by the probability 0.5: choose one of them");
  }
  if (options.calibration_folds < 2) {
    throw ParameterError(
        fmt::format("the number of folds for calibration must be at least 2, got {}",
                    options.calibration_folds));
  }
}

void require_samples_for_thresholds(const TrainOptions& options, Index n) {
  if (options.threshold_folds > n) {
    throw ParameterError(fmt::format("there are {} folds for thresholds and only {} samples",
                                     options.threshold_folds, n));
  }
  if (options.threshold_folds == 0 || options.groups.empty()) return;
  errors_at("thresholds", [&] {
    (void)folds_without_classes(n, options.groups, {}, options.threshold_folds, 0);
  });
}

/// Sets y and C of each task from its targets and checks them for the loss.
void set_tasks(double C, ConstSpan sample_weights, TaskSet& set) {
  set.outlines = outline_tasks(set.targets.scheme, set.targets.names);
  const SampleWeights weights = {sample_weights, set.weights_repeat};
  set.tasks.reserve(set.outlines.size());
  std::optional<ClassMembers> members;
  if (set.targets.scheme == TaskScheme::one_vs_one) members.emplace(set.targets);
  for (const TaskModel& outline : set.outlines) {
    set.tasks.push_back(
        members ? make_task_of(members->of_pair(outline.positive, outline.negative), set.targets,
                               outline, set.loss, C, set.class_weights, weights)
                : make_task(set.targets, outline, set.loss, C, set.class_weights, weights));
  }
  for (Index k = 0; k < set.size(); ++k) check_one(set, k);
}

}  // namespace

TaskScheme training_scheme(const Table& table, const TrainOptions& options) {
  if (!table.multi_labels.names.empty()) return TaskScheme::labels;
  if (!table.targets.names.empty()) return TaskScheme::targets;
  if (options.scheme) return *options.scheme;
  const Loss loss = options.loss;
  if (joins_classes(loss)) return TaskScheme::joint;
  const bool classes = loss_target(loss) == Target::classes;
  if (!classes || table.labels.empty()) return TaskScheme::single;
  if (options.coupling != TrainOptions().coupling) return TaskScheme::one_vs_rest;
  return ClassLabels::find(table.labels).names.size() > 2 ? TaskScheme::one_vs_rest
                                                          : TaskScheme::single;
}

void check_joint_options(const TrainOptions& options) {
  const Loss loss = of_all_classes(options.loss);
  if (options.coupling != TrainOptions().coupling) {
    throw ParameterError(
        fmt::format("joint is one problem of all classes without sharing, got {}: leave it out or "
                    "choose the scheme one-vs-rest",
                    options.coupling));
  }
  check_bias(loss, options.bias);
  check_solver({loss, options.regularizer, options.bias}, options.solver);
}

Problem TaskSet::problem(Index part, const KernelBank& bank) const {
  if (sharing) return {bank, loss, regularizer, tasks, *sharing, bias};
  return {bank, loss, regularizer, task(part).y, task(part).C, bias};
}

double TaskSet::largest_C() const {
  double largest = 0.0;
  for (const Task& task : tasks) largest = std::max(largest, std::ranges::max(task.C));
  return largest;
}

TasksShape TaskSet::shape() const {
  TasksShape shape{targets.samples(), length(kernels), size(), 0};
  for (const Task& own : tasks) shape.rows += length(own.y);
  return shape;
}

TaskSet make_task_set(const Dataset& data, const TrainOptions& options,
                      const DescribedKernels* kernels) {
  require_in_range(cost_of(options), "C");
  TaskSet set;
  set.loss = options.loss;
  set.regularizer = options.regularizer;
  set.bias = options.bias;
  const TaskScheme scheme = training_scheme(data.table, options);
  const Target target = loss_target(set.loss);
  set.targets.scheme = scheme;
  check_coupling(options.coupling);
  set.sharing = parse_sharing(scheme, options.coupling);
  check_task_options(options, set);
  check_calibration_options(options, set);
  check_combination(options, set);
  if (options.combination == Combination::product) set.regularizer = "sum";
  check_task_solver(set, options);
  const Index n = check_samples(data, options);
  if (set.joint()) set.loss = of_all_classes(set.loss);
  set.targets = find_targets(scheme, target, data.table, n, options.positive);
  require_samples_for_thresholds(options, n);
  if (scheme != TaskScheme::labels && target == Target::classes) {
    set.class_weights = options.balanced_classes
                            ? balanced_class_weights(set.targets, options.sample_weights)
                            : weights_of_classes(options.class_weights, set.targets.names);
  }
  set.weights_repeat = kernels == nullptr || kernels->weights_repeat;
  set_tasks(cost_of(options), options.sample_weights, set);
  require_samples_to_calibrate(options, set);
  check_text(data.table, set.targets.names);
  if (kernels != nullptr) {
    set.kernels = kernels->kernels;
    set.views = kernels->views;
    set.lacking = kernels->lacking;
  } else {
    set.kernels = choose_kernels(data, options, set.loss);
    set.views = views_to_scale(data.views, set.kernels, options.scaling);
    set.lacking = incomplete_views(data);
  }
  set.regularizer = regularizer_of(set.regularizer, set.kernels);
  return set;
}

DescribedKernels described_kernels(const Model& model) {
  DescribedKernels described{
      descriptions_of(model.product ? model.product->factors : model.kernels), model.views,
      model.weights_repeat};
  for (ScaledView& view : described.views) view.rule = view.asked;
  for (const ModelPresence& own : model.presences) described.lacking.push_back({own.view, nullptr});
  return described;
}

TaskSet task_set_of(const Model& model, TaskTargets targets) {
  TaskSet set;
  set.loss = model.settings.loss;
  set.bias = parse_bias(model.settings.bias);
  set.kernels = descriptions_of(model.kernels);
  set.targets = std::move(targets);
  if (set.joint()) set.loss = of_all_classes(set.loss);
  set.class_weights = model.settings.class_weights;
  set.weights_repeat = model.weights_repeat;
  set.sharing = parse_sharing(model.scheme, model.coupling);
  set.regularizer = regularizer_of(model.settings.regularizer, set.kernels);
  set_tasks(model.settings.C, model.sample_weights, set);
  return set;
}

}  // namespace kernmix
