#pragma once
/// \file
/// The derivative of a proximal map on norms: ds/dx = diag(r) + factor v v'.

#include "kernmix/types.hpp"

namespace kernmix {

struct ProxSlope {
  Vector diagonal;      ///< r, length M
  double factor = 0.0;  ///< 0 for a separable norm
  Vector direction;     ///< v, length M, or empty if factor is 0
};

}  // namespace kernmix
