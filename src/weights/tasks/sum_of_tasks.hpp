#pragma once
/// \file
/// The sum over tasks as one problem, whose dual vector is that of all tasks end to end:
///
///   J(d) = Phi(d) + sum_k J_k(d),   grad = -1/2 sum_k q^k + grad Phi,   H = sum_k H^k
///
/// What newton.hpp asks of a run.

#include "weights/objective.hpp"
#include "weights/tasks/inner_accuracy.hpp"
#include "weights/tasks/shared_run.hpp"

namespace kernmix {

class SumOfTasks final : public WeightObjective {
 public:
  explicit SumOfTasks(SharedRun& run) : run_(run) {}

  /// Solves all tasks at d until their gaps are a small part of the outer one.
  Point evaluate(Vector d, const std::string& step) override;

  /// Gradient and curvature of J: those of all tasks added.
  [[nodiscard]] LocalModel model(const Point& point, std::vector<Index> kernels) override;
  void start_from(Vector a) override;
  void raise_lower_bound(Vector a, double bound) override;
  void give_up() override { run_.give_up(); }

  [[nodiscard]] bool finished() const override { return run_.finished(); }
  [[nodiscard]] double best_relative_gap() const override { return run_.best_relative_gap(); }
  [[nodiscard]] const SolverOptions& options() const override { return run_.options(); }
  [[nodiscard]] double best_primal() const override { return run_.best_upper(); }
  [[nodiscard]] double best_dual() const override { return run_.best_lower(); }
  [[nodiscard]] Index kernels() const override { return run_.problem().kernels(); }
  [[nodiscard]] Index samples() const override;

  /// The part of a stacked vector that belongs to each task.
  [[nodiscard]] std::vector<Vector> split(const Vector& stacked) const;

 private:
  void solve_open(double target);
  [[nodiscard]] Point point_here() const;
  void keep(const Point& point);

  SharedRun& run_;
  InnerAccuracy accuracy_;
};

}  // namespace kernmix
