#pragma once
/// \file
/// All tasks of a run, checked before any kernel is computed.

#include <optional>

#include "kernmix/problem.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/train.hpp"
#include "model/targets.hpp"
#include "weights/memory.hpp"

namespace kernmix {

struct TaskSet {
  Loss loss;
  Regularizer regularizer;
  Bias bias = Bias::free;
  std::vector<KernelDescription> kernels;
  TaskTargets targets;
  Vector class_weights;             ///< of each class in the names; empty without classes
  std::vector<TaskModel> outlines;  ///< names and classes of the tasks
  std::vector<Task> tasks;          ///< their y, C and rows
  std::optional<Coupling> sharing;  ///< none: a single task, separate weights, or joint

  [[nodiscard]] Index size() const { return length(tasks); }
  [[nodiscard]] const Task& task(Index k) const { return tasks[static_cast<std::size_t>(k)]; }
  [[nodiscard]] bool single() const { return targets.scheme == TaskScheme::single; }
  [[nodiscard]] bool joint() const { return targets.scheme == TaskScheme::joint; }
  [[nodiscard]] const std::string& name(Index k) const {
    return outlines[static_cast<std::size_t>(k)].name;
  }
  /// Of shared weights, or of a joint scheme.
  [[nodiscard]] Problem problem(const KernelBank& bank) const {
    if (joint()) return joint_problem(bank);
    return {bank, loss, regularizer, tasks, *sharing, bias};
  }
  /// Of a joint scheme: its tasks are the columns of A.
  [[nodiscard]] Problem joint_problem(const KernelBank& bank) const;
  /// Task k alone. \param bank  of its rows
  [[nodiscard]] Problem alone(Index k, const KernelBank& bank) const {
    return {bank, loss, regularizer, task(k).y, task(k).C, bias};
  }
  /// What the memory of training depends on.
  [[nodiscard]] TasksShape shape() const;
  [[nodiscard]] double largest_C() const;
};

/// The sample that entry i of the task's vectors belongs to.
[[nodiscard]] Index sample_of(const Task& task, std::size_t i);

/// \throws ParameterError for options, DataError for labels and shapes
[[nodiscard]] TaskSet make_task_set(const Dataset& data, const TrainOptions& options);

/// That of a model, of its training data; weights of two-stage regularizers are not known yet.
/// \throws ParameterError, DataError where the data does not fit the settings
[[nodiscard]] TaskSet task_set_of(const Model& model, TaskTargets targets);

}  // namespace kernmix
