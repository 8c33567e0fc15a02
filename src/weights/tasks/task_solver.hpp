#pragma once
/// \file
/// The inner problems of all tasks at one weight vector d:
///
///   J_k(d) = max_{a in A_k}  gain_k(a) - 1/2 a' K(d) a,     lower_k <= J_k(d) <= upper_k.
///
/// A dual vector of another weight vector still bounds both sides: by its cut, gain - 1/2 d'q, and
/// by the function s K(d) a of the best scalar s, loss(s K(d) a) + 1/2 s^2 d'q.

#include <memory>

#include "svm/inner_solver.hpp"
#include "weights/tasks/combined_kernel.hpp"

namespace kernmix {

/// What is known of one task.
struct TaskState {
  Vector a;            ///< dual vector on the rows of the task, feasible
  Vector z;            ///< K(d) a there
  Vector q;            ///< a' K_m a, length M
  double gain = 0.0;   ///< sum -(C loss)*(-a)
  double lower = 0.0;  ///< gain - 1/2 d'q
  double upper = 0.0;  ///< primal value of s K(d) a
};

class TaskSolver {
 public:
  TaskSolver(const Problem& problem, const Context& context);

  /// Goes to other weights: K(d) is formed once, and bounds of all tasks follow from their dual
  /// vectors by one product with it.
  void move_to(ConstSpan d);

  /// The same without the bounds: those of tasks that are not solved next belong to other weights.
  void go_to(ConstSpan d) { d_.assign(d.begin(), d.end()); }

  /// Solves some tasks, each until upper_k - lower_k is at most its target or cannot shrink, at
  /// once where there are threads, and prices their dual vectors in one pass over the bank.
  void solve(std::span<const Index> tasks, ConstSpan targets);

  /// Other dual vectors for all tasks, made feasible; to be followed by move_to or solve.
  void start_from(std::vector<Vector> a);
  /// The dual vectors of all tasks, and back to them: with their forms.
  [[nodiscard]] const std::vector<TaskState>& states() const { return states_; }
  void restore(std::vector<TaskState> states) { states_ = std::move(states); }

  [[nodiscard]] const TaskState& state(Index k) const {
    return states_[static_cast<std::size_t>(k)];
  }
  /// Of the SVM of task k at the weights where they are: its primal value at z less its dual value.
  [[nodiscard]] double gap(Index k) const;
  [[nodiscard]] std::vector<Vector> dual_vectors() const;
  [[nodiscard]] const Vector& weights() const { return d_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] const Problem& task_problem(Index k) const { return own(k).problem; }
  [[nodiscard]] const DualSet& dual_set(Index k) const { return own(k).set; }
  [[nodiscard]] Index size() const { return problem_.size(); }

  [[nodiscard]] Index svm_solves() const { return svm_solves_; }
  [[nodiscard]] Index inner_iterations() const { return inner_iterations_; }
  [[nodiscard]] Index bank_passes() const { return bank_passes_; }

 private:
  /// A task as a problem of its own.
  struct Own {
    Own(CombinedKernel& kernel, const Problem& shared, Index k);
    TaskBank bank;
    Problem problem;
    DualSet set;
  };
  [[nodiscard]] const Own& own(Index k) const { return *own_[static_cast<std::size_t>(k)]; }
  [[nodiscard]] Index solve_one(Index k, double target, const Context& context);
  void evaluate_forms(std::span<const Index> tasks);
  void bound(Index k, double upper);
  [[nodiscard]] LossPoint loss_here(Index k) const;
  [[nodiscard]] double primal(Index k) const;  ///< of K(d) a
  [[nodiscard]] double primal_along(Index k) const;

  const Problem& problem_;
  const Context& context_;
  CombinedKernel kernel_;
  std::vector<std::unique_ptr<Own>> own_;
  std::vector<TaskState> states_;
  Vector d_;
  Index svm_solves_ = 0;
  Index inner_iterations_ = 0;
  Index bank_passes_ = 0;
};

}  // namespace kernmix
