#pragma once
/// \file
/// Many tasks (classes, labels) that share one combination of kernels.
///
///   J_k(d) = max_{a in A_k}  sum_i -(C_i^k loss)*(-a_i) - 1/2 a' K(d) a     task k alone at
///   weights d
///
///   sum      min_{d in D}  Phi(d) + sum_k J_k(d)
///   minimax  min_{d in D}  Phi(d) + max_k J_k(d)
///
/// The sum is ML-MKL-Sum (Tang, Chen and Ye 2009; Bucak, Jin and Jain, NIPS 2010, equation (1)),
/// the other form ML-MKL of the latter, here for any convex D and Phi and any loss
/// (docs/sharing.md).

#include <string>
#include <vector>

#include "kernmix/bank/bank.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// What the shared weights serve.
enum class Sharing {
  sum,     ///< all tasks alike
  minimax  ///< the task with the largest objective
};
[[nodiscard]] std::string sharing_name(Sharing sharing);
/// \throws ParameterError naming the known forms
[[nodiscard]] Sharing parse_sharing(const std::string& text);

/// One task: its targets on all samples of the bank, or on some (one-vs-one).
struct SharedTask {
  Vector y;                 ///< +1 or -1, or numbers, as the loss has it
  Vector C;                 ///< > 0, same length
  std::vector<Index> rows;  ///< samples of the bank that y and C belong to, ascending; empty: all
};

/// A problem statement; borrows the bank, which must outlive it.
struct SharedProblem {
  const KernelBank& bank;
  Loss loss;
  Regularizer regularizer;
  std::vector<SharedTask> tasks;
  Sharing sharing = Sharing::sum;
  Bias bias = Bias::free;
  Vector diagonals = {};  ///< mean_diagonals(bank) where they are known, for optimum_floor()

  [[nodiscard]] Index samples() const { return bank.samples(); }
  [[nodiscard]] Index kernels() const { return bank.kernels(); }
  [[nodiscard]] Index size() const { return length(tasks); }  ///< T, the number of tasks
  [[nodiscard]] const SharedTask& task(Index k) const { return tasks[static_cast<std::size_t>(k)]; }
};

/// Checks every task on its own and the regularizer.
/// \throws ParameterError or DataError that names the task, counted from 1, and the rule
void validate(const SharedProblem& problem);

/// The feasible set of the dual vector of a task.
[[nodiscard]] DualSet dual_set(const SharedProblem& problem, Index k);

/// A vector over the rows of a task, zero on all other samples: length n.
[[nodiscard]] Vector on_all_samples(const SharedTask& task, ConstSpan a, Index n);
/// The entries of a vector over all samples that belong to the task.
[[nodiscard]] Vector on_rows(const SharedTask& task, ConstSpan z);

/// T x n: row k is the dual vector of task k on all samples.
[[nodiscard]] Matrix panel_of(const SharedProblem& problem, const std::vector<Vector>& a);

}  // namespace kernmix
