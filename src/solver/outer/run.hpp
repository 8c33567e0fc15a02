#pragma once
/// \file
/// What every outer solver needs besides its mathematics: evaluating a weight vector to the right
/// accuracy, keeping the best certified answer, and knowing when to stop.

#include <chrono>
#include <string>

#include "kernmix/solver/solve.hpp"
#include "solver/outer/oracle.hpp"

namespace kernmix {

/// A weight vector with everything that evaluating it told.
struct Point {
  Vector d;
  Vector a;
  Vector q;
  std::vector<Index> free;  ///< samples strictly inside their box
  Certificate certificate;
  double gain = 0.0;       ///< sum -(C loss)*(-a): the cut is J(x) >= gain - q'x/2 + Phi(x)
  double upper = 0.0;      ///< >= J(d), by at most inner_gap
  double inner_gap = 0.0;  ///< of the SVM at d
};

class Run {
 public:
  Run(std::string solver, const Problem& problem, const SolverOptions& options,
      const Context& context);

  /// Solves the SVM at d until its gap is a small part of the outer one (docs/solvers/newton.md),
  /// reads the bank once for q, certifies, records one iteration.
  Point evaluate(Vector d, const std::string& step);

  /// For solvers that have no inner problem: certifies weights d in D with a dual vector a in A,
  /// whose forms q are known, and records one iteration. Reads the kernels with d_m > 0.
  Point certify_pair(Vector d, Vector a, Vector q, const std::string& step);
  /// The same at a = 0 (or at the point of A closest to it): a first answer, so that there is one.
  Point certify_zero(Vector d);
  /// q_m = a' K_m a for all kernels: one pass.
  [[nodiscard]] Vector forms(ConstSpan a);

  /// The next SVM starts from this dual vector instead of the last one.
  void start_from(Vector a) { oracle_.start_from(std::move(a)); }

  /// The next point's outer gap will be about this part of the objective: its SVM is solved for
  /// that in the first place.
  void expect(double objective, double relative_gap);

  /// A dual vector whose certificate is at least `bound`, known without a pass: an average of
  /// visited ones, by the cuts' linear program (docs/solvers/level.md). The best one stays part of
  /// the answer. SVMs are from now on solved to a part of the gap that it leaves: looser cuts could
  /// not raise it.
  void prove(Vector a, double bound);

  /// From now on the SVM's gap is a tenth of the part of the outer one that it was: for line
  /// searches that find no descent in what they know of J, and for gaps that hang on the dual
  /// vector more than the inner gap tells. Returns false, and changes nothing, at the limit.
  bool sharpen();

  /// True when the best answer is good enough or nothing more may be done.
  [[nodiscard]] bool finished() const;
  /// The solver has no step left that improves its certificate.
  void give_up() { stalled_ = true; }

  [[nodiscard]] double best_relative_gap() const;
  [[nodiscard]] double tolerance() const { return options_.tolerance; }
  /// The highest lower bound on the optimal value that any evaluation or cutting planes proved.
  [[nodiscard]] double best_dual() const { return solution_.history.back().dual; }
  /// The lowest upper bound.
  [[nodiscard]] double best_primal() const { return solution_.history.back().primal; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] Index samples() const { return problem_.samples(); }
  [[nodiscard]] Index kernels() const { return problem_.kernels(); }
  [[nodiscard]] const DualSet& dual_set() const { return oracle_.dual_set(); }
  void count_pass() { ++passes_; }
  void count_inner(Index iterations) { inner_ += iterations; }

  [[nodiscard]] Solution result() const;

 private:
  [[nodiscard]] double objective_scale() const;
  /// Half of the gap at which the run ends.
  [[nodiscard]] double wanted_gap(const Point& point) const;
  [[nodiscard]] double proven_gap() const;
  [[nodiscard]] Certificate lowest_and_proof() const;
  void price(Point& point);
  void record(const Point& point, const std::string& step);
  [[nodiscard]] Status status() const;

  const Problem& problem_;
  const SolverOptions& options_;
  const Context& context_;
  Oracle oracle_;
  Solution solution_;
  Point best_;
  double inner_share_;     ///< the inner gap may be this part of the outer one
  double expected_outer_;  ///< what the outer gap of the next point may be
  double expected_scale_;  ///< size of the objective at the last point
  Point lowest_;           ///< of the lowest primal value
  Vector proof_;           ///< the dual vector of prove(), empty without one
  double proven_;          ///< its bound, -infinity without one
  Index passes_ = 0;
  Index inner_ = 0;  ///< steps of solvers without inner problem
  bool stalled_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace kernmix
