#pragma once
/// \file
/// A joint interior point method for the dual vector and the weights:
/// docs/reference/solvers/interior-point.md.

#include "weights/newton.hpp"
#include "weights/strategies/interior_point.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {

/// Newton's method in the weights closes the remaining gap. It also replaces the interior point
/// steps if these do not apply.
inline void interior_point(const WeightRules& rules, Objective& J) {
  Vector first = strategy::part_of_kernels.start(rules, J);
  if (first.empty()) first = rules.initial_weights(J.kernels());
  const Point start = J.evaluate(std::move(first), "start");
  if (!J.finished()) joint_steps(*rules.linear_bound(J.kernels()), J, start);
  if (!J.finished()) newton(J.problem().regularizer, J);
}

struct InteriorPointMkl {
  static constexpr const char* name = "interior-point";
  static constexpr const char* needs = "weights on the simplex without a penalty";
  template <typename R>
  static constexpr bool takes = HasLinearWeights<R>;
  template <typename R>
  static void run(const R& /*regularizer*/, Objective& J) {
    interior_point(WeightRules(J.problem().regularizer), J);
  }
};

}  // namespace kernmix
