#pragma once
/// \file
/// What every solver of tasks with shared weights needs besides its mathematics: the best bounds
///
///   lower <= min_{d in D} Phi(d) + sum_k J_k(d)  (or max_k)  <= upper
///
/// with the answers that prove them, the history, and when to stop.

#include <string>

#include "kernmix/answer.hpp"
#include "weights/tasks/run_bounds.hpp"
#include "weights/tasks/task_solver.hpp"

namespace kernmix {

class SharedRun {
 public:
  SharedRun(std::string solver, const Problem& problem, const SolverOptions& options,
            const Context& context);

  [[nodiscard]] TaskSolver& tasks() { return tasks_; }
  [[nodiscard]] const TaskSolver& tasks() const { return tasks_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] const SolverOptions& options() const { return options_; }
  [[nodiscard]] double tolerance() const { return options_.tolerance; }
  [[nodiscard]] bool is_sum() const { return problem_.coupling != Coupling::minimax; }

  /// Phi(d) and the values of all tasks, added or their largest.
  [[nodiscard]] double combined(ConstSpan d, ConstSpan task_values) const;
  /// The same of TaskState::upper at the weights where the tasks are.
  [[nodiscard]] double upper_here() const;

  /// Of the objective of a task at the weights where the tasks are, for relative gaps.
  [[nodiscard]] double size_of(const TaskState& state) const;

  /// Keeps the weights where the tasks are, if upper_here() is the lowest so far.
  void keep_upper();
  /// Keeps a lower bound that dual vectors `a` with task weights `gamma` prove, known without a
  /// pass.
  void keep_lower(double bound, Vector gamma, std::vector<Vector> a);
  /// One iteration of the history.
  void record(const std::string& step);

  [[nodiscard]] double best_upper() const { return bounds_.upper(); }
  [[nodiscard]] double best_lower() const { return bounds_.lower(); }
  [[nodiscard]] double best_relative_gap() const { return bounds_.relative_gap(); }
  [[nodiscard]] double open_gap() const { return bounds_.open_gap(); }
  [[nodiscard]] const Vector& best_weights() const { return best_d_; }

  [[nodiscard]] bool finished() const { return bounds_.finished(); }
  void give_up() { bounds_.give_up(); }
  void reach_limit() { bounds_.reach_limit(); }
  [[nodiscard]] Index max_iterations() const { return options_.max_iterations; }

  /// Trains every task at the best weights, then certifies on the bank.
  [[nodiscard]] Answer result();

 private:
  void train_all();
  [[nodiscard]] RunWork work() const {
    return {tasks_.svm_solves(), tasks_.bank_passes(), tasks_.inner_iterations()};
  }
  [[nodiscard]] Vector own_gamma() const;

  const Problem& problem_;
  const SolverOptions& options_;
  const Context& context_;
  std::string solver_;
  TaskSolver tasks_;
  RunBounds bounds_;
  Vector best_d_;
  std::vector<TaskState> best_states_;
  Vector gamma_;
  std::vector<Vector> witness_;
};

}  // namespace kernmix
