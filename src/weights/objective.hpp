#pragma once
/// \file
/// What every outer solver needs besides its mathematics: evaluating a weight vector to the right
/// accuracy, keeping the best certified answer, and knowing when to stop.

#include <chrono>
#include <optional>
#include <string>

#include "kernmix/answer.hpp"
#include "weights/free_block_factor.hpp"
#include "weights/oracle.hpp"
#include "weights/weight_objective.hpp"

namespace kernmix {

class Objective final : public WeightObjective {
 public:
  Objective(std::string solver, const Problem& problem, const SolverOptions& options,
            const Context& context);

  /// Solves the SVM at d until its gap is a small part of the outer one (docs/solvers/newton.md),
  /// reads the bank once for q, certifies, records one iteration.
  Point evaluate(Vector d, const std::string& step) override;

  /// For solvers that have no inner problem: certifies weights d in D with a dual vector a in A,
  /// whose forms q are known, and records one iteration. Reads the kernels with d_m > 0.
  Point certify_pair(Vector d, Vector a, Vector q, const std::string& step);
  /// The same at a = 0 (or at the point of A closest to it): a first answer, so that there is one.
  Point certify_zero(Vector d);
  /// q_m = a' K_m a for all kernels: one pass.
  [[nodiscard]] Vector forms(ConstSpan a);

  /// Points bring Point::products along from now on, where they cost nothing.
  void keep_products() override;
  /// evaluate() reads these kernels only (ascending; empty: all), which must hold all with weight.
  /// It then bounds the problem on them, which steers the solver; the run's own bounds stay.
  void restrict_to(const std::vector<Index>& kernels) override { focus_ = kernels; }

  /// One product with the weighted kernels, where `point` was measured on K(d) in single precision.
  void make_exact(Point& point) const override;

  /// The next SVM starts from this dual vector instead of the last one.
  void start_from(Vector a) override { oracle_.start_from(std::move(a)); }

  /// The next point's outer gap will be about this part of the objective: its SVM is solved for
  /// that in the first place.
  void set_expected_gap(double objective, double relative_gap);

  /// A dual vector whose certificate is at least `bound`, known without a pass: an average of
  /// visited ones, by the cuts' linear program (docs/solvers/level.md). The best one stays part of
  /// the answer. SVMs are from now on solved to a part of the gap that it leaves: looser cuts could
  /// not raise it.
  void raise_lower_bound(Vector a, double bound) override;

  /// From now on the SVM's gap is a tenth of the part of the outer one that it was: for line
  /// searches that find no descent in what they know of J, and for gaps that hang on the dual
  /// vector more than the inner gap tells. Returns false, and changes nothing, at the limit.
  bool tighten_inner_tolerance();

  /// True when the best answer is good enough or nothing more may be done.
  [[nodiscard]] bool finished() const override;
  /// The solver has no step left that improves its certificate.
  void give_up() override { stalled_ = true; }

  [[nodiscard]] double best_relative_gap() const override;
  [[nodiscard]] double tolerance() const override { return options_.tolerance; }
  /// The highest lower bound on the optimal value that any evaluation or cutting planes proved.
  [[nodiscard]] double best_dual() const override { return solution_.history.back().dual; }
  /// The lowest upper bound.
  [[nodiscard]] double best_primal() const override { return solution_.history.back().primal; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] Index samples() const override { return problem_.samples(); }
  [[nodiscard]] Index kernels() const override { return problem_.kernels(); }
  /// Gradient and curvature of J at `point` for the kernels `subset` (docs/solvers/newton.md): with
  /// F the free samples, S = K(d)_FF + diag(-gain'') = L L' and e = L^{-1} 1 (for each held sum),
  ///
  ///   B' = (I - e e' / e'e) L^{-1} U_F,   U = [K_m a]_m,
  ///
  /// so that H = B B' = U_F' (S^{-1} - S^{-1} 1 1' S^{-1} / 1' S^{-1} 1) U_F. One pass over
  /// `subset` where the point has no products of these (curvature.cpp).
  [[nodiscard]] WeightModel weight_model(const Point& point,
                                         const std::vector<Index>& subset) override;
  [[nodiscard]] Point softened(Point point) const override;
  void extrapolate(const Point& point, ConstSpan target) override;
  [[nodiscard]] Vector weights_of_part() override;
  [[nodiscard]] bool reads_dense_kernels() const override;
  [[nodiscard]] Objective* single_task() override { return this; }
  [[nodiscard]] const DualSet& dual_set() const { return oracle_.dual_set(); }
  [[nodiscard]] RecurringKernels& recurring_kernels() { return oracle_.recurring_kernels(); }
  void count_pass() { ++passes_; }
  void count_inner(Index iterations) { inner_ += iterations; }

  [[nodiscard]] Solution result() const;

 private:
  [[nodiscard]] double objective_scale(ConstSpan d) const;
  /// Half of the gap at which the run ends.
  [[nodiscard]] double wanted_gap(const Point& point) const;
  [[nodiscard]] double proven_gap() const;
  [[nodiscard]] Certificate lowest_and_proof() const;
  [[nodiscard]] std::vector<Index> all_kernels() const;
  [[nodiscard]] std::vector<Index> first_look(const Point& point) const;
  /// The SVM at d on samples near the margin, from what is known of a dual vector close to its own.
  /// \returns false where that takes no less than all samples
  bool solve_near_margin(ConstSpan d, double gap_target);
  [[nodiscard]] bool reads_whole() const;
  void solve_inner(const Point& point, double gap_target);
  [[nodiscard]] std::vector<Index> weighted(const Point& point) const;
  void read_forms(Point& point, const std::vector<Index>& subset);
  void complete(Point& point);
  void evaluate_forms(Point& point, const std::vector<Index>& subset);
  Point record_pair(Vector d, Vector a, ConstSpan z, Vector q, const std::string& step);
  [[nodiscard]] Vector forms_beside(const WholeProducts& whole);
  void certify_expected(ConstSpan d, const Vector& a);
  void measure(Point& point, ConstSpan z, double inner_gap) const;
  void certify(Point& point, ConstSpan z) const;
  void recheck_in_double();
  void keep(const Point& point);
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
  Vector proof_;           ///< the dual vector of raise_lower_bound(), empty without one
  double proven_;          ///< its bound, -infinity without one
  Index passes_ = 0;
  Index inner_ = 0;                           ///< steps of solvers without inner problem
  std::optional<FreeBlockFactor> whitening_;  ///< of the last weight_model(), until the next SVM
  bool stalled_ = false;
  bool keep_products_ = false;
  bool leaves_out_samples_ = false;  ///< SVMs may be solved on those near the margin
  /// Where the next SVM may begin: of the point that its dual vector comes from.
  std::shared_ptr<const WholeProducts> known_;
  bool dense_ = false;  ///< products came with the forms: a pass reads all of the dense kernels
  std::vector<Index> focus_;
  Vector last_q_;  ///< of the last pass over all kernels
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace kernmix
