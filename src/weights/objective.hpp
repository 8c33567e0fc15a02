#pragma once
/// \file
/// J(d) of one problem of T tasks: what every outer solver needs besides its mathematics,
///
///   J(d) = Phi(d) + sum_k J_k(d)   or   Phi(d) + max_k J_k(d),   J_k(d) = max_{a in A_k} ...
///
/// Vectors over samples are those of all tasks end to end.

#include <string>
#include <vector>

#include "weights/best_answer.hpp"
#include "weights/curvature.hpp"
#include "weights/snapshots.hpp"
#include "weights/tasks.hpp"

namespace kernmix {

class Objective final {
 public:
  /// All must outlive it.
  Objective(std::string solver, const Problem& problem, const SolverOptions& options,
            const Context& context);

  /// Solves the SVMs at d until their gaps are a small part of the outer one
  /// (docs/reference/solvers/newton.md), reads the bank once for q, certifies, records one
  /// iteration.
  Point evaluate(Vector d, const std::string& step);

  /// Gradient and curvature of J at `point` for these kernels (docs/reference/solvers/newton.md):
  /// of each task, with F its free samples, S = K(d)_FF + diag(-gain'') = L L' and e = L^{-1} 1
  /// (for each held sum),
  ///
  ///   B' = (I - e e' / e'e) L^{-1} U_F,   U = [K_m a]_m,
  ///
  /// so that H = sum_k B B', B B' = U_F' (S^{-1} - S^{-1} 1 1' S^{-1} / 1' S^{-1} 1) U_F. One pass
  /// over the kernels where the point has no products.
  /// \param free  F of the only task; of several it is that of the point
  [[nodiscard]] LocalModel model(const Point& point, std::vector<Index> kernels,
                                 const FreeSet& free);

  /// For solvers that have no inner problem: certifies weights d in D with a dual vector a in A,
  /// whose forms are known, and records one iteration. Reads the kernels with d_m > 0.
  Point certify_pair(Vector d, Vector a, Vector forms, const std::string& step);
  /// The same where z = K(d) a is known.
  Point certify_pair(Vector d, Vector a, Vector forms, Vector z, const std::string& step);
  /// The same at a = 0 (or at the point of A closest to it): a first answer, so that there is one.
  Point certify_zero(Vector d);

  /// q_m = a' K_m a for all kernels, of one task after the other: one pass.
  [[nodiscard]] Vector forms(const Vector& a);
  /// K(d) a.
  [[nodiscard]] Vector product(ConstSpan d, const Vector& a) const;
  /// Of the SVMs at weights where z = K(d) a.
  [[nodiscard]] double inner_gap(const Vector& a, const Vector& z) const;

  /// One product with the weighted kernels, where `point` was measured on K(d) in single precision.
  void make_exact(Point& point) const;

  /// The next SVMs start from this dual vector instead of the last one.
  void start_from(const Vector& a) { tasks_.start_from(a); }

  /// The next point's outer gap will be about this part of the objective: its SVM is solved for
  /// that in the first place.
  void set_expected_gap(double objective, double relative_gap);

  /// A dual vector whose certificate is at least `bound`, known without a pass: an average of
  /// visited ones, by the cuts' linear program (docs/reference/solvers/level.md). The best one
  /// stays part of the answer. SVMs are from now on solved to a part of the gap that it leaves:
  /// looser cuts could not raise it. \param gamma  task weights on the unit simplex, for minimax
  void raise_lower_bound(const Vector& a, double bound, Vector gamma = {});

  /// From now on the SVM's gap is a tenth of the part of the outer one that it was: for line
  /// searches that find no descent in what they know of J, and for gaps that hang on the dual
  /// vector more than the inner gap tells. Returns false, and changes nothing, at the limit.
  bool tighten_inner_tolerance();

  /// True when the best answer is good enough or nothing more may be done.
  [[nodiscard]] bool finished() const { return answer_.finished(); }
  /// The solver has no step left that improves its certificate.
  void give_up() { answer_.give_up(); }
  /// The solver's own iterations, which are not those of the history, are used up.
  void reach_limit() { answer_.reach_limit(); }

  [[nodiscard]] double best_relative_gap() const { return answer_.relative_gap(); }
  /// The highest lower bound on the optimal value that any evaluation or cutting planes proved.
  [[nodiscard]] double best_dual() const { return answer_.dual(); }
  /// The lowest upper bound, and its weights.
  [[nodiscard]] double best_primal() const { return answer_.primal(); }
  [[nodiscard]] const Vector& best_weights() const { return answer_.lowest().d; }
  /// best_primal() - best_dual(), at least about half of the gap at which the solve ends.
  [[nodiscard]] double open_gap() const { return answer_.open_gap(); }
  [[nodiscard]] bool at_start() const { return answer_.history().empty(); }

  [[nodiscard]] const SolverOptions& options() const { return options_; }
  [[nodiscard]] double tolerance() const { return options_.tolerance; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Context& context() const { return context_; }
  /// Entries of the dual vector.
  [[nodiscard]] Index samples() const;
  [[nodiscard]] Index kernels() const { return problem_.kernels(); }
  /// One task with one decision function.
  [[nodiscard]] bool is_single() const {
    return problem_.coupling == Coupling::separate && !joins_classes(problem_.loss);
  }
  [[nodiscard]] bool is_minimax() const { return problem_.coupling == Coupling::minimax; }
  /// Whether most of what the bank holds are whole matrices, so that each kernel is dear to read.
  [[nodiscard]] bool reads_dense_kernels() const;
  /// Of a task with one decision function.
  [[nodiscard]] const DualSet& dual_set(Index k = 0) const;
  [[nodiscard]] TriangleCache& triangle_cache();
  /// The size of the objective at weights d, which may have any sign.
  [[nodiscard]] double size_at(ConstSpan d) const;
  void count_pass() { ++passes_; }
  void count_inner(Index iterations) { inner_ += iterations; }

  /// What `point` says of task k; of the only task the point itself.
  [[nodiscard]] Point part(const Point& point, Index k) const;
  /// The entries of each task.
  [[nodiscard]] TaskSpans parts(const Vector& a) const;

  // For solvers that look at some tasks at a time: the rest has bounds from stale dual vectors.

  [[nodiscard]] const Tasks& tasks() const { return tasks_; }
  void go_to(ConstSpan d) { tasks_.go_to(d); }      ///< Tasks::go_to
  void move_to(ConstSpan d) { tasks_.move_to(d); }  ///< Tasks::move_to
  /// Tasks::solve_and_read
  void solve(std::span<const Index> tasks, ConstSpan targets);
  /// The values of all tasks, added or their largest.
  [[nodiscard]] double coupled(ConstSpan task_values) const;
  /// Phi(d) and TaskState::upper of the tasks, where they are.
  [[nodiscard]] double upper_here() const;
  /// Of the objective of a task where the tasks are, for relative gaps.
  [[nodiscard]] double size_of(Index k) const;
  /// Keeps the weights where the tasks are, if upper_here() is the lowest so far.
  void keep_here();
  /// One iteration of the history.
  void record(const std::string& step) { record_at(tasks_.weights(), step); }

  /// Of several tasks, each is trained at the weights of the answer as far as `tolerance` asks.
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
  [[nodiscard]] double inner_gap_here() const;
  [[nodiscard]] TaskSpans forms_of(const Point& point) const;
  [[nodiscard]] Vector heaviest(ConstSpan task_values) const;
  [[nodiscard]] Vector own_gamma(const Point& point) const;
  [[nodiscard]] double wanted_gap(const Point& point) const;
  [[nodiscard]] std::vector<Vector> split(const Vector& a) const;
  void keep(const Point& point, const std::string& step);
  void record_at(ConstSpan d, const std::string& step);
  bool train(Point& answer, const Vector& gamma);
  [[nodiscard]] const SvmOracle& svm(Index k) const;
  [[nodiscard]] Work work() const;

  std::string solver_;
  const Problem& problem_;
  const SolverOptions& options_;
  const Context& context_;
  Tasks tasks_;
  BestAnswer answer_;
  Snapshots moments_;
  double inner_share_;     ///< the inner gap may be this part of the outer one
  double expected_outer_;  ///< what the outer gap of the next point may be
  double expected_size_;   ///< of the objective at the next point
  Index passes_ = 0;
  Index unsolved_ = 0;  ///< evaluations in a row whose SVMs were hardly solved, weighted by steps
  Index inner_ = 0;     ///< steps of solvers without inner problem
  bool dense_ = false;  ///< products came with the last forms: a pass reads all dense kernels
};

}  // namespace kernmix
