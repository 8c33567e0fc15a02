#pragma once
/// \file
/// The inner problems of all tasks at one weight vector d:
///
///   J_k(d) = max_{a in A_k}  gain_k(a) - 1/2 a' K(d) a,     lower_k <= J_k(d) <= upper_k.
///
/// A dual vector from other weights still provides both bounds. The lower bound is its cut, and the
/// upper bound comes from the function s K(d) a with the best scalar s:
///
///   gain - 1/2 d'q  <=  J_k(d)  <=  loss(s K(d) a) + 1/2 s^2 d'q.

#include <memory>
#include <numeric>

#include "problem/task_loss.hpp"
#include "weights/oracle.hpp"

namespace kernmix {

/// The state of one task.
struct TaskState {
  Vector q;  ///< a' K_m a, length M
  double gain = 0.0;
  double lower = 0.0;
  double upper = 0.0;
};

[[nodiscard]] inline double dot(ConstSpan x, ConstSpan y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}
/// Concatenates vectors.
[[nodiscard]] Vector end_to_end(const std::vector<Vector>& vectors);

class Tasks {
 public:
  /// Both arguments must outlive this object.
  Tasks(const Problem& problem, const Context& context);

  /// Sets other weights. All solutions and bounds become stale, but the dual vectors remain.
  void go_to(ConstSpan d);
  /// Sets other weights and computes the bounds from the present dual vectors, with one product.
  void move_to(ConstSpan d);

  /// Solves some tasks, each until its inner gap is at most its target or cannot shrink. The tasks
  /// run in parallel if there are enough of them for all threads. The forms are not updated.
  void solve(std::span<const Index> tasks, ConstSpan targets);
  /// As of the oracle of each task.
  void answer_exists();
  /// Solves some tasks and updates their bounds and the forms of all kernels in one pass.
  void solve_and_read(std::span<const Index> tasks, ConstSpan targets);
  /// The tasks that have not been solved at these weights or whose inner gap is above `target`.
  [[nodiscard]] std::vector<Index> above(double target) const;
  [[nodiscard]] std::vector<Index> all() const;
  /// Updates the forms on these kernels for tasks whose dual vectors have changed.
  /// \returns K_m a of a single task at the support of a, if the bank provides it at no extra cost
  Matrix read(const std::vector<Index>& kernels);
  /// Resets all forms to zero and marks them as unread.
  void forget_forms();

  /// Replaces the dual vectors of all tasks, given end to end, and makes them feasible.
  void start_from(const Vector& a);
  /// Restores the weights, the dual vectors and the forms of a point.
  void restore(const Point& point);

  [[nodiscard]] const Oracle& oracle(Index k) const { return *oracles_[at(k)]; }
  [[nodiscard]] Oracle& oracle(Index k) { return *oracles_[at(k)]; }
  [[nodiscard]] const TaskState& state(Index k) const { return states_[at(k)]; }
  [[nodiscard]] const std::vector<TaskState>& states() const { return states_; }
  [[nodiscard]] const TaskLoss& loss(Index k) const { return losses_[at(k)]; }
  [[nodiscard]] const Vector& weights() const { return d_; }
  [[nodiscard]] Index size() const { return problem_.size(); }
  [[nodiscard]] std::vector<Vector> dual_vectors() const;

  [[nodiscard]] Index svm_solves() const { return svm_solves_; }
  [[nodiscard]] Index inner_iterations() const;

 private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }
  [[nodiscard]] Matrix panel(std::span<const Index> tasks) const;
  [[nodiscard]] double upper_along(Index k, ConstSpan z) const;

  const Problem& problem_;
  const Context& context_;
  CombinedKernel kernel_;
  std::vector<std::unique_ptr<Oracle>> oracles_;
  std::vector<TaskLoss> losses_;
  std::vector<TaskState> states_;
  std::vector<bool> solved_;  ///< solved at the present weights
  std::vector<bool> read_;    ///< forms are up to date on all kernels
  Vector d_;
  Index svm_solves_ = 0;
};

}  // namespace kernmix
