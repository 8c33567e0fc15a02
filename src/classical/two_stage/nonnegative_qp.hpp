#pragma once
/// \file
/// The quadratic program of alignf: nonnegative least squares in few variables.
///
///   min_{x >= 0}  x'Nx - 2 c'x,     N symmetric, positive semidefinite, entries >= 0

#include "kernmix/types.hpp"

namespace kernmix {

struct NonnegativeQp {
  Vector x;
  double relative_gap = 0.0;  ///< gap / x'Nx; 0 at x = 0
};

/// Rounds of coordinate descent, which finds the support, and of Newton steps on the support, which
/// are exact once it is correct. Stops at a relative gap of 1e-13 or after 200 rounds.
///
/// The gap is that of a dual point: (D) max -u'Nu s.t. Nu >= c; as N >= 0, u = t x is feasible for
/// t = max(1, max_m c_m / (Nx)_m), so gap = (1 + t^2) x'Nx - 2 c'x
/// (docs/reference/regularizers/alignment.md). \param N M x M with unit diagonal;  \param c length
/// M, >= 0
[[nodiscard]] NonnegativeQp solve_nonnegative_qp(const Matrix& N, ConstSpan c);

}  // namespace kernmix
