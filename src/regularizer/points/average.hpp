#pragma once
/// \file
/// The average kernel: D = {(1/M, ..., 1/M)}.
///
///   Omega(s) = M/2 sum_m s_m^2        sigma(q/2) = 1/(2M) sum_m q_m
///
/// One SVM on the average kernel.

#include "regularizer/points/one_point.hpp"

namespace kernmix {

struct Average : OnePoint<Average> {
  static constexpr bool simplex = true;
  static RegularizerInfo info() { return {"average", "d = 1/M", "M/2 sum s^2", "average"}; }
};

}  // namespace kernmix
