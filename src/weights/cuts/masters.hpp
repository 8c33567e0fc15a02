#pragma once
/// \file
/// The master problem over the cuts of all tasks, which gives a lower bound and the next weights:
///
///   min_{x in D}  Phi(x) + sum_k max_i cut_ki(x)   or   max_{k, i} cut_ki(x),
///   cut_ki(x) = gain_ki - 1/2 q_ki'x

#include <limits>

#include "base/roots/golden_section.hpp"
#include "regularizer/concepts.hpp"
#include "weights/cuts/cut_program.hpp"
#include "weights/cuts/level_projection.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// sum pi gain - sigma(1/2 sum pi q), a lower bound on the optimum for any multipliers. If sigma is
/// infinite outside a ball, the bound uses the dual vectors scaled by t <= 1, whose gain is at
/// least t times the original gain.
template <typename R>
[[nodiscard]] double bound_of(const R& regularizer, const CutMinimum& minimum) {
  if constexpr (HasBoundedDual<R>) {
    return largest_on(0.0, 1.0, 1e-12,
                      [&](double t) {
                        Vector q(minimum.q);
                        for (double& form : q) form *= t * t;
                        return t * minimum.gain - regularizer.conjugate(q);
                      })
        .value;
  } else {
    return minimum.lower_bound(regularizer);
  }
}

/// The master for weights on the simplex without a penalty and for the maximum over tasks. It
/// solves a linear program and projects onto level sets (docs/reference/solvers/level.md).
class LinearMaster {
 public:
  template <HasLinearWeights R>
  LinearMaster(const R& regularizer, const Objective& run)
      : upper_bound_(regularizer.upper_bound(run.kernels())),
        program_(run.kernels(), regularizer.upper_bound(run.kernels())) {}

  void add(Cut cut) { program_.add(std::move(cut)); }
  [[nodiscard]] const Bundle& cuts() const { return program_.cuts(); }

  template <typename R>
  [[nodiscard]] CutMinimum minimum(const R& /*regularizer*/, const Objective& /*run*/) {
    return program_.solve();
  }

  /// The projection of the current weights onto the set where all cuts are at most `level`.
  template <typename R>
  [[nodiscard]] Vector next(const R& /*regularizer*/, const Objective& run,
                            const CutMinimum& minimum, double level) const {
    Vector d = project_onto_level_set(program_.cuts(), level, run.tasks().weights(), upper_bound_);
    return d.empty() ? minimum.d : d;
  }

 private:
  double upper_bound_;
  CutProgram program_;
};

/// The master for any D that can minimise a quadratic model. It applies Newton's method to smoothed
/// maxima.
class SmoothMaster {
 public:
  template <typename R>
  SmoothMaster(const R& /*regularizer*/, const Objective& run)
      : bundle_(std::numeric_limits<std::size_t>::max(), !run.is_minimax()) {}

  void add(Cut cut) { bundle_.add(std::move(cut)); }
  [[nodiscard]] const Bundle& cuts() const { return bundle_; }

  template <HasModelMinimizer R>
  [[nodiscard]] CutMinimum minimum(const R& /*regularizer*/, const Objective& run) {
    const double gap = std::min(run.open_gap(), std::abs(run.best_primal()));
    const Vector& start = run.best_weights();
    BundleStep step = minimize_cuts(WeightRules(run.problem().regularizer), bundle_, start,
                                    std::max(gap, 1e-300));
    drop_idle_cuts(step.multipliers, run.problem().size());
    CutMinimum result{std::move(step.d), std::move(step.multipliers), 0.0, Vector(start.size())};
    for (std::size_t i = 0; i < bundle_.size(); ++i) {
      const double share = result.multipliers[i];
      result.gain += share * bundle_.gain(i);
      for (std::size_t m = 0; m < result.q.size(); ++m) result.q[m] += share * bundle_.q(i)[m];
    }
    return result;
  }

  /// The point between the best weights and the minimum of the cuts where the cuts reach `level`: a
  /// separation point in the sense of Ben-Ameur and Neto (Networks 2007).
  template <typename R>
  [[nodiscard]] Vector next(const R& regularizer, const Objective& run, const CutMinimum& minimum,
                            double level) const {
    const Vector& from = run.best_weights();
    Vector x(from.size());
    double low = 0.0;
    double high = 1.0;
    constexpr int kHalvings = 20;
    for (int k = 0; k < kHalvings; ++k) {
      const double t = 0.5 * (low + high);
      move(from, minimum.d, t, x);
      (largest_cuts(x, run) + regularizer.penalty(x) > level ? low : high) = t;
    }
    move(from, minimum.d, high, x);
    return x;
  }

 private:
  static void move(const Vector& from, const Vector& to, double t, Vector& x) {
    for (std::size_t m = 0; m < x.size(); ++m) x[m] = (1.0 - t) * from[m] + t * to[m];
  }

  [[nodiscard]] double largest_cuts(const Vector& x, const Objective& run) const {
    const Vector values = bundle_.values(x);
    Vector top(!run.is_minimax() ? run.problem().tasks.size() : 1,
               -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < values.size(); ++i) {
      top[bundle_.group(i)] = std::max(top[bundle_.group(i)], values[i]);
    }
    double sum = 0.0;
    for (const double value : top) sum += value;
    return sum;
  }

  /// Drops old cuts with negligible multipliers if there are many cuts. Each task keeps at least
  /// one cut.
  void drop_idle_cuts(Vector& multipliers, Index tasks) {
    constexpr double kIdle = 1e-7;
    const auto many = static_cast<std::size_t>(100 + 5 * tasks);
    if (bundle_.size() <= many) return;
    std::vector<Index> left(static_cast<std::size_t>(tasks), 0);
    for (std::size_t i = 0; i < bundle_.size(); ++i) {
      ++left[static_cast<std::size_t>(bundle_.cut(i).task)];
    }
    for (std::size_t i = bundle_.size() / 2; i-- > 0;) {
      Index& of_task = left[static_cast<std::size_t>(bundle_.cut(i).task)];
      if (multipliers[i] > kIdle || of_task == 1) continue;
      --of_task;
      bundle_.erase(i);
      multipliers.erase(multipliers.begin() + static_cast<std::ptrdiff_t>(i));
    }
    normalize(multipliers);
  }

  /// Rescales the multipliers of each maximum to sum to 1.
  void normalize(Vector& multipliers) const;

  Bundle bundle_;
};

/// Computes task weights gamma and dual vectors sum_i pi_ki a_ki / gamma_k from the multipliers,
/// end to end. Because q is convex in a, they prove at least the bound of the cuts. Tasks with zero
/// weight keep their vectors in `others`.
[[nodiscard]] Witness aggregate_tasks(const Bundle& cuts, const Vector& multipliers,
                                      std::vector<Vector> others);

}  // namespace kernmix
