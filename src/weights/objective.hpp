#pragma once
/// \file
/// J(d) = Phi(d) + max_a ... of one problem: what every outer solver needs besides its mathematics.

#include <string>
#include <vector>

#include "weights/answer_keeper.hpp"
#include "weights/oracle.hpp"
#include "weights/weight_objective.hpp"

namespace kernmix {

class Objective final : public WeightObjective {
 public:
  /// All must outlive it.
  Objective(std::string solver, const Problem& problem, const SolverOptions& options,
            const Context& context);

  /// Solves the SVM at d until its gap is a small part of the outer one
  /// (docs/reference/solvers/newton.md), reads the bank once for q, certifies, records one
  /// iteration.
  Point evaluate(Vector d, const std::string& step) override;

  /// Gradient and curvature of J at `point` for these kernels (docs/reference/solvers/newton.md):
  /// with F the free samples, S = K(d)_FF + diag(-gain'') = L L' and e = L^{-1} 1 (for each held
  /// sum),
  ///
  ///   B' = (I - e e' / e'e) L^{-1} U_F,   U = [K_m a]_m,
  ///
  /// so that H = B B' = U_F' (S^{-1} - S^{-1} 1 1' S^{-1} / 1' S^{-1} 1) U_F. One pass over the
  /// kernels where the point has no products.
  [[nodiscard]] LocalModel model(const Point& point, std::vector<Index> kernels) override;

  /// For solvers that have no inner problem: certifies weights d in D with a dual vector a in A,
  /// whose forms q are known, and records one iteration. Reads the kernels with d_m > 0.
  Point certify_pair(Vector d, Vector a, Vector q, const std::string& step);
  /// The same where z = K(d) a is known.
  Point certify_pair(Vector d, Vector a, Vector q, Vector z, const std::string& step);
  /// The same at a = 0 (or at the point of A closest to it): a first answer, so that there is one.
  Point certify_zero(Vector d);

  /// q_m = a' K_m a for all kernels: one pass.
  [[nodiscard]] Vector forms(ConstSpan a);
  /// K(d) a.
  [[nodiscard]] Vector product(ConstSpan d, ConstSpan a) const;

  /// One product with the weighted kernels, where `point` was measured on K(d) in single precision.
  void make_exact(Point& point) const override;

  /// The next SVM starts from this dual vector instead of the last one.
  void start_from(Vector a) override { oracle_.start_from(std::move(a)); }

  /// The next point's outer gap will be about this part of the objective: its SVM is solved for
  /// that in the first place.
  void set_expected_gap(double objective, double relative_gap);

  /// A dual vector whose certificate is at least `bound`, known without a pass: an average of
  /// visited ones, by the cuts' linear program (docs/reference/solvers/level.md). The best one
  /// stays part of the answer. SVMs are from now on solved to a part of the gap that it leaves:
  /// looser cuts could not raise it.
  void raise_lower_bound(Vector a, double bound) override;

  /// From now on the SVM's gap is a tenth of the part of the outer one that it was: for line
  /// searches that find no descent in what they know of J, and for gaps that hang on the dual
  /// vector more than the inner gap tells. Returns false, and changes nothing, at the limit.
  bool tighten_inner_tolerance();

  /// True when the best answer is good enough or nothing more may be done.
  [[nodiscard]] bool finished() const override { return answer_.finished(); }
  /// The solver has no step left that improves its certificate.
  void give_up() override { answer_.give_up(); }

  [[nodiscard]] double best_relative_gap() const override { return answer_.relative_gap(); }
  /// The highest lower bound on the optimal value that any evaluation or cutting planes proved.
  [[nodiscard]] double best_dual() const override { return answer_.dual(); }
  /// The lowest upper bound.
  [[nodiscard]] double best_primal() const override { return answer_.primal(); }
  [[nodiscard]] const SolverOptions& options() const override { return options_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] Index samples() const override { return problem_.samples(); }
  [[nodiscard]] Index kernels() const override { return problem_.kernels(); }
  [[nodiscard]] bool reads_dense_kernels() const override;
  [[nodiscard]] Objective* single_task() override { return this; }
  [[nodiscard]] const DualSet& dual_set() const { return oracle_.dual_set(); }
  [[nodiscard]] TriangleCache& triangle_cache() { return oracle_.triangle_cache(); }
  /// The size of the objective at weights d, which may have any sign.
  [[nodiscard]] double size_at(ConstSpan d) const;
  void count_pass() { ++passes_; }
  void count_inner(Index iterations) { inner_ += iterations; }

  [[nodiscard]] Answer result() const;

 private:
  void solve_svm(ConstSpan d);
  [[nodiscard]] std::vector<Index> first_look(ConstSpan d) const;
  void look(Point& point, const std::vector<Index>& kernels, Matrix& products);
  void read(Point& point, const std::vector<Index>& kernels, Matrix& products);
  void measure(Point& point, double inner_gap) const;
  [[nodiscard]] double wanted_gap(const Point& point) const;
  void keep(const Point& point, const std::string& step);
  [[nodiscard]] Work work() const { return {passes_, oracle_.iterations() + inner_}; }

  std::string solver_;
  const Problem& problem_;
  const SolverOptions& options_;
  const Context& context_;
  Oracle oracle_;
  AnswerKeeper answer_;
  double inner_share_;     ///< the inner gap may be this part of the outer one
  double expected_outer_;  ///< what the outer gap of the next point may be
  double expected_size_;   ///< of the objective at the next point
  Index passes_ = 0;
  Index inner_ = 0;     ///< steps of solvers without inner problem
  bool dense_ = false;  ///< products came with the last forms: a pass reads all dense kernels
};

}  // namespace kernmix
