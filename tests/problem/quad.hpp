#pragma once
/// \file
/// Numbers of 113 bits, or as many as the machine has, for what double precision rounds.

#include <cmath>

namespace kernmix::test {

#ifdef __SIZEOF_FLOAT128__
__extension__ using Quad = __float128;
#else
using Quad = long double;
#endif

inline Quad absolute(Quad x) { return x < 0 ? -x : x; }
inline Quad above_zero(Quad x) { return x > 0 ? x : 0; }

/// Newton's method from the root in double precision.
inline Quad root(Quad x) {
  if (!(x > 0)) return 0;
  Quad r = std::sqrt(static_cast<double>(x));
  for (int k = 0; k < 3; ++k) r = (r + x / r) / 2;
  return r;
}

}  // namespace kernmix::test
