#pragma once
/// \file
/// Mirror descent with the entropy on the simplex, sum d = 1, 0 <= d <= u.

#include <algorithm>
#include <cmath>

#include "classical/gradient.hpp"
#include "regularizer/concepts.hpp"
#include "weights/objective.hpp"
#include "weights/stagnation_check.hpp"

namespace kernmix {

/// The point of the simplex below `bound` that is closest to x > 0 in relative entropy: the largest
/// entries at the bound, the others in proportion to x. M * bound >= 1.
inline void scale_to_simplex(MutableSpan x, double bound) {
  std::vector<bool> capped(x.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    double mass = 1.0;
    double sum = 0.0;
    for (std::size_t m = 0; m < x.size(); ++m)
      (capped[m] ? mass : sum) += capped[m] ? -bound : x[m];
    if (!(sum > 0.0)) return;
    const double factor = std::max(mass, 0.0) / sum;
    for (std::size_t m = 0; m < x.size(); ++m) {
      if (capped[m]) continue;
      x[m] *= factor;
      if (x[m] < bound) continue;
      x[m] = bound;
      capped[m] = changed = true;
    }
  }
}

/// Exponentiated gradient (Beck and Teboulle 2003; the inner loop of Saketha Nath et al., NIPS
/// 2009, algorithm 1, with erratum 2 of docs/explanation/errata.md):
///
///   d <- d exp(-eta_t g) / Z,   g = grad J(d),   eta_t = sqrt(log M) / (max_m |g_m| sqrt(t))
///
/// J may increase in a step; the best certified iterate is the answer. The gap decreases like
/// sqrt(log M / t): a baseline.
template <OnSimplex R>
void mirror_descent(const R& regularizer, Objective& run) {
  StagnationCheck patience(100);
  Point point = run.evaluate(regularizer.initial_weights(run.kernels()), "start");
  const double spread = std::sqrt(std::log(static_cast<double>(run.kernels())));
  for (double t = 1.0; !run.finished(); t += 1.0) {
    const Vector g = gradient(regularizer, point);
    const double lowest = *std::ranges::min_element(g);
    const double size = largest_magnitude(g);
    const double eta = size > 0.0 ? spread / (size * std::sqrt(t)) : 0.0;
    Vector d = point.d;
    for (std::size_t m = 0; m < d.size(); ++m) d[m] *= std::exp(-eta * (g[m] - lowest));
    scale_to_simplex(d, regularizer.upper_bound(run.kernels()));
    point = run.evaluate(std::move(d), "mirror");
    patience.after_step(run);
  }
}

struct MirrorDescent {
  static constexpr const char* name = "mirror-descent";
  static constexpr const char* needs = "weights on the simplex";
  static constexpr bool couples(Coupling coupling) { return coupling != Coupling::minimax; }
  template <typename R>
  static constexpr bool takes = OnSimplex<R>;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    mirror_descent(regularizer, run);
  }
};

}  // namespace kernmix
