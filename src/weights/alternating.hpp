#pragma once
/// \file
/// Closed-form alternation between the SVM and the kernel weights.

#include <algorithm>

#include "loss/any.hpp"
#include "regularizer/concepts.hpp"
#include "weights/objective.hpp"
#include "weights/saddle/mixed_norm.hpp"
#include "weights/weight_rules.hpp"

namespace kernmix {

/// Returns the closed-form minimiser d(s) at a point, s_m = d_m sqrt(q_m). The update multiplies
/// each weight by a positive factor, so a weight that reached zero would stay zero; the floor
/// prevents this.
[[nodiscard]] inline Vector closed_form(const WeightRules& rules, const Point& point) {
  constexpr double kFloor = 1e-12;
  const double top = *std::ranges::max_element(point.d);
  Vector norms(point.d.size());
  for (std::size_t m = 0; m < norms.size(); ++m) {
    norms[m] = std::max(point.d[m], kFloor * top) * std::sqrt(point.q[m]);
  }
  return rules.best_weights(norms);
}

/// Block coordinate descent on min_{f, d in D} 1/2 sum_m ||f_m||^2 / d_m + Phi(d) + loss
/// (docs/reference/solvers/alternating.md):
///
///   a <- SVM(K(d));   s_m <- d_m sqrt(a' K_m a);
///   d <- argmin_{x in D} 1/2 sum_m s_m^2 / x_m + Phi(x)
///
/// Sources: Xu, Jin, Yang, King and Lyu, ICML 2010, section 3; Kloft et al., JMLR 2011, algorithm 1
/// and theorem 4 (convergence for p > 1). The objective decreases monotonically, but convergence is
/// slow near zero weights (L1).
inline void alternating(const WeightRules& rules, Objective& J) {
  Point point = J.evaluate(rules.initial_weights(J.kernels()), "start");
  while (!J.finished()) point = J.evaluate(closed_form(rules, point), "closed-form");
}

struct Alternating {
  static constexpr const char* name = "alternating";
  static constexpr const char* needs = "closed-form weights";
  template <typename R>
  static constexpr bool takes = HasBestWeights<R> || HasSaddleWeights<R>;
  static constexpr const char* needs_of_loss = "positive semidefinite kernels";
  template <typename L>
  static constexpr bool takes_loss = !OnDistances<L>;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    if constexpr (HasSaddleWeights<R>) {
      alternating_saddle(regularizer, run);
    } else {
      alternating(WeightRules(run.problem().regularizer), run);
    }
  }
};

}  // namespace kernmix
