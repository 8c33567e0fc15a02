#pragma once
/// \file
/// Where Newton's method begins, and the closed-form steps before its own.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "regularizer/concepts.hpp"
#include "weights/alternating.hpp"
#include "weights/start/first_kernels.hpp"
#include "weights/strategies/cut_program.hpp"
#include "weights/strategies/joint_steps.hpp"
#include "weights/weight_objective.hpp"

namespace kernmix {

/// Even weights; where they need only sum to 1 and there are many kernels, of a part of them: K(d)
/// then reads these, and q ranks all. Not of factors of many samples, where it took more SVMs.
template <typename R>
Vector first_weights(const R& regularizer, const WeightObjective& run) {
  constexpr Index kPart = 6;
  constexpr Index kLeast = 16;
  constexpr Index kManyDense = 64;  // of which each costs as much to read
  constexpr Index kMany = 256;
  const Index M = run.kernels();
  if constexpr (HasLinearWeights<R>) {
    const auto for_mass = static_cast<Index>(std::ceil(1.0 / regularizer.upper_bound()));
    const Index part = std::max({kLeast, M / kPart, for_mass});
    const bool many = run.reads_dense_kernels()
                          ? M >= kManyDense
                          : M >= kMany && joint_steps_affordable(run.samples(), M);
    if (many && part < M) {
      Vector d(static_cast<std::size_t>(M), 0.0);
      for (const Index m : spread_numbers(M, part)) {
        d[static_cast<std::size_t>(m)] = 1.0 / static_cast<double>(part);
      }
      return d;
    }
  }
  return regularizer.initial_weights(M);
}

/// Whether less than one in `share` of the samples with a_i != 0 is free, and the others at a
/// bound.
[[nodiscard]] inline bool few_free(const Point& point, double share) {
  const auto support = std::ranges::count_if(point.a, [](double a) { return a != 0.0; });
  return share * static_cast<double>(length(point.free)) < static_cast<double>(support);
}
/// Where J is close to piecewise linear.
[[nodiscard]] inline bool hardly_free(const Point& point) { return few_free(point, 10); }

/// Closed-form steps (alternating.hpp) that come before others: one always, up to three while the
/// gap is large, and as many as each divide the gap by four (for large p no second order step could
/// do better).
///
/// For weights that need only sum to 1, and as few samples as joint steps take, they are among the
/// kernels that lead at the first weights, as if these had been even. None come where reading
/// kernels is dear, nor where samples are at their bounds, nearly all, or most after weights on a
/// part of the kernels: it is free dual variables that grow as K(d) shrinks, and J with them as
/// 1 / d, of which a second order model is good nearby only.
template <typename R>
class StartSteps {
 public:
  StartSteps(const R& regularizer, WeightObjective& run, const Point& point) {
    if constexpr (HasSparseWeights<R>) worthwhile_ = point.products == nullptr;
    if constexpr (HasLinearWeights<R>) {
      if (joint_steps_affordable(run.samples(), run.kernels())) {
        leading_ = leading_kernels(point.q, regularizer.upper_bound());
      }
      const bool of_part = std::ranges::count(point.d, 0.0) > 0;
      const bool at_bounds = of_part ? few_free(point, 2) : hardly_free(point);
      if (at_bounds && run.single_task() != nullptr) worthwhile_ = false;
    }
  }

  /// To be asked before every step, with the present gap.
  [[nodiscard]] bool go_on(double gap) {
    ++steps_;
    const bool far = steps_ <= 3 && gap > 0.3;
    const bool fast = gap < 0.25 * previous_;
    previous_ = gap;
    return worthwhile_ && (steps_ == 1 || far || fast);
  }

  [[nodiscard]] Vector next(const R& regularizer, const Point& point) const {
    if (HasLinearWeights<R> && !leading_.empty()) {
      Vector norms(point.d.size(), 0.0);
      for (const Index k : leading_) {
        const auto m = static_cast<std::size_t>(k);
        norms[m] = (steps_ == 1 ? 1.0 : point.d[m]) * std::sqrt(point.q[m]);
      }
      Vector weights(norms.size());
      regularizer.best_weights(norms, weights);
      return weights;
    }
    return closed_form(regularizer, point);
  }

 private:
  bool worthwhile_ = true;
  std::vector<Index> leading_;
  int steps_ = 0;
  double previous_ = std::numeric_limits<double>::infinity();
};

}  // namespace kernmix
