#pragma once
/// \file
/// The sum over tasks as one problem, whose dual vector is that of all tasks end to end:
///
///   J(d) = Phi(d) + sum_k J_k(d),   grad = -1/2 sum_k q^k + grad Phi,   H = sum_k H^k
///
/// What newton.hpp asks of a run.

#include "solver/outer/run.hpp"
#include "solver/shared/inner_accuracy.hpp"
#include "solver/shared/shared_run.hpp"

namespace kernmix {

class StackedRun {
 public:
  explicit StackedRun(SharedRun& run) : run_(run) {}

  /// Solves all tasks at d until their gaps are a small part of the outer one.
  Point evaluate(Vector d, const std::string& step);

  /// Passes bring q only, and read all kernels.
  void keep_products() {}
  void focus(const std::vector<Index>& /*kernels*/) {}
  void start_from(const Vector& a);
  void prove(const Vector& a, double bound);
  void give_up() { run_.give_up(); }

  [[nodiscard]] bool finished() const { return run_.finished(); }
  [[nodiscard]] double best_relative_gap() const { return run_.best_relative_gap(); }
  [[nodiscard]] double tolerance() const { return run_.tolerance(); }
  [[nodiscard]] double best_primal() const { return run_.best_upper(); }
  [[nodiscard]] double best_dual() const { return run_.best_lower(); }
  [[nodiscard]] Index kernels() const { return run_.problem().kernels(); }
  [[nodiscard]] Index samples() const;
  [[nodiscard]] SharedRun& shared() { return run_; }

  /// The part of a stacked vector that belongs to each task.
  [[nodiscard]] std::vector<Vector> split(const Vector& stacked) const;

 private:
  void solve_open(double target);
  [[nodiscard]] Point point_here() const;
  void keep(const Point& point);

  SharedRun& run_;
  InnerAccuracy accuracy_;
};

/// Gradient and curvature of J for the kernels `subset`: those of all tasks added.
[[nodiscard]] WeightModel weight_model(StackedRun& run, const Point& point,
                                       const std::vector<Index>& subset);

}  // namespace kernmix
