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

struct MultiAnswer {
  std::vector<TaskAnswer> tasks;
  Matrix weights;  ///< 1 x M, shared, or tasks x M, separate
  Matrix forms;    ///< tasks x M: a' K_m a on the exact kernels
  Vector gamma;
  Bounds certificate;  ///< on the exact kernels
  std::string solver;
};

/// Column u of A, length n: the dual vector of class u.
[[nodiscard]] Vector column_of(const Matrix& A, Index u);

/// What solvers of shared and of joint weights say of their work, apart from its seconds.
template <typename S>
void add_work(S& solution, MultiTrainResult& result) {
  result.status = solution.status;
  result.history = std::move(solution.history);
  result.svm_solves = solution.svm_solves;
  result.inner_iterations = solution.inner_iterations;
  result.bank_passes = solution.bank_passes;
}

/// sum += bounds, part by part: of tasks that share nothing.
void add_bounds(const Bounds& bounds, Bounds& sum);

/// Solves and certifies. \param result  its status, history, counts, plan and seconds are filled in
[[nodiscard]] MultiAnswer solve_shared_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                             const SolverOptions& options, const Context& context,
                                             MultiTrainResult& result);

/// All classes as one problem; its bounds are those of no class.
[[nodiscard]] MultiAnswer solve_joint_classes(const TaskSet& set, const TrainingKernels& kernels,
                                              const SolverOptions& options, const Context& context,
                                              MultiTrainResult& result);

/// Every task with weights of its own. Once time is up, the others get untrained answers.
[[nodiscard]] MultiAnswer solve_separate_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                               const SolverOptions& options, const Context& context,
                                               MultiTrainResult& result);

}  // namespace kernmix
