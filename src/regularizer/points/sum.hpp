#pragma once
/// \file
/// The uniform sum of kernels: D = {(1, ..., 1)}, which is Lp at p = infinity.
///
///   Omega(s) = 1/2 sum_m s_m^2        sigma(q/2) = 1/2 sum_m q_m
///
/// Called "L2-MKL" by Saketha Nath et al. 2009, which is not the L2-norm MKL of Kloft et al.

#include "regularizer/points/one_point.hpp"

namespace kernmix {

struct Sum : OnePoint<Sum> {
  static RegularizerInfo info() { return {"sum", "d = 1", "1/2 sum s^2", "sum"}; }
  [[nodiscard]] Vector initial_weights(Index M) const {
    return Vector(static_cast<std::size_t>(M), 1.0);
  }
};

}  // namespace kernmix
