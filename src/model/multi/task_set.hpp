#pragma once
/// \file
/// All tasks of a run, checked before any kernel is computed.

#include <optional>

#include "kernmix/problem.hpp"
#include "model/multi/targets.hpp"
#include "model/task.hpp"
#include "weights/memory.hpp"

namespace kernmix {

struct TaskSet : TaskBasis {
  TaskTargets targets;
  Vector class_weights;             ///< K, or empty: of labels
  std::vector<TaskModel> outlines;  ///< names and classes of the tasks
  std::vector<SharedTask> tasks;    ///< their y, C and rows
  std::optional<Coupling> sharing;  ///< none: separate weights, or joint

  [[nodiscard]] Index size() const { return length(tasks); }
  [[nodiscard]] const SharedTask& task(Index k) const { return tasks[static_cast<std::size_t>(k)]; }
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
  /// What the memory of training depends on.
  [[nodiscard]] TasksShape shape() const;
  [[nodiscard]] double largest_C() const;
  /// Task k alone, on its rows.
  [[nodiscard]] Task alone(Index k) const;
};

/// The sample that entry i of the task's vectors belongs to.
[[nodiscard]] Index sample_of(const SharedTask& task, std::size_t i);

/// "sum" and "minimax", or nothing for "separate" and for joint. \throws ParameterError naming the
/// known forms
[[nodiscard]] std::optional<Coupling> parse_task_sharing(TaskScheme scheme,
                                                         const std::string& text);

/// y and C of every task from its targets, each checked against the loss.
/// \throws DataError, ParameterError that begin with the name of the task
void set_tasks(double C, ConstSpan sample_weights, TaskSet& set);

/// \throws ParameterError for options, DataError for labels and shapes
[[nodiscard]] TaskSet make_task_set(const Dataset& data, const MultiTrainOptions& options);

}  // namespace kernmix
