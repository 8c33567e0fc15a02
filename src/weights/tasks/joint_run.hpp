#pragma once
/// \file
/// All classes trained together, as newton.hpp asks of a run:
///
///   J(d) = Phi(d) + max_A { sum_i A_{i, y_i} - 1/2 sum_m d_m tr(A' K_m A) },
///   grad = -1/2 q + grad Phi,   q_m = tr(A' K_m A)
///
/// The dual vector of a Point is A, row by row.

#include "kernmix/answer.hpp"
#include "svm/crammer_singer/joint_svm.hpp"
#include "weights/tasks/combined_kernel.hpp"
#include "weights/tasks/inner_accuracy.hpp"
#include "weights/tasks/run_bounds.hpp"

namespace kernmix {

class JointRun final : public WeightObjective {
 public:
  /// All must outlive it.
  JointRun(std::string solver, const Problem& problem, const SolverOptions& options,
           const Context& context);

  /// Trains all classes at d until their gap is a small part of the outer one.
  Point evaluate(Vector d, const std::string& step) override;

  /// Gradient and curvature of J for these kernels, as objective.hpp has them: with the
  /// directions E of the face of A (class_face.hpp), S = E'(K(d) (x) I)E = L L',
  ///
  ///   B' = (I - Q Q') L^{-1} U,   U = [E' K_m A]_m,   Q an orthonormal basis of L^{-1} E'(1 (x) I)
  ///
  /// with free biases, and Q empty without.
  [[nodiscard]] LocalModel model(const Point& point, std::vector<Index> kernels) override;
  void start_from(Vector a) override;
  void raise_lower_bound(Vector a, double bound) override;
  void give_up() override { bounds_.give_up(); }

  [[nodiscard]] bool finished() const override { return bounds_.finished(); }
  [[nodiscard]] double best_relative_gap() const override { return bounds_.relative_gap(); }
  [[nodiscard]] double best_primal() const override { return bounds_.upper(); }
  [[nodiscard]] double best_dual() const override { return bounds_.lower(); }
  [[nodiscard]] const SolverOptions& options() const override { return options_; }
  [[nodiscard]] Index kernels() const override { return problem_.kernels(); }
  [[nodiscard]] Index samples() const override { return problem_.samples() * problem_.functions; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Context& context() const { return context_; }
  void count_pass() { ++work_.bank_passes; }

  /// K(d), n x n.
  [[nodiscard]] const Matrix& kernel(ConstSpan d) { return kernel_.dense(d, context_); }
  [[nodiscard]] Matrix unstacked(const Vector& a) const;

  /// Certifies the best answer on the bank.
  [[nodiscard]] Answer result();

 private:
  void solve(double target);
  void evaluate_forms();
  [[nodiscard]] Point point_here() const;

  const Problem& problem_;
  const ClassTargets targets_;
  const SolverOptions& options_;
  const Context& context_;
  std::string solver_;
  CombinedKernel kernel_;
  RunBounds bounds_;
  RunWork work_;
  Vector d_;
  JointDual dual_;
  Vector q_;  ///< of dual_.A
  InnerAccuracy accuracy_;
  Vector best_d_;
  Vector best_a_;
  Vector witness_;
};

}  // namespace kernmix
