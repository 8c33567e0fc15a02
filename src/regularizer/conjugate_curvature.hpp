#pragma once
/// \file
/// The second derivative of sigma(q/2) in q as the sum of a diagonal and a rank-one matrix:
///
///   sigma(q/2)'' = diag(e) + c d d',   d = 2 sigma(q/2)' the maximizing weights

#include "kernmix/types.hpp"

namespace kernmix {

struct ConjugateCurvature {
  Vector diagonal;        ///< e, length M; 0 for infinite entries
  double rank_one = 0.0;  ///< c
};

}  // namespace kernmix
