#pragma once
/// \file
/// Cutting planes of J and the step to their minimiser: the safeguard of second order steps.

#include <vector>

#include "weights/point.hpp"
#include "weights/weight_rules.hpp"

namespace kernmix {

/// gain - 1/2 q'x: what the dual vector `a` of a task proves of its J_k(x).
struct Cut {
  double gain = 0.0;
  Vector q;
  Vector a;
  Index task = 0;
};

/// Cuts J(x) >= gain_i - 1/2 q_i' x + Phi(x), valid for every x in D however inexact the SVM at
/// their points was. Keeps the most recent ones, `largest` at most. Where J is a sum over tasks, so
/// is the bound: of the largest cut of each.
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

  /// The maximum that cut i belongs to.
  [[nodiscard]] std::size_t group(std::size_t i) const {
    return sum_of_tasks_ ? static_cast<std::size_t>(cuts_[i].task) : 0;
  }

  /// All cuts at x.
  [[nodiscard]] Vector values(ConstSpan x) const;

  /// The cuts' maximum in smoothed form, F(x) = nu log sum_i exp(cut_i(x) / nu), which exceeds it
  /// by at most nu log(number of cuts). Its gradient is -1/2 sum_i pi_i q_i with multipliers pi > 0
  /// on the unit simplex, and its Hessian 1/4 Q' (diag(pi) - pi pi') Q / nu has as low a rank as
  /// the Hessian of J itself: the same minimiser of a quadratic model serves both. Of a sum over
  /// tasks, the sums of all these.
  struct Smoothed {
    double value;
    Vector multipliers;
  };
  [[nodiscard]] Smoothed smoothed(ConstSpan x, double nu) const;
  /// The q of the aggregated cut of each sum: sum_i pi_i q_i over its cuts.
  [[nodiscard]] std::vector<Vector> means(const Vector& multipliers) const;
  /// \param kernels  those that the model looks at, of x
  [[nodiscard]] WeightModel model(ConstSpan x, const std::vector<Index>& kernels,
                                  const std::vector<Vector>& means, const Vector& multipliers,
                                  double nu) const;

  /// sum_i pi_i a_i: one dual vector whose certificate is at least as good as the bound that the
  /// cuts prove together, because q is convex in a.
  [[nodiscard]] Vector aggregate(const Vector& multipliers) const;

 private:
  [[nodiscard]] std::size_t groups() const;

  std::size_t largest_;
  bool sum_of_tasks_;
  std::vector<Cut> cuts_;
};

/// A minimiser of the cuts over D and the multipliers that prove it.
struct BundleStep {
  Vector d;
  Vector multipliers;
};

/// min_{x in D} max_i cut_i(x) by Newton's method on the smoothed maximum, nu decreasing to a
/// hundredth of `gap`. Starts at `centre`. Each step looks at modelled_kernels() of the moment.
[[nodiscard]] BundleStep minimize_cuts(const WeightRules& rules, const Bundle& bundle,
                                       Vector centre, double gap);

}  // namespace kernmix
