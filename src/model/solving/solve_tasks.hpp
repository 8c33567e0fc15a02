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

/// \param biases_at  (d, dual vectors) -> the best bias of each task there
template <typename Biases>
[[nodiscard]] std::vector<MomentAnswer> answers_of(std::vector<Snapshot> moments,
                                                   const Biases& biases_at) {
  std::vector<MomentAnswer> answers;
  for (Snapshot& moment : moments) {
    const Vector biases = biases_at(moment.d, moment.a);
    MomentAnswer& answer = answers.emplace_back();
    answer.seconds = moment.seconds;
    answer.svm_solves = moment.svm_solves;
    answer.d = std::move(moment.d);
    for (std::size_t k = 0; k < biases.size(); ++k) {
      answer.tasks.push_back({std::move(moment.a[k]), {}, biases[k], 0.0, 0.0});
    }
  }
  return answers;
}

/// What answers of shared and of joint weights have alike. \param result  but for plan and seconds
template <typename S, typename Biases>
void finish_answer(S& solution, const Biases& biases_at, TasksAnswer& answer, TrainResult& result) {
  answer.weights = Matrix(1, length(solution.d));
  answer.weights.values = std::move(solution.d);
  answer.certificate = solution.certificate;
  answer.moments = answers_of(std::move(solution.moments), biases_at);
  answer.solver = solution.solver;
  result.status = solution.status;
  result.history = std::move(solution.history);
  result.svm_solves = solution.svm_solves;
  result.inner_iterations = solution.inner_iterations;
  result.bank_passes = solution.bank_passes;
}

/// sum += bounds, part by part: of tasks that share nothing.
void add_bounds(const Bounds& bounds, Bounds& sum);

/// \param result  its status, history, counts, plan and seconds are filled in
[[nodiscard]] TasksAnswer solve_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                      const SolverOptions& options, const Context& context,
                                      TrainResult& result);

/// Weights that all tasks share.
[[nodiscard]] TasksAnswer solve_shared_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                             const SolverOptions& options, const Context& context,
                                             TrainResult& result);

/// All classes as one problem; its bounds are those of no class.
[[nodiscard]] TasksAnswer solve_joint_classes(const TaskSet& set, const TrainingKernels& kernels,
                                              const SolverOptions& options, const Context& context,
                                              TrainResult& result);

/// Every task with weights of its own, or the only one. Once time is up, the others get untrained
/// answers.
[[nodiscard]] TasksAnswer solve_separate_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                               const SolverOptions& options, const Context& context,
                                               TrainResult& result);

}  // namespace kernmix
