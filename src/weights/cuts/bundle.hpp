#pragma once
/// \file
/// Cutting planes of J and the step to their minimiser, which safeguards second order steps.

#include <vector>

#include "weights/point.hpp"
#include "weights/weight_rules.hpp"

namespace kernmix {

/// gain - 1/2 q'x: the lower bound on J_k(x) that the dual vector `a` of a task proves.
struct Cut {
  double gain = 0.0;
  Vector q;
  Vector a;
  Index task = 0;
};

/// Cuts J(x) >= gain_i - 1/2 q_i' x + Phi(x). Each cut is valid for every x in D, however inexact
/// the SVM solution was that produced it. The bundle keeps the most recent cuts, at most `largest`.
/// If J is a sum over tasks, the bound is the sum of the largest cuts of the tasks.
class Bundle {
 public:
  explicit Bundle(std::size_t largest = 50, bool sum_of_tasks = false)
      : largest_(largest), sum_of_tasks_(sum_of_tasks) {}

  void add(const Point& point) { add(Cut{point.gain, point.q, point.a, 0}); }
  void add(Cut cut);
  [[nodiscard]] std::size_t size() const { return cuts_.size(); }
  [[nodiscard]] const Cut& cut(std::size_t i) const { return cuts_[i]; }
  [[nodiscard]] double gain(std::size_t i) const { return cuts_[i].gain; }
  [[nodiscard]] const Vector& q(std::size_t i) const { return cuts_[i].q; }
  void erase(std::size_t i) { cuts_.erase(cuts_.begin() + static_cast<std::ptrdiff_t>(i)); }

  /// The index of the maximum that cut i contributes to.
  [[nodiscard]] std::size_t group(std::size_t i) const {
    return sum_of_tasks_ ? static_cast<std::size_t>(cuts_[i].task) : 0;
  }

  /// The values of all cuts at x.
  [[nodiscard]] Vector values(ConstSpan x) const;

  /// The smoothed maximum of the cuts, F(x) = nu log sum_i exp(cut_i(x) / nu), which exceeds the
  /// maximum by at most nu log(number of cuts). Its gradient is -1/2 sum_i pi_i q_i with
  /// multipliers pi > 0 on the unit simplex. Its Hessian 1/4 Q' (diag(pi) - pi pi') Q / nu has as
  /// low a rank as the Hessian of J, so the same minimiser of a quadratic model serves both. For a
  /// sum over tasks, the function, its gradient and its Hessian are the sums over the tasks.
  struct Smoothed {
    double value;
    Vector multipliers;
  };
  [[nodiscard]] Smoothed smoothed(ConstSpan x, double nu) const;
  /// The vector q of the aggregated cut of each group: sum_i pi_i q_i over the cuts of the group.
  [[nodiscard]] std::vector<Vector> means(const Vector& multipliers) const;
  /// The quadratic model of the smoothed maximum at x.
  /// \param kernels  the kernels that the model contains
  [[nodiscard]] WeightModel model(ConstSpan x, const std::vector<Index>& kernels,
                                  const std::vector<Vector>& means, const Vector& multipliers,
                                  double nu) const;

  /// sum_i pi_i a_i: one dual vector whose certificate is at least as good as the joint bound of
  /// the cuts, because q is convex in a.
  [[nodiscard]] Vector aggregate(const Vector& multipliers) const;

 private:
  [[nodiscard]] std::size_t groups() const;

  std::size_t largest_;
  bool sum_of_tasks_;
  std::vector<Cut> cuts_;
};

/// A minimiser of the cuts over D, with the multipliers that prove its optimality.
struct BundleStep {
  Vector d;
  Vector multipliers;
};

/// Solves min_{x in D} max_i cut_i(x) by Newton's method on the smoothed maximum, while nu
/// decreases to a hundredth of `gap`. The iteration starts at `centre`, and each step recomputes
/// modelled_kernels().
[[nodiscard]] BundleStep minimize_cuts(const WeightRules& rules, const Bundle& bundle,
                                       Vector centre, double gap);

}  // namespace kernmix
