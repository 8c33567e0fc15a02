#pragma once
/// \file
/// Sums of products in twice the working precision (Ogita, Rump and Oishi, Accurate sum and dot
/// product, SIAM J. Sci. Comput. 26, 2005): what rounding takes from each product and each sum is
/// known exactly and summed beside,
///
///   |high + low - sum_k a_k x_k| <= (2 (N + 8) u)^2 sum_k |a_k x_k|,   u = 2^-53, N terms,
///
/// so that a sum costs the rounding of its result and no more, whatever cancels in it.

#include "base/simd.hpp"
#include "kernmix/types.hpp"

namespace kernmix::twofold {

/// high + low is a sum, `size` the sum of the absolute values of its terms, but for rounding.
struct Sum {
  double high = 0.0;
  double low = 0.0;
  double size = 0.0;
};

/// One sum for each column.
struct Sums {
  Vector high;
  Vector low;
  Vector size;

  explicit Sums(Index n = 0)
      : high(static_cast<std::size_t>(n)), low(high.size()), size(high.size()) {}
  [[nodiscard]] Index length() const { return kernmix::length(high); }
};

/// A number and what it may be off by.
struct Interval {
  double value;
  double error;
};

/// A sum of at most `terms` products, rounded once.
[[nodiscard]] Interval rounded(const Sum& sum, double terms);

/// sums[begin + j] += sum_r rows.scale[r] (scale rows.x[r][j]), j < n, with the products in
/// brackets rounded.
void add_rows(const simd::FourRows<double>& rows, double scale, Index begin, Index n, Sums& sums);

/// y[begin + j] += weight x[j] for all j of x.
void add_scaled(double weight, const Sums& x, Index begin, Sums& y);

/// sum += weight * other.
void add(double weight, const Sum& other, Sum& sum);

/// sum_j a[j] x[j].
[[nodiscard]] Sum dot(ConstSpan a, const Sums& x);

}  // namespace kernmix::twofold
