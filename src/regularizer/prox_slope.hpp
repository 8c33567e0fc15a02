#pragma once
/// \file
/// The derivative of a proximal map on norms: ds/dx = diag(r) + factor v v'.

#include "kernmix/types.hpp"

namespace kernmix {

struct ProxSlope {
  Vector diagonal;      ///< r, length M
  double factor = 0.0;  ///< 0 where the norm is separable
  Vector direction;     ///< v, length M, or empty where factor is 0
};

}  // namespace kernmix
