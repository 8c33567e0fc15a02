#pragma once
/// \file
/// Kernels of tests that are kept as given factors.

#include "bank/family/factor_family.hpp"
#include "base/linear_algebra.hpp"

namespace kernmix::testing {

/// The kernel Z Z', which shares its basis with no other one.
inline FactorFamily alone(Index kernel, const Matrix& Z) {
  FactorFamily family{{kernel}, Matrix(Z.cols, Z.rows), {}};
  as_matrix(family.columns) = as_matrix(Z).transpose();
  return family;
}

}  // namespace kernmix::testing
