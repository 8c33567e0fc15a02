#pragma once
/// \file
/// J(d) of one problem with T tasks, and the services that every outer solver needs:
///
///   J(d) = Phi(d) + sum_k J_k(d)   or   Phi(d) + max_k J_k(d),   J_k(d) = max_{a in A_k} ...
///
/// Vectors over samples hold the samples of all tasks end to end.

#include <chrono>
#include <string>
#include <vector>

#include "weights/best_answer.hpp"
#include "weights/curvature.hpp"
#include "weights/snapshots.hpp"
#include "weights/tasks.hpp"

namespace kernmix {

class Objective final {
 public:
  /// All arguments but `solver` and `context` must outlive this object.
  Objective(std::string solver, const Problem& problem, const SolverOptions& options,
            const Context& context);

  /// Solves the SVMs at d until their gaps are a small part of the outer gap
  /// (docs/reference/solvers/newton.md), reads the bank once for q, certifies the point and records
  /// one iteration.
  Point evaluate(Vector d, const std::string& step);

  /// Gradient and curvature of J at `point` for these kernels (docs/reference/solvers/newton.md).
  /// For each task with free samples F, S = K(d)_FF + diag(-gain'') = L L' and e = L^{-1} 1 (for
  /// each fixed sum),
  ///
  ///   B' = (I - e e' / e'e) L^{-1} U_F,   U = [K_m a]_m,
  ///
  /// so that H = sum_k B B', B B' = U_F' (S^{-1} - S^{-1} 1 1' S^{-1} / 1' S^{-1} 1) U_F. The model
  /// takes one pass over the kernels if the point has no products.
  /// \param free  F of a single task; with several tasks, F is point.free
  [[nodiscard]] LocalModel model(const Point& point, std::vector<Index> kernels,
                                 const FreeSet& free);

  /// For solvers without an inner problem: certifies weights d in D with a dual vector a in A whose
  /// forms are known, and records one iteration. The call reads the kernels with d_m > 0.
  Point certify_pair(Vector d, Vector a, Vector forms, const std::string& step);
  /// Certifies a pair for which z = K(d) a is known, too.
  Point certify_pair(Vector d, Vector a, Vector forms, Vector z, const std::string& step);
  /// Certifies a = 0, or the point of A closest to it, so that the run has an answer from the
  /// start.
  Point certify_zero(Vector d);

  /// q_m = a' K_m a for all kernels, task by task. The call takes one pass over the bank.
  [[nodiscard]] Vector forms(const Vector& a);
  /// K(d) a.
  [[nodiscard]] Vector product(ConstSpan d, const Vector& a) const {
    return product(d, a, context_);
  }
  /// The gap of the SVMs at the weights for which z = K(d) a.
  [[nodiscard]] double inner_gap(const Vector& a, const Vector& z) const;

  /// Re-evaluates `point` with one product over the weighted kernels if it was evaluated on K(d) in
  /// single precision.
  void make_exact(Point& point) const { make_exact(point, context_); }

  /// Makes the next SVMs start from this dual vector instead of their last solution.
  void start_from(const Vector& a) { tasks_.start_from(a); }

  /// Announces that the outer gap of the next point will be about this part of the objective, so
  /// that the SVM is solved to the required accuracy at once.
  void set_expected_gap(double objective, double relative_gap);

  /// Records a dual vector whose certificate is at least `bound`, known without a pass: an average
  /// of visited vectors, from the linear program of the cuts (docs/reference/solvers/level.md). The
  /// best one stays part of the answer. All later SVMs are solved to a part of the remaining gap,
  /// because looser cuts could not raise the bound.
  /// \param gamma  task weights on the unit simplex, for minimax
  void raise_lower_bound(const Vector& a, double bound, Vector gamma = {});

  /// Divides the allowed ratio of inner to outer gap by ten. Solvers call this if the line search
  /// finds no descent at the present accuracy of J, or if the gap depends on the dual vector more
  /// than the inner gap indicates. At the limit the call changes nothing and returns false.
  bool tighten_inner_tolerance();

  /// Whether the best answer is within the tolerance or the run must stop.
  [[nodiscard]] bool finished() const { return answer_.finished(); }
  /// The solver has no step left that improves its certificate.
  void give_up() { answer_.give_up(); }
  /// The solver ends the run: at its own iteration limit, which the history does not count, or by
  /// its own rule.
  void end(Status status) { answer_.end(status); }

  [[nodiscard]] double best_relative_gap() const { return answer_.relative_gap(); }
  /// The highest lower bound on the optimal value from any evaluation or from cutting planes.
  [[nodiscard]] double best_dual() const { return answer_.dual(); }
  /// The lowest upper bound and its weights.
  [[nodiscard]] double best_primal() const { return answer_.primal(); }
  [[nodiscard]] const Vector& best_weights() const { return answer_.lowest().d; }
  /// best_primal() - best_dual(), but at least about half of the gap at which the solve ends.
  [[nodiscard]] double open_gap() const { return answer_.open_gap(); }
  [[nodiscard]] bool at_start() const { return answer_.history().empty(); }

  [[nodiscard]] const SolverOptions& options() const { return options_; }
  [[nodiscard]] double tolerance() const { return options_.tolerance; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Context& context() const { return context_; }
  /// The number of entries in the dual vector.
  [[nodiscard]] Index samples() const;
  [[nodiscard]] Index kernels() const { return problem_.kernels(); }
  /// Whether there is one task with one decision function.
  [[nodiscard]] bool is_single() const {
    return problem_.coupling == Coupling::separate && !joins_classes(problem_.loss);
  }
  [[nodiscard]] bool is_minimax() const { return problem_.coupling == Coupling::minimax; }
  /// Whether the bank stores mostly full matrices, so that reading a kernel is expensive.
  [[nodiscard]] bool reads_dense_kernels() const;
  /// Only for tasks with one decision function.
  [[nodiscard]] const DualSet& dual_set(Index k = 0) const;
  [[nodiscard]] TriangleCache& triangle_cache();
  /// The magnitude of the objective at weights d. The objective itself may have any sign.
  [[nodiscard]] double size_at(ConstSpan d) const;
  void count_pass() { ++passes_; }
  void count_inner(Index iterations) { inner_ += iterations; }

  /// The part of `point` that belongs to task k. With a single task this is the point itself.
  [[nodiscard]] Point part(const Point& point, Index k) const;
  /// The entries of each task.
  [[nodiscard]] TaskSpans parts(const Vector& a) const;

  // For solvers that update only some tasks at a time. The other tasks have bounds from stale dual
  // vectors.

  [[nodiscard]] const Tasks& tasks() const { return tasks_; }
  void go_to(ConstSpan d) { tasks_.go_to(d); }      ///< Tasks::go_to
  void move_to(ConstSpan d) { tasks_.move_to(d); }  ///< Tasks::move_to
  /// Tasks::solve_and_read
  void solve(std::span<const Index> tasks, ConstSpan targets);
  /// Couples the values of all tasks: their sum, or their maximum for minimax.
  [[nodiscard]] double coupled(ConstSpan task_values) const;
  /// Phi(d) plus the coupled TaskState::upper of the tasks at the current weights.
  [[nodiscard]] double upper_here() const;
  /// The magnitude of the objective of task k at the current weights, for relative gaps.
  [[nodiscard]] double size_of(Index k) const;
  /// Stores the current weights if upper_here() is the lowest value so far.
  void keep_here();
  /// Adds one iteration to the history.
  void record(const std::string& step) { record_at(tasks_.weights(), step); }

  /// Whether all dual variables of the answer are 0: no SVM had time for a step.
  [[nodiscard]] bool untrained() const;
  /// Moves the deadline to `more` from now and forgets signals.
  void allow(std::chrono::milliseconds more);

  /// Returns the answer. With several tasks, each task is trained at the weights of the answer to
  /// the accuracy that `tolerance` requires, if time suffices.
  [[nodiscard]] Answer result();

 private:
  [[nodiscard]] double per_task(double target) const;
  void solve_above(double target);
  void solve_svms();
  void watch_accuracy(const Point& point, double gap_before, Index steps);
  [[nodiscard]] std::vector<Index> first_look(ConstSpan d) const;
  [[nodiscard]] Point look(const std::vector<Index>& kernels, Matrix& products);
  void read(const std::vector<Index>& kernels, Matrix& products);
  void take_forms(Point& point) const;
  void measure(Point& point, Vector gamma = {}) const;
  void make_exact(Point& point, const Context& context) const;
  [[nodiscard]] Vector product(ConstSpan d, const Vector& a, const Context& context) const;
  [[nodiscard]] double inner_gap_here() const;
  [[nodiscard]] TaskSpans forms_of(const Point& point) const;
  [[nodiscard]] Vector heaviest(ConstSpan task_values) const;
  [[nodiscard]] Vector own_gamma(const Point& point) const;
  [[nodiscard]] double wanted_gap(const Point& point) const;
  [[nodiscard]] std::vector<Vector> split(const Vector& a) const;
  void keep(const Point& point, const std::string& step);
  void record_at(ConstSpan d, const std::string& step);
  bool train(Point& answer, const Vector& gamma);
  bool solved_in_time(const std::vector<Index>& tasks, const Vector& targets);
  [[nodiscard]] const SvmOracle& svm(Index k) const;
  [[nodiscard]] Work work() const;

  std::string solver_;
  const Problem& problem_;
  const SolverOptions& options_;
  Context context_;  ///< own copy, for allow()
  Tasks tasks_;
  BestAnswer answer_;
  Snapshots moments_;
  double inner_share_;     ///< allowed inner gap as a part of the outer gap
  double expected_outer_;  ///< expected outer gap of the next point
  double expected_size_;   ///< expected size of the objective at the next point
  Index passes_ = 0;
  Index unsolved_ = 0;  ///< consecutive evaluations with inaccurate SVMs, weighted by steps
  Index inner_ = 0;     ///< steps of solvers without an inner problem
  bool dense_ = false;  ///< forms came with products: a pass reads all dense kernels
};

}  // namespace kernmix
