#pragma once
/// \file
/// What training many tasks gives, however they share their weights.

#include <vector>

#include "kernmix/model/multi.hpp"
#include "model/multi/task_set.hpp"
#include "model/pipeline.hpp"

namespace kernmix {

struct TaskAnswer {
  Vector a;      ///< dual vector on the rows of the task
  Vector proof;  ///< a second one, or empty
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

struct MultiAnswer {
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

/// Tasks that share weights, or all classes as one problem, whose bounds are those of no class.
/// \param result  its status, history, counts, plan and seconds are filled in
[[nodiscard]] MultiAnswer solve_coupled_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                              const SolverOptions& options, const Context& context,
                                              MultiTrainResult& result);

/// Every task with weights of its own. Once time is up, the others get untrained answers.
[[nodiscard]] MultiAnswer solve_separate_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                               const SolverOptions& options, const Context& context,
                                               MultiTrainResult& result);

}  // namespace kernmix
