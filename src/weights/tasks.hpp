#pragma once
/// \file
/// The inner problems of all tasks at one weight vector d:
///
///   J_k(d) = max_{a in A_k}  gain_k(a) - 1/2 a' K(d) a,     lower_k <= J_k(d) <= upper_k.
///
/// A dual vector of another weight vector still bounds both sides: by its cut, gain - 1/2 d'q, and
/// by the function s K(d) a of the best scalar s, loss(s K(d) a) + 1/2 s^2 d'q.

#include <memory>
#include <numeric>

#include "problem/task_loss.hpp"
#include "weights/oracle.hpp"

namespace kernmix {

/// What is known of one task.
struct TaskState {
  Vector q;  ///< a' K_m a, length M
  double gain = 0.0;
  double lower = 0.0;
  double upper = 0.0;
};

[[nodiscard]] inline double dot(ConstSpan x, ConstSpan y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}
/// One after the other.
[[nodiscard]] Vector end_to_end(const std::vector<Vector>& vectors);

class Tasks {
 public:
  /// Both must outlive it.
  Tasks(const Problem& problem, const Context& context);

  /// Goes to other weights: nothing is known there but the dual vectors.
  void go_to(ConstSpan d);
  /// The same with the bounds that these give, by one product.
  void move_to(ConstSpan d);

  /// Solves some tasks, each until its inner gap is at most its target or cannot shrink, at once
  /// where there are threads. Forms are as they were.
  void solve(std::span<const Index> tasks, ConstSpan targets);
  /// The same with bounds and the forms of all kernels: one pass.
  void solve_and_read(std::span<const Index> tasks, ConstSpan targets);
  /// Those that have not been solved here and those whose inner gap is above `target`.
  [[nodiscard]] std::vector<Index> above(double target) const;
  [[nodiscard]] std::vector<Index> all() const;
  /// Forms on these kernels, of tasks whose dual vectors have changed.
  /// \returns K_m a of the only task at the support of a, where that takes no more
  Matrix read(const std::vector<Index>& kernels);
  /// Zero forms, to be read all.
  void forget_forms();

  /// Other dual vectors of all tasks, end to end, made feasible.
  void start_from(const Vector& a);
  /// Dual vectors and forms of a point with its weights.
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
  std::vector<bool> solved_;  ///< at the present weights
  std::vector<bool> read_;    ///< forms on all kernels
  Vector d_;
  Index svm_solves_ = 0;
};

}  // namespace kernmix
