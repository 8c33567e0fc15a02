#include "model/multi/task_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernmix/error.hpp"
#include "kernmix/solve.hpp"
#include "loss/any.hpp"

namespace kernmix {
namespace {

/// "class 'setosa'", "setosa vs virginica", "label 'mature'".
std::string full_name(const TaskSet& set, Index k) {
  if (set.targets.scheme == TaskScheme::one_vs_one) return set.name(k);
  const bool label = set.targets.scheme == TaskScheme::labels;
  return fmt::format("{} '{}'", label ? "label" : "class", set.name(k));
}

void require_both_signs(const TaskSet& set, Index k) {
  const Vector& y = set.task(k).y;
  if (std::ranges::adjacent_find(y, std::not_equal_to<>()) != y.end()) return;
  throw DataError(fmt::format("{}: {} samples have it, which leaves nothing to learn; leave it out",
                              full_name(set, k), y.empty() || y.front() < 0.0 ? "no" : "all"));
}

void check_one(const TaskSet& set, Index k) {
  if (set.targets.scheme == TaskScheme::labels) require_both_signs(set, k);
  const SharedTask& task = set.task(k);
  try {
    check_loss(set.loss, set.bias, task.y, task.C);
  } catch (const ParameterError& failure) {
    throw ParameterError(fmt::format("{}: {}", full_name(set, k), failure.what()));
  } catch (const DataError& failure) {
    throw DataError(fmt::format("{}: {}", full_name(set, k), failure.what()));
  }
}

void check_multi_solver(const TaskSet& set, const MultiTrainOptions& options) {
  if (set.joint()) return check_joint_options(options);
  check_solver({set.loss, set.regularizer, set.bias, set.sharing.value_or(Coupling::separate)},
               options.solver);
}

void check_multi_options(const MultiTrainOptions& options, const TaskSet& set) {
  if (loss_target(set.loss) != Target::classes) {
    throw ParameterError(fmt::format(
        "classes and labels need a loss of two classes, {} is none of them", loss_text(set.loss)));
  }
  if (!options.positive.empty()) {
    throw ParameterError(
        "a positive class is chosen among two classes; of many tasks, each class "
        "or label has a task of its own: leave it out");
  }
  const bool labels = set.targets.scheme == TaskScheme::labels;
  if (labels && !options.class_weights.empty()) {
    throw ParameterError(
        "class weights belong to classes; samples with several labels take sample "
        "weights instead");
  }
  if (options.threshold_folds != 0 && !labels) {
    throw ParameterError(
        "thresholds by cross-fitting belong to labels; the class of a sample is "
        "the one with the largest decision value");
  }
  if (options.trace && options.sharing == "separate") {
    throw ParameterError(
        "a trace follows weights that all tasks share; separate tasks are trained one after the "
        "other");
  }
  if (options.threshold_folds < 0 || options.threshold_folds == 1) {
    throw ParameterError(
        fmt::format("the number of folds for thresholds must be 0 or at least 2, "
                    "got {}",
                    options.threshold_folds));
  }
}

TaskScheme scheme_of(const Table& table, TaskScheme asked) {
  return table.multi_labels.names.empty() ? asked : TaskScheme::labels;
}

TaskTargets find_targets(const Table& table, TaskScheme scheme) {
  if (scheme == TaskScheme::labels) {
    return encode_targets(scheme, table.multi_labels.names, table);
  }
  return encode_targets(scheme, ClassLabels::find(table.labels).names, table);
}

}  // namespace

void check_joint_options(const MultiTrainOptions& options) {
  const Loss loss = parse_loss(options.loss);
  if (!is<Hinge>(loss)) {
    throw ParameterError(fmt::format(
        "joint has the hinge of all classes and takes no other loss, got {}: choose hinge or the "
        "scheme one-vs-rest",
        loss_text(loss)));
  }
  if (options.sharing != MultiTrainOptions().sharing) {
    throw ParameterError(fmt::format(
        "joint is one problem of all classes, which takes no sharing, got {}: leave it out or "
        "choose the scheme one-vs-rest",
        options.sharing));
  }
  check_joint_bias(options.bias);
  check_solver(
      {Loss(), parse_regularizer(options.regularizer), options.bias, Coupling::separate, true},
      options.solver);
}

Problem TaskSet::joint_problem(const KernelBank& bank) const {
  std::vector<Index> classes;
  for (Index i = 0; i < targets.samples(); ++i) classes.push_back(targets.class_of(i));
  return problem_of_classes(bank, regularizer, classes, size(), tasks.front().C, bias);
}

double TaskSet::largest_C() const {
  double largest = 0.0;
  for (const SharedTask& task : tasks) largest = std::max(largest, std::ranges::max(task.C));
  return largest;
}

Task TaskSet::alone(Index k) const {
  Task result{*this, {}, {}, task(k).y, task(k).C};
  return result;
}

TasksShape TaskSet::shape() const {
  TasksShape shape{targets.samples(), length(kernels), size(), 0};
  for (const SharedTask& own : tasks) shape.rows += length(own.y);
  return shape;
}

Index sample_of(const SharedTask& task, std::size_t i) {
  return task.rows.empty() ? static_cast<Index>(i) : task.rows[i];
}

std::optional<Coupling> parse_task_sharing(TaskScheme scheme, const std::string& text) {
  if (scheme == TaskScheme::joint || text == "separate") return std::nullopt;
  if (text == "sum" || text == "minimax") return parse_coupling(text);
  throw ParameterError(fmt::format("sharing must be sum, minimax or separate, got '{}'", text));
}

void set_tasks(double C, ConstSpan sample_weights, TaskSet& set) {
  set.outlines = outline_tasks(set.targets.scheme, set.targets.names);
  set.tasks.clear();
  for (const TaskModel& outline : set.outlines) {
    set.tasks.push_back(
        make_shared_task(set.targets, outline, set.loss, C, set.class_weights, sample_weights));
  }
  for (Index k = 0; k < set.size(); ++k) check_one(set, k);
}

TaskSet make_task_set(const Dataset& data, const MultiTrainOptions& options) {
  const TaskScheme scheme = scheme_of(data.table, options.scheme);
  TaskSet set{parse_basis(options), {}, {}, {}, {}, parse_task_sharing(scheme, options.sharing)};
  set.targets.scheme = scheme;
  check_multi_options(options, set);
  check_multi_solver(set, options);
  const Index n = check_samples(data, options);
  set.targets = find_targets(data.table, scheme);
  if (options.threshold_folds > n) {
    throw ParameterError(fmt::format("there are {} folds for thresholds and only {} samples",
                                     options.threshold_folds, n));
  }
  if (scheme != TaskScheme::labels) {
    set.class_weights = weights_of_classes(options.class_weights, set.targets.names);
  }
  set_tasks(options.C, options.sample_weights, set);
  check_text(data.table, set.targets.names);
  set_kernels(data, options, set);
  return set;
}

}  // namespace kernmix
