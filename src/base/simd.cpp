#include "base/simd.hpp"

#include <cmath>

// This file is compiled once for each instruction set by foreach_target.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/simd.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kernmix::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;
using Floats = hn::Rebind<float, Doubles>;
using Lanes = hn::Vec<Doubles>;

HWY_ATTR inline Lanes load(const double* x) { return hn::LoadU(Doubles(), x); }
HWY_ATTR inline Lanes load(const float* x) {
  return hn::PromoteTo(Doubles(), hn::LoadU(Floats(), x));
}

/// Prefetches the cache line that begins at column j of the next rows, if any.
template <typename T>
HWY_ATTR inline void ask_for_next(const FourRows<T>& rows, Index j) {
  constexpr Index line = 64 / static_cast<Index>(sizeof(T));
  if (j % line != 0) return;
  for (const T* row : rows.next) __builtin_prefetch(row + j);
}

/// Sum of all lanes of four accumulators.
HWY_ATTR inline double total(Lanes s0, Lanes s1, Lanes s2, Lanes s3) {
  return hn::GetLane(hn::SumOfLanes(Doubles(), hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

template <typename T>
HWY_ATTR double dot_lanes(const T* HWY_RESTRICT x, const double* HWY_RESTRICT y, Index n) {
  const Index lanes = static_cast<Index>(hn::Lanes(Doubles()));
  Lanes s0 = hn::Zero(Doubles()), s1 = s0, s2 = s0, s3 = s0;
  Index j = 0;
  for (; j + 4 * lanes <= n; j += 4 * lanes) {
    s0 = hn::MulAdd(load(x + j), load(y + j), s0);
    s1 = hn::MulAdd(load(x + j + lanes), load(y + j + lanes), s1);
    s2 = hn::MulAdd(load(x + j + 2 * lanes), load(y + j + 2 * lanes), s2);
    s3 = hn::MulAdd(load(x + j + 3 * lanes), load(y + j + 3 * lanes), s3);
  }
  for (; j + lanes <= n; j += lanes) s0 = hn::MulAdd(load(x + j), load(y + j), s0);
  double sum = total(s0, s1, s2, s3);
  for (; j < n; ++j) sum += static_cast<double>(x[j]) * y[j];
  return sum;
}

template <typename T>
HWY_ATTR void add_scaled_lanes(double alpha, const T* HWY_RESTRICT x, double* HWY_RESTRICT y,
                               Index n) {
  const Index lanes = static_cast<Index>(hn::Lanes(Doubles()));
  const Lanes scale = hn::Set(Doubles(), alpha);
  Index j = 0;
  for (; j + lanes <= n; j += lanes) {
    hn::StoreU(hn::MulAdd(scale, load(x + j), load(y + j)), Doubles(), y + j);
  }
  for (; j < n; ++j) y[j] += alpha * static_cast<double>(x[j]);
}

template <typename T>
HWY_ATTR void add_four_lanes(const FourRows<T>& rows, double* HWY_RESTRICT y, Index n) {
  const Index lanes = static_cast<Index>(hn::Lanes(Doubles()));
  const Lanes a0 = hn::Set(Doubles(), rows.scale[0]), a1 = hn::Set(Doubles(), rows.scale[1]);
  const Lanes a2 = hn::Set(Doubles(), rows.scale[2]), a3 = hn::Set(Doubles(), rows.scale[3]);
  const T *x0 = rows.x[0], *x1 = rows.x[1], *x2 = rows.x[2], *x3 = rows.x[3];
  Index j = 0;
  for (; j + lanes <= n; j += lanes) {
    ask_for_next(rows, j);
    const Lanes left = hn::MulAdd(a1, load(x1 + j), hn::MulAdd(a0, load(x0 + j), load(y + j)));
    const Lanes right = hn::MulAdd(a3, load(x3 + j), hn::Mul(a2, load(x2 + j)));
    hn::StoreU(hn::Add(left, right), Doubles(), y + j);
  }
  for (; j < n; ++j) {
    y[j] +=
        (rows.scale[0] * static_cast<double>(x0[j]) + rows.scale[1] * static_cast<double>(x1[j])) +
        (rows.scale[2] * static_cast<double>(x2[j]) + rows.scale[3] * static_cast<double>(x3[j]));
  }
}

HWY_ATTR inline void store(Lanes value, float* y) {
  hn::StoreU(hn::DemoteTo(Floats(), value), Floats(), y);
}
HWY_ATTR inline void store(Lanes value, double* y) { hn::StoreU(value, Doubles(), y); }

/// x - x is NaN for an infinite or NaN x, and a sum with NaN stays NaN: no branch in the loop.
template <typename T>
HWY_ATTR double round_lanes(const double* HWY_RESTRICT x, T* HWY_RESTRICT y, Index n) {
  const Index lanes = static_cast<Index>(hn::Lanes(Doubles()));
  Lanes largest = hn::Zero(Doubles());
  Lanes spoiled = hn::Zero(Doubles());
  Index j = 0;
  for (; j + lanes <= n; j += lanes) {
    const Lanes value = load(x + j);
    largest = hn::Max(largest, hn::Abs(value));
    spoiled = hn::Add(spoiled, hn::Sub(value, value));
    store(value, y + j);
  }
  double most = hn::GetLane(hn::MaxOfLanes(Doubles(), largest));
  double bad = hn::GetLane(hn::SumOfLanes(Doubles(), spoiled));
  for (; j < n; ++j) {
    most = most < std::abs(x[j]) ? std::abs(x[j]) : most;
    bad += x[j] - x[j];
    y[j] = static_cast<T>(x[j]);
  }
  return most + bad;
}

template <typename T>
HWY_ATTR double dot_add_scaled_lanes(const T* HWY_RESTRICT x, const double* HWY_RESTRICT a,
                                     double alpha, double* HWY_RESTRICT y, Index n) {
  const Index lanes = static_cast<Index>(hn::Lanes(Doubles()));
  const Lanes scale = hn::Set(Doubles(), alpha);
  Lanes s0 = hn::Zero(Doubles()), s1 = s0;
  Index j = 0;
  for (; j + 2 * lanes <= n; j += 2 * lanes) {
    const Lanes x0 = load(x + j);
    const Lanes x1 = load(x + j + lanes);
    s0 = hn::MulAdd(x0, load(a + j), s0);
    s1 = hn::MulAdd(x1, load(a + j + lanes), s1);
    hn::StoreU(hn::MulAdd(scale, x0, load(y + j)), Doubles(), y + j);
    hn::StoreU(hn::MulAdd(scale, x1, load(y + j + lanes)), Doubles(), y + j + lanes);
  }
  double sum = hn::GetLane(hn::SumOfLanes(Doubles(), hn::Add(s0, s1)));
  for (; j < n; ++j) {
    const double value = static_cast<double>(x[j]);
    sum += value * a[j];
    y[j] += alpha * value;
  }
  return sum;
}

template <typename T>
HWY_ATTR void dot_add_four_lanes(const FourRows<T>& rows, const double* HWY_RESTRICT a,
                                 double* HWY_RESTRICT y, double* HWY_RESTRICT dots, Index n) {
  const Index lanes = static_cast<Index>(hn::Lanes(Doubles()));
  const Lanes a0 = hn::Set(Doubles(), rows.scale[0]), a1 = hn::Set(Doubles(), rows.scale[1]);
  const Lanes a2 = hn::Set(Doubles(), rows.scale[2]), a3 = hn::Set(Doubles(), rows.scale[3]);
  const T *x0 = rows.x[0], *x1 = rows.x[1], *x2 = rows.x[2], *x3 = rows.x[3];
  Lanes s0 = hn::Zero(Doubles()), s1 = s0, s2 = s0, s3 = s0;
  Index j = 0;
  for (; j + lanes <= n; j += lanes) {
    ask_for_next(rows, j);
    const Lanes at = load(a + j);
    const Lanes v0 = load(x0 + j), v1 = load(x1 + j), v2 = load(x2 + j), v3 = load(x3 + j);
    s0 = hn::MulAdd(v0, at, s0);
    s1 = hn::MulAdd(v1, at, s1);
    s2 = hn::MulAdd(v2, at, s2);
    s3 = hn::MulAdd(v3, at, s3);
    const Lanes left = hn::MulAdd(a1, v1, hn::MulAdd(a0, v0, load(y + j)));
    const Lanes right = hn::MulAdd(a3, v3, hn::Mul(a2, v2));
    hn::StoreU(hn::Add(left, right), Doubles(), y + j);
  }
  dots[0] = hn::GetLane(hn::SumOfLanes(Doubles(), s0));
  dots[1] = hn::GetLane(hn::SumOfLanes(Doubles(), s1));
  dots[2] = hn::GetLane(hn::SumOfLanes(Doubles(), s2));
  dots[3] = hn::GetLane(hn::SumOfLanes(Doubles(), s3));
  for (; j < n; ++j) {
    for (int k = 0; k < 4; ++k) {
      const double value = static_cast<double>(rows.x[k][j]);
      dots[k] += value * a[j];
      y[j] += rows.scale[k] * value;
    }
  }
}

/// y[0 .. count * lanes) += sum_k alpha[k] rows_k, with `count` <= 8 accumulators in registers.
template <int count, typename T>
HWY_ATTR void add_rows_panel(const T* HWY_RESTRICT X, Index stride, const Index* rows,
                             const double* alpha, Index number, double* HWY_RESTRICT y) {
  const Index lanes = static_cast<Index>(hn::Lanes(Doubles()));
  Lanes s0 = load(y), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  if constexpr (count > 1) s1 = load(y + lanes);
  if constexpr (count > 2) {
    s2 = load(y + 2 * lanes);
    s3 = load(y + 3 * lanes);
  }
  if constexpr (count > 4) {
    s4 = load(y + 4 * lanes);
    s5 = load(y + 5 * lanes);
    s6 = load(y + 6 * lanes);
    s7 = load(y + 7 * lanes);
  }
  for (Index k = 0; k < number; ++k) {
    const T* x = X + (rows == nullptr ? k : rows[k]) * stride;
    const Lanes scale = hn::Set(Doubles(), alpha[k]);
    s0 = hn::MulAdd(scale, load(x), s0);
    if constexpr (count > 1) s1 = hn::MulAdd(scale, load(x + lanes), s1);
    if constexpr (count > 2) {
      s2 = hn::MulAdd(scale, load(x + 2 * lanes), s2);
      s3 = hn::MulAdd(scale, load(x + 3 * lanes), s3);
    }
    if constexpr (count > 4) {
      s4 = hn::MulAdd(scale, load(x + 4 * lanes), s4);
      s5 = hn::MulAdd(scale, load(x + 5 * lanes), s5);
      s6 = hn::MulAdd(scale, load(x + 6 * lanes), s6);
      s7 = hn::MulAdd(scale, load(x + 7 * lanes), s7);
    }
  }
  hn::StoreU(s0, Doubles(), y);
  if constexpr (count > 1) hn::StoreU(s1, Doubles(), y + lanes);
  if constexpr (count > 2) {
    hn::StoreU(s2, Doubles(), y + 2 * lanes);
    hn::StoreU(s3, Doubles(), y + 3 * lanes);
  }
  if constexpr (count > 4) {
    hn::StoreU(s4, Doubles(), y + 4 * lanes);
    hn::StoreU(s5, Doubles(), y + 5 * lanes);
    hn::StoreU(s6, Doubles(), y + 6 * lanes);
    hn::StoreU(s7, Doubles(), y + 7 * lanes);
  }
}

/// The same for n < lanes columns, with sums in registers: one by one they would form a dependency
/// chain.
template <typename T>
void add_rows_rest(const T* HWY_RESTRICT X, Index stride, const Index* rows, const double* alpha,
                   Index number, double* HWY_RESTRICT y, Index n) {
  double sums[HWY_LANES(double)] = {};
  for (Index k = 0; k < number && n > 0; ++k) {
    const T* x = X + (rows == nullptr ? k : rows[k]) * stride;
    for (Index j = 0; j < n; ++j) sums[j] += alpha[k] * static_cast<double>(x[j]);
  }
  for (Index j = 0; j < n; ++j) y[j] += sums[j];
}

template <typename T>
HWY_ATTR void add_rows_lanes(const T* X, Index stride, const Index* rows, const double* alpha,
                             Index number, double* y, Index n) {
  const Index lanes = static_cast<Index>(hn::Lanes(Doubles()));
  Index j = 0;
  for (; j + 8 * lanes <= n; j += 8 * lanes) {
    add_rows_panel<8>(X + j, stride, rows, alpha, number, y + j);
  }
  for (; j + 4 * lanes <= n; j += 4 * lanes) {
    add_rows_panel<4>(X + j, stride, rows, alpha, number, y + j);
  }
  for (; j + 2 * lanes <= n; j += 2 * lanes) {
    add_rows_panel<2>(X + j, stride, rows, alpha, number, y + j);
  }
  for (; j + lanes <= n; j += lanes) {
    add_rows_panel<1>(X + j, stride, rows, alpha, number, y + j);
  }
  add_rows_rest(X + j, stride, rows, alpha, number, y + j, n - j);
}

void rows_f32(const float* X, Index stride, const Index* rows, const double* alpha, Index number,
              double* y, Index n) {
  add_rows_lanes(X, stride, rows, alpha, number, y, n);
}
void rows_f64(const double* X, Index stride, const Index* rows, const double* alpha, Index number,
              double* y, Index n) {
  add_rows_lanes(X, stride, rows, alpha, number, y, n);
}
HWY_ATTR ResidualRange eliminate_lanes(double scale, double* HWY_RESTRICT column,
                                       double* HWY_RESTRICT residual, Index n) {
  const Doubles lanes;
  const Index width = static_cast<Index>(hn::Lanes(lanes));
  const Lanes factor = hn::Set(lanes, scale);
  Lanes sum = hn::Zero(lanes), lowest = sum, highest = sum;
  Index i = 0;
  for (; i + width <= n; i += width) {
    const Lanes entry = hn::Mul(load(column + i), factor);
    const Lanes rest = hn::NegMulAdd(entry, entry, load(residual + i));
    hn::StoreU(entry, lanes, column + i);
    hn::StoreU(rest, lanes, residual + i);
    sum = hn::Add(sum, rest);
    lowest = hn::Min(lowest, rest);
    highest = hn::Max(highest, rest);
  }
  ResidualRange range{hn::GetLane(hn::SumOfLanes(lanes, sum)),
                      hn::GetLane(hn::MinOfLanes(lanes, lowest)),
                      hn::GetLane(hn::MaxOfLanes(lanes, highest))};
  for (; i < n; ++i) {
    column[i] *= scale;
    residual[i] -= column[i] * column[i];
    range.sum += residual[i];
    range.lowest = residual[i] < range.lowest ? residual[i] : range.lowest;
    range.highest = residual[i] > range.highest ? residual[i] : range.highest;
  }
  return range;
}

ResidualRange eliminate_f64(double scale, double* column, double* residual, Index n) {
  return eliminate_lanes(scale, column, residual, n);
}
double dot_f32(const float* x, const double* y, Index n) { return dot_lanes(x, y, n); }
double dot_f64(const double* x, const double* y, Index n) { return dot_lanes(x, y, n); }
void add_f32(double alpha, const float* x, double* y, Index n) { add_scaled_lanes(alpha, x, y, n); }
void add_f64(double alpha, const double* x, double* y, Index n) {
  add_scaled_lanes(alpha, x, y, n);
}
void four_f32(const FourRows<float>& rows, double* y, Index n) { add_four_lanes(rows, y, n); }
void four_f64(const FourRows<double>& rows, double* y, Index n) { add_four_lanes(rows, y, n); }
double round_f32(const double* x, float* y, Index n) { return round_lanes(x, y, n); }
double round_f64(const double* x, double* y, Index n) { return round_lanes(x, y, n); }
double both_f32(const float* x, const double* a, double alpha, double* y, Index n) {
  return dot_add_scaled_lanes(x, a, alpha, y, n);
}
double both_f64(const double* x, const double* a, double alpha, double* y, Index n) {
  return dot_add_scaled_lanes(x, a, alpha, y, n);
}
void both_four_f32(const FourRows<float>& rows, const double* a, double* y, double* dots, Index n) {
  dot_add_four_lanes(rows, a, y, dots, n);
}
void both_four_f64(const FourRows<double>& rows, const double* a, double* y, double* dots,
                   Index n) {
  dot_add_four_lanes(rows, a, y, dots, n);
}

}  // namespace kernmix::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kernmix::simd {

HWY_EXPORT(dot_f32);
HWY_EXPORT(dot_f64);
HWY_EXPORT(add_f32);
HWY_EXPORT(add_f64);
HWY_EXPORT(four_f32);
HWY_EXPORT(four_f64);
HWY_EXPORT(round_f32);
HWY_EXPORT(round_f64);
HWY_EXPORT(both_f32);
HWY_EXPORT(both_f64);
HWY_EXPORT(both_four_f32);
HWY_EXPORT(both_four_f64);
HWY_EXPORT(rows_f32);
HWY_EXPORT(eliminate_f64);
HWY_EXPORT(rows_f64);

double dot(const float* x, const double* y, Index n) {
  return HWY_DYNAMIC_DISPATCH(dot_f32)(x, y, n);
}
double dot(const double* x, const double* y, Index n) {
  return HWY_DYNAMIC_DISPATCH(dot_f64)(x, y, n);
}
void add_scaled(double alpha, const float* x, double* y, Index n) {
  HWY_DYNAMIC_DISPATCH(add_f32)(alpha, x, y, n);
}
void add_scaled(double alpha, const double* x, double* y, Index n) {
  HWY_DYNAMIC_DISPATCH(add_f64)(alpha, x, y, n);
}
void add_scaled(const FourRows<float>& rows, double* y, Index n) {
  HWY_DYNAMIC_DISPATCH(four_f32)(rows, y, n);
}
void add_scaled(const FourRows<double>& rows, double* y, Index n) {
  HWY_DYNAMIC_DISPATCH(four_f64)(rows, y, n);
}
double round_to(const double* x, float* y, Index n) {
  return HWY_DYNAMIC_DISPATCH(round_f32)(x, y, n);
}
double round_to(const double* x, double* y, Index n) {
  return HWY_DYNAMIC_DISPATCH(round_f64)(x, y, n);
}
double dot_add_scaled(const float* x, const double* a, double alpha, double* y, Index n) {
  return HWY_DYNAMIC_DISPATCH(both_f32)(x, a, alpha, y, n);
}
double dot_add_scaled(const double* x, const double* a, double alpha, double* y, Index n) {
  return HWY_DYNAMIC_DISPATCH(both_f64)(x, a, alpha, y, n);
}
void dot_add_scaled(const FourRows<float>& rows, const double* a, double* y, double (&dots)[4],
                    Index n) {
  HWY_DYNAMIC_DISPATCH(both_four_f32)(rows, a, y, dots, n);
}
void dot_add_scaled(const FourRows<double>& rows, const double* a, double* y, double (&dots)[4],
                    Index n) {
  HWY_DYNAMIC_DISPATCH(both_four_f64)(rows, a, y, dots, n);
}
void add_rows(const float* X, Index stride, const Index* rows, const double* alpha, Index number,
              double* y, Index n) {
  HWY_DYNAMIC_DISPATCH(rows_f32)(X, stride, rows, alpha, number, y, n);
}
void add_rows(const double* X, Index stride, const Index* rows, const double* alpha, Index number,
              double* y, Index n) {
  HWY_DYNAMIC_DISPATCH(rows_f64)(X, stride, rows, alpha, number, y, n);
}
ResidualRange eliminate(double scale, double* column, double* residual, Index n) {
  return HWY_DYNAMIC_DISPATCH(eliminate_f64)(scale, column, residual, n);
}

}  // namespace kernmix::simd
#endif
