#pragma once
/// \file
/// The problem that kernmix solves: kernel weights d for one task, or shared by T tasks.
///
///   (P)  min_{f, b}  sum_i C_i loss(y_i, sum_m f_m(x_i) + b) + Omega(||f_1||, ..., ||f_M||)
///   (D)  max_a       sum_i -(C_i loss)*(-a_i) - sigma(q(a) / 2),  q_m = a' K_m a,  a in A
///   weights          f_m = d_m K_m a,  combined kernel K(d) = sum_m d_m K_m
///
/// With the value J_k(d) = max_{a in A_k} sum_i -(C_i^k loss)*(-a_i) - 1/2 a' K(d) a of task k at
/// weights d, tasks are coupled by
///
///   sum      min_{d in D}  Phi(d) + sum_k J_k(d)
///   minimax  min_{d in D}  Phi(d) + max_k J_k(d)
///
/// which for one task are (P). Separate tasks each have their own weights:
///
///   separate  sum_k min_{d^k in D}  Phi(d^k) + J_k(d^k).
///
/// Weights d of separate tasks have length T M, task by task. The sum is ML-MKL-Sum
/// (Tang, Chen and Ye 2009; Bucak, Jin and Jain, NIPS 2010, equation (1)), minimax is the ML-MKL of
/// the latter, here for any convex D and Phi and any loss (docs/explanation/sharing.md).

#include <string>
#include <vector>

#include "kernmix/bank/bank.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// The coupling of tasks.
enum class Coupling {
  separate,  ///< every task has its own weights
  sum,       ///< shared weights; all tasks count equally
  minimax    ///< shared weights; the task with the largest objective counts
};
[[nodiscard]] std::string coupling_name(Coupling coupling);
/// "sum" or "minimax". \throws ParameterError naming these
[[nodiscard]] Coupling parse_coupling(const std::string& text);

/// One task: its targets on all samples of the bank, or on some (one-vs-one).
struct Task {
  /// +1 or -1 for two classes, real for regression, 0 without targets; for classes that are
  /// trained together their numbers, 0 .. K - 1
  Vector y;
  Vector C;  ///< weights of the loss, > 0: C times sample and class weights; same length
  std::vector<Index> rows = {};  ///< samples that y and C belong to, ascending; empty: all
};

/// A problem statement; borrows the bank, which must outlive it.
struct Problem {
  const KernelBank& bank;
  Loss loss;
  Regularizer regularizer;
  std::vector<Task> tasks;
  Coupling coupling = Coupling::separate;
  Bias bias = Bias::free;
  Vector diagonals = {};  ///< mean_diagonals(bank) if known, for optimum_floor()

  Problem(const KernelBank& kernels, Loss own_loss, Regularizer own_regularizer,
          std::vector<Task> own_tasks, Coupling own_coupling, Bias own_bias = Bias::free);
  /// One task on all samples.
  Problem(const KernelBank& kernels, Loss own_loss, Regularizer own_regularizer, Vector targets,
          Vector weights, Bias own_bias = Bias::free);

  [[nodiscard]] Index samples() const { return bank.samples(); }
  [[nodiscard]] Index kernels() const { return bank.kernels(); }
  [[nodiscard]] Index size() const { return length(tasks); }  ///< T, the number of tasks
  /// Decision functions of each sample: the number of classes for a loss that joins them,
  /// otherwise 1.
  [[nodiscard]] Index functions() const {
    return tasks.empty() ? 1 : decision_functions(loss, y());
  }
  [[nodiscard]] const Task& task(Index k) const { return tasks[static_cast<std::size_t>(k)]; }
  [[nodiscard]] const Vector& y() const { return tasks.front().y; }  ///< of a single task
  [[nodiscard]] const Vector& C() const { return tasks.front().C; }  ///< of a single task
};

/// Checks lengths, labels, weights and that the regularizer's D is not empty.
/// \throws ParameterError or DataError that names the rule and, with several tasks, the task,
///         counted from 1
void validate(const Problem& problem);

/// The feasible set of the dual vector of a task.
[[nodiscard]] DualSet dual_set(const Problem& problem, Index k);

/// The sample that entry i of the task's vectors belongs to.
[[nodiscard]] inline Index sample_of(const Task& task, std::size_t i) {
  return task.rows.empty() ? static_cast<Index>(i) : task.rows[i];
}
/// A vector over the rows of a task, zero on all other samples: length n.
[[nodiscard]] Vector on_all_samples(const Task& task, ConstSpan a, Index n);
/// True for several tasks with separate weights, which are T separate problems.
[[nodiscard]] bool has_separate_weights(const Problem& problem);
/// Task k of separate tasks as a problem of its own, on the same bank.
[[nodiscard]] Problem alone(const Problem& problem, Index k);
/// The weights of task k in d: d itself, or the M weights of a separate task.
[[nodiscard]] ConstSpan weights_of(const Problem& problem, ConstSpan d, Index k);
/// The entries of a vector over all samples that belong to the task.
[[nodiscard]] Vector on_rows(const Task& task, ConstSpan z);

/// Conversion to the panels of banks, with a row over all samples for each decision function of
/// each task, and back.
[[nodiscard]] Matrix panel_of(const Problem& problem, const std::vector<Vector>& a);
[[nodiscard]] std::vector<Vector> from_panel(const Problem& problem, const Matrix& panel);
/// Conversion to a vector for each decision function over the rows of its task, and back.
[[nodiscard]] std::vector<Vector> by_functions(const Problem& problem,
                                               const std::vector<Vector>& of_tasks);
[[nodiscard]] std::vector<Vector> by_tasks(const Problem& problem,
                                           const std::vector<Vector>& of_functions);
/// The sum of the rows of a panel for each task; from forms of functions the forms of the task.
[[nodiscard]] std::vector<Vector> task_sums(const Problem& problem, const Matrix& Q);

}  // namespace kernmix
