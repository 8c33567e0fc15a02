#pragma once
/// \file
/// All tasks of a run, checked before any kernel is computed.

#include <optional>

#include "kernmix/problem.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/train.hpp"
#include "model/absence/presence.hpp"
#include "model/targets.hpp"
#include "weights/memory.hpp"

namespace kernmix {

/// Base kernels, and their columns with the requested scaling rules.
struct DescribedKernels {
  std::vector<KernelDescription> kernels;
  std::vector<ScaledView> views;
  bool weights_repeat = true;  ///< Model::weights_repeat
  Presences lacking = {};      ///< views that some samples may lack
};
/// Those of a model.
[[nodiscard]] DescribedKernels described_kernels(const Model& model);

struct TaskSet {
  Loss loss;  ///< for joint the loss of all classes together
  Regularizer regularizer;
  Bias bias = Bias::free;
  std::vector<KernelDescription> kernels;
  std::vector<ScaledView> views;  ///< of the columns of the kernels
  Presences lacking;              ///< views that some samples may lack
  TaskTargets targets;
  Vector class_weights;             ///< of each class in the names; empty without classes
  bool weights_repeat = true;       ///< Model::weights_repeat
  std::vector<TaskModel> outlines;  ///< names and classes of the tasks
  std::vector<Task> tasks;          ///< their y, C and rows
  std::optional<Coupling> sharing;  ///< none: a single task, separate weights, or joint

  [[nodiscard]] Index size() const { return length(tasks); }
  [[nodiscard]] const Task& task(Index k) const { return tasks[to_size(k)]; }
  [[nodiscard]] bool single() const { return targets.scheme == TaskScheme::single; }
  [[nodiscard]] bool joint() const { return targets.scheme == TaskScheme::joint; }
  [[nodiscard]] const std::string& name(Index k) const { return outlines[to_size(k)].name; }
  /// Each task has separate weights.
  [[nodiscard]] bool separate() const { return !sharing && !joint(); }
  /// Separate tasks with separate samples.
  [[nodiscard]] bool of_pairs() const {
    return separate() && targets.scheme == TaskScheme::one_vs_one;
  }
  /// Number of problems that are solved one after another: the separate tasks, or one for all
  /// tasks.
  [[nodiscard]] Index parts() const { return separate() ? size() : 1; }
  /// The samples of a problem; empty: all.
  [[nodiscard]] std::vector<Index> rows(Index part) const {
    return separate() ? task(part).rows : std::vector<Index>();
  }
  /// \param bank  of its samples
  [[nodiscard]] Problem problem(Index part, const KernelBank& bank) const;
  /// The parameters of the memory of training.
  [[nodiscard]] TasksShape shape() const;
  [[nodiscard]] double largest_C() const;
};

/// \param kernels instead of those of the options, or null
/// \throws ParameterError for options, DataError for labels and shapes
[[nodiscard]] TaskSet make_task_set(const Dataset& data, const TrainOptions& options,
                                    const DescribedKernels* kernels = nullptr);

/// The tasks of a model on its training data; weights of two-stage regularizers are not set.
/// \throws ParameterError, DataError if the data does not fit the settings
[[nodiscard]] TaskSet task_set_of(const Model& model, TaskTargets targets);

}  // namespace kernmix
