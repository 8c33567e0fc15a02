#include "bank/reference/twofold.hpp"

#include <cmath>
#include <limits>

// This file is compiled once for each instruction set by foreach_target.h, and without contraction
// of products and sums, which would take the roundings away that it adds up.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bank/reference/twofold.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kernmix::twofold::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The part of x that 26 bits hold (Veltkamp).
template <typename D>
HWY_ATTR hn::Vec<D> leading(D d, hn::Vec<D> x) {
  const auto spread = hn::Mul(hn::Set(d, 134217729.0), x);  // 2^27 + 1
  return hn::Sub(spread, hn::Sub(spread, x));
}

/// a x - fl(a x), exactly: by one fused operation or, where there is none, Dekker's seventeen.
template <typename D>
HWY_ATTR hn::Vec<D> product_rest(D d, hn::Vec<D> a, hn::Vec<D> x, hn::Vec<D> product) {
#if HWY_NATIVE_FMA
  static_cast<void>(d);
  return hn::MulSub(a, x, product);
#else
  const auto a_high = leading(d, a), x_high = leading(d, x);
  const auto a_low = hn::Sub(a, a_high), x_low = hn::Sub(x, x_high);
  auto rest = hn::Sub(hn::Mul(a_high, x_high), product);
  rest = hn::Add(rest, hn::Mul(a_high, x_low));
  rest = hn::Add(rest, hn::Mul(a_low, x_high));
  return hn::Add(rest, hn::Mul(a_low, x_low));
#endif
}

/// high + low += a x, with the rests of the product and of the sum (Knuth's two-sum).
template <typename D, typename V>
HWY_ATTR void add_product(D d, V a, V x, V& high, V& low) {
  const V product = hn::Mul(a, x);
  const V sum = hn::Add(high, product);
  const V added = hn::Sub(sum, high);
  const V rest = hn::Add(hn::Sub(high, hn::Sub(sum, added)), hn::Sub(product, added));
  low = hn::Add(low, hn::Add(product_rest(d, a, x, product), rest));
  high = sum;
}

/// One sum: += weight (other high + other low).
HWY_ATTR void add_one(double weight, double other_high, double other_low, double other_size,
                      double& high, double& low, double& size) {
  const hn::CappedTag<double, 1> d;
  auto high_lane = hn::Set(d, high), low_lane = hn::Set(d, low);
  add_product(d, hn::Set(d, weight), hn::Set(d, other_high), high_lane, low_lane);
  high = hn::GetLane(high_lane);
  low = hn::GetLane(low_lane) + weight * other_low;
  size += std::abs(weight) * other_size;
}

/// The columns from `begin` in steps of as many as D holds, as long as there are so many.
/// \returns the first that is left
template <typename D>
HWY_ATTR Index add_rows_from(D d, Index begin, const simd::FourRows<double>& rows, double scale,
                             double* high, double* low, double* size, Index n) {
  const Index width = static_cast<Index>(hn::Lanes(d));
  const auto factor = hn::Set(d, scale);
  Index j = begin;
  for (; j + width <= n; j += width) {
    auto sum = hn::LoadU(d, high + j), rest = hn::LoadU(d, low + j), all = hn::LoadU(d, size + j);
    for (int r = 0; r < 4; ++r) {
      const auto a = hn::Set(d, rows.scale[r]);
      const auto x = hn::Mul(factor, hn::LoadU(d, rows.x[r] + j));
      add_product(d, a, x, sum, rest);
      all = hn::MulAdd(hn::Abs(a), hn::Abs(x), all);
    }
    hn::StoreU(sum, d, high + j);
    hn::StoreU(rest, d, low + j);
    hn::StoreU(all, d, size + j);
  }
  return j;
}

HWY_ATTR void add_rows_to(const simd::FourRows<double>& rows, double scale, double* high,
                          double* low, double* size, Index n) {
  const Index left = add_rows_from(hn::ScalableTag<double>(), 0, rows, scale, high, low, size, n);
  add_rows_from(hn::CappedTag<double, 1>(), left, rows, scale, high, low, size, n);
}

HWY_ATTR void add_scaled_to(double weight, const Sums& x, double* high, double* low, double* size) {
  for (std::size_t j = 0; j < x.high.size(); ++j) {
    add_one(weight, x.high[j], x.low[j], x.size[j], high[j], low[j], size[j]);
  }
}

HWY_ATTR void dot_to(const double* a, const Sums& x, Sum& sum) {
  for (std::size_t j = 0; j < x.high.size(); ++j) {
    add_one(a[j], x.high[j], x.low[j], x.size[j], sum.high, sum.low, sum.size);
  }
}

HWY_ATTR void add_to(double weight, const Sum& other, Sum& sum) {
  add_one(weight, other.high, other.low, other.size, sum.high, sum.low, sum.size);
}

}  // namespace kernmix::twofold::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kernmix::twofold {

HWY_EXPORT(add_rows_to);
HWY_EXPORT(add_scaled_to);
HWY_EXPORT(dot_to);
HWY_EXPORT(add_to);

Interval rounded(const Sum& sum, double terms) {
  constexpr double u = 0.5 * std::numeric_limits<double>::epsilon();
  const double value = sum.high + sum.low;
  const double rest = 2.0 * (terms + 8.0) * u;
  if (sum.size == 0.0) return {value, 0.0};
  // The last term is for products too small to have an exact rest.
  return {value, 1.01 * u * std::abs(value) + rest * rest * sum.size +
                     terms * std::numeric_limits<double>::min()};
}

void add_rows(const simd::FourRows<double>& rows, double scale, Index begin, Index n, Sums& sums) {
  HWY_DYNAMIC_DISPATCH(add_rows_to)
  (rows, scale, sums.high.data() + begin, sums.low.data() + begin, sums.size.data() + begin, n);
}

void add_scaled(double weight, const Sums& x, Index begin, Sums& y) {
  HWY_DYNAMIC_DISPATCH(add_scaled_to)
  (weight, x, y.high.data() + begin, y.low.data() + begin, y.size.data() + begin);
}

void add(double weight, const Sum& other, Sum& sum) {
  HWY_DYNAMIC_DISPATCH(add_to)(weight, other, sum);
}

Sum dot(ConstSpan a, const Sums& x) {
  Sum sum;
  HWY_DYNAMIC_DISPATCH(dot_to)(a.data(), x, sum);
  return sum;
}

}  // namespace kernmix::twofold
#endif
