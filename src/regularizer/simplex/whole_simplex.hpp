#pragma once
/// \file
/// Base of regularizers on the simplex, D = {d >= 0, sum d = 1}, possibly with a penalty.

#include <limits>

#include "regularizer/defaults.hpp"

namespace kernmix {

/// Euclidean projection onto the simplex (Held, Wolfe and Crowder 1974), O(M log M).
void project_onto_simplex(MutableSpan x);

/// {x : sum x = 1, 0 <= x <= upper}
[[nodiscard]] WeightSet simplex_set(double upper = std::numeric_limits<double>::infinity());

template <typename R>
struct OnWholeSimplex : Defaults<R> {
  /// Most weights are zero: solvers may work on few kernels and price the others.
  static constexpr bool sparse = true;
  static constexpr bool simplex = true;

  [[nodiscard]] double upper_bound(Index /*M*/) const {
    return std::numeric_limits<double>::infinity();
  }
  void project(MutableSpan x) const { project_onto_simplex(x); }
};

}  // namespace kernmix
