#pragma once
/// \file
/// Solves all tasks, however their weights are coupled, and certifies the answer.

#include <vector>

#include "kernmix/train.hpp"
#include "model/pipeline.hpp"
#include "model/task_set.hpp"

namespace kernmix {

struct TaskAnswer {
  Vector a;        ///< dual vector on the rows of the task
  Vector witness;  ///< a second one, or empty
  double bias = 0.0;
  double primal = 0.0;
  double gap = 0.0;
};

/// A moment of a run with what prediction needs.
struct MomentAnswer {
  double seconds = 0.0;
  Index svm_solves = 0;
  Vector d;
  std::vector<TaskAnswer> tasks;  ///< their a and bias
};

struct TasksAnswer {
  std::vector<TaskAnswer> tasks;
  Matrix weights;  ///< 1 x M, shared, or tasks x M, separate
  Matrix forms;    ///< tasks x M: a' K_m a on the exact kernels
  Vector gamma;
  Bounds certificate;  ///< on the exact kernels
  std::vector<MomentAnswer> moments;
  std::string solver;
};

/// sum += bounds, part by part: of tasks that share nothing.
void add_bounds(const Bounds& bounds, Bounds& sum);

/// \param result  its status, history, counts, plan and seconds are filled in
[[nodiscard]] TasksAnswer solve_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                      const SolverOptions& options, const Context& context,
                                      TrainResult& result);

/// Weights that all tasks share, or all classes as one problem, whose bounds are those of no class.
[[nodiscard]] TasksAnswer solve_coupled_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                              const SolverOptions& options, const Context& context,
                                              TrainResult& result);

/// Every task with weights of its own, or the only one. Once time is up, the others get untrained
/// answers.
[[nodiscard]] TasksAnswer solve_separate_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                               const SolverOptions& options, const Context& context,
                                               TrainResult& result);

}  // namespace kernmix
