#pragma once
/// \file
/// What every solver of tasks with shared weights needs besides its mathematics: the best bounds
///
///   lower <= min_{d in D} Phi(d) + sum_k J_k(d)  (or max_k)  <= upper
///
/// with the answers that prove them, the history, and when to stop.

#include <chrono>
#include <string>

#include "kernmix/solver/solve_shared.hpp"
#include "solver/shared/task_solver.hpp"

namespace kernmix {

class SharedRun {
 public:
  SharedRun(std::string solver, const SharedProblem& problem, const SolverOptions& options,
            const Context& context);

  [[nodiscard]] TaskSolver& tasks() { return tasks_; }
  [[nodiscard]] const TaskSolver& tasks() const { return tasks_; }
  [[nodiscard]] const SharedProblem& problem() const { return problem_; }
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] double tolerance() const { return options_.tolerance; }
  [[nodiscard]] bool is_sum() const { return problem_.sharing == Sharing::sum; }

  /// Phi(d) and the values of all tasks, added or their largest.
  [[nodiscard]] double combined(ConstSpan d, ConstSpan task_values) const;
  /// The same of TaskState::upper at the weights where the tasks are.
  [[nodiscard]] double upper_here() const;

  /// Keeps the weights where the tasks are, if upper_here() is the lowest so far.
  void keep_upper();
  /// Keeps a lower bound that dual vectors `a` with task weights `gamma` prove, known without a
  /// pass.
  void keep_lower(double bound, Vector gamma, std::vector<Vector> a);
  /// One iteration of the history.
  void record(const std::string& step);

  [[nodiscard]] double best_upper() const { return upper_; }
  [[nodiscard]] double best_lower() const { return lower_; }
  [[nodiscard]] double best_relative_gap() const;
  /// upper - lower, at least about half of the gap at which the run ends.
  [[nodiscard]] double open_gap() const;
  [[nodiscard]] const Vector& best_weights() const { return best_d_; }

  /// True when the bounds are close enough or nothing more may be done.
  [[nodiscard]] bool finished() const;
  void give_up() { stalled_ = true; }
  /// The solver's own iterations, which are not those of the history, are used up.
  void reach_limit() { limited_ = true; }
  [[nodiscard]] Index max_iterations() const { return options_.max_iterations; }

  /// Trains every task at the best weights, then certifies on the bank.
  [[nodiscard]] SharedSolution result();

 private:
  [[nodiscard]] Status status() const;
  void train_all();

  const SharedProblem& problem_;
  const SolverOptions& options_;
  const Context& context_;
  TaskSolver tasks_;
  SharedSolution solution_;
  double upper_;
  double lower_;
  Vector best_d_;
  std::vector<TaskState> best_states_;
  Vector gamma_;
  std::vector<Vector> proof_;
  bool stalled_ = false;
  bool limited_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace kernmix
