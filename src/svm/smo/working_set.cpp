#include "svm/smo/working_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "svm/smo/working_set.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstdint>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace kernmix::smo::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Gradients are double; rows, penalties and curvatures are float vectors of the same lane count.
using Doubles = hn::ScalableTag<double>;
using Floats = hn::Rebind<float, Doubles>;
using LongPositions = hn::Rebind<int64_t, Doubles>;
// Float vectors of full length, two double vectors each, for the pass that is mostly float.
using WideFloats = hn::ScalableTag<float>;
using WidePositions = hn::Rebind<int32_t, WideFloats>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The best value of each lane with its position; ties go to the lowest index at the end.
template <typename Value, typename Position>
struct LaneBest {
  Value value;
  Position position;
};

template <typename Best>
Candidate lowest_lane(const Best& best) {
  const Doubles doubles;
  const LongPositions longs;
  HWY_ALIGN double values[HWY_MAX_BYTES / sizeof(double)];
  HWY_ALIGN int64_t positions[HWY_MAX_BYTES / sizeof(int64_t)];
  hn::Store(best.value, doubles, values);
  hn::Store(best.position, longs, positions);
  Candidate lowest{-1, infinity};
  for (std::size_t lane = 0; lane < hn::Lanes(doubles); ++lane) {
    const Index position = static_cast<Index>(positions[lane]);
    if (values[lane] < lowest.gradient ||
        (values[lane] == lowest.gradient && position < lowest.index)) {
      lowest = {position, values[lane]};
    }
  }
  return lowest;
}

/// Replaces G by `update(k, G)`, vector by vector, and finds the first variable of the pair for the
/// result.
template <typename VectorUpdate, typename ScalarUpdate>
Candidate visit(const PassArrays& arrays, const VectorUpdate& update_vector,
                const ScalarUpdate& update_scalar) {
  const Doubles doubles;
  const Floats floats;
  const LongPositions longs;
  const Index lanes = static_cast<Index>(hn::Lanes(doubles));
  const Index vectorised = arrays.n - arrays.n % lanes;

  LaneBest<hn::Vec<Doubles>, hn::Vec<LongPositions>> best{hn::Set(doubles, infinity),
                                                          hn::Set(longs, -1)};
  auto position = hn::Iota(longs, 0);
  const auto advance = hn::Set(longs, static_cast<int64_t>(lanes));
  const double* const gradients = arrays.gradient;
  const float* const penalties = arrays.rise_penalty;
  for (Index k = 0; k < vectorised; k += lanes) {
    const auto gradient = update_vector(k, hn::LoadU(doubles, gradients + k));
    const auto penalty = hn::PromoteTo(doubles, hn::LoadU(floats, penalties + k));
    const auto key = hn::Add(gradient, penalty);
    const auto better = hn::Lt(key, best.value);
    best.value = hn::IfThenElse(better, key, best.value);
    best.position = hn::IfThenElse(hn::RebindMask(longs, better), position, best.position);
    position = hn::Add(position, advance);
  }
  Candidate lowest = lowest_lane(best);
  for (Index k = vectorised; k < arrays.n; ++k) {
    const double key = update_scalar(k, arrays.gradient[k]) + double{arrays.rise_penalty[k]};
    if (key < lowest.gradient) lowest = {k, key};
  }
  return lowest;
}

Candidate SelectRiser(const PassArrays& arrays) {
  return visit(
      arrays, [](Index, auto gradient) { return gradient; },
      [](Index, double gradient) { return gradient; });
}

Candidate MoveAndSelectRiser(const PassArrays& arrays, double step, const float* row_i,
                             const float* row_j) {
  const Doubles doubles;
  const Floats floats;
  const auto steps = hn::Set(doubles, step);
  double* const gradients = arrays.gradient;
  const auto move_vector = [=](Index k, auto gradient) {
    const auto entries_i = hn::PromoteTo(doubles, hn::LoadU(floats, row_i + k));
    const auto entries_j = hn::PromoteTo(doubles, hn::LoadU(floats, row_j + k));
    const auto moved = hn::MulAdd(steps, hn::Sub(entries_i, entries_j), gradient);
    hn::StoreU(moved, doubles, gradients + k);
    return moved;
  };
  const auto move_scalar = [=](Index k, double gradient) {
    return gradients[k] = gradient + step * (double{row_i[k]} - double{row_j[k]});
  };
  return visit(arrays, move_vector, move_scalar);
}

/// The best partner so far with its gain, and the largest difference of all.
struct BestFaller {
  float gain = 0.0F;
  float difference = 0.0F;
  Index index = -1;

  void consider(float other_gain, float other_difference, Index other_index) {
    if (other_gain > gain || (other_gain == gain && gain > 0.0F && other_index < index)) {
      gain = other_gain;
      index = other_index;
    }
    if (other_difference > difference) difference = other_difference;
  }
};

/// The partner by the first-order rule, for gains that underflow in single precision.
Index largest_gradient(const PassArrays& arrays) {
  Index largest = -1;
  for (Index k = 0; k < arrays.n; ++k) {
    if (arrays.fall_penalty[k] < 0.0F) continue;
    if (largest < 0 || arrays.gradient[k] > arrays.gradient[largest]) largest = k;
  }
  return largest;
}

/// G[k ..] - reference as one float vector; on targets with vectors from two double vectors.
HWY_INLINE hn::Vec<WideFloats> differences_at(const double* gradient, Index k,
                                              hn::Vec<Doubles> reference) {
  const WideFloats floats;
  const Doubles doubles;
#if HWY_TARGET == HWY_SCALAR
  return hn::DemoteTo(floats, hn::Sub(hn::LoadU(doubles, gradient + k), reference));
#else
  const hn::Half<WideFloats> half;
  const Index lanes = static_cast<Index>(hn::Lanes(doubles));
  const auto low = hn::Sub(hn::LoadU(doubles, gradient + k), reference);
  const auto high = hn::Sub(hn::LoadU(doubles, gradient + k + lanes), reference);
  return hn::Combine(floats, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
#endif
}

/// Gains only rank candidates, so single precision suffices after the difference, which is computed
/// in double precision.
Partner SelectFaller(const PassArrays& arrays, const Candidate& riser, const float* row) {
  const WideFloats floats;
  const WidePositions integers;
  const Index lanes = static_cast<Index>(hn::Lanes(floats));
  const Index vectorised = arrays.n - arrays.n % lanes;
  const float K_ii = arrays.diagonal[riser.index];

  const auto reference = hn::Set(Doubles(), riser.gradient);
  const auto diagonal_i = hn::Set(floats, K_ii);
  const auto zero = hn::Zero(floats);
  const auto two = hn::Set(floats, 2.0F);
  const auto resolution = hn::Set(floats, 0x1p-24F);
  const auto least = hn::Set(floats, 1e-30F);
  auto best_gain = zero;
  auto largest = zero;
  auto best_position = hn::Set(integers, -1);
  auto position = hn::Iota(integers, 0);
  const auto advance = hn::Set(integers, static_cast<int32_t>(lanes));
  const double* const gradient = arrays.gradient;
  const float* const penalty = arrays.fall_penalty;
  const float* const diagonal = arrays.diagonal;
  for (Index k = 0; k < vectorised; k += lanes) {
    const auto above = differences_at(gradient, k, reference);
    const auto difference = hn::Max(hn::Add(above, hn::LoadU(floats, penalty + k)), zero);
    const auto diagonals = hn::Add(diagonal_i, hn::LoadU(floats, diagonal + k));
    const auto curvature = hn::Max(hn::NegMulAdd(two, hn::LoadU(floats, row + k), diagonals),
                                   hn::MulAdd(resolution, diagonals, least));
    const auto gain = hn::Div(hn::Mul(difference, difference), curvature);
    const auto better = hn::Gt(gain, best_gain);
    largest = hn::Max(largest, difference);
    best_gain = hn::Max(best_gain, gain);
    best_position = hn::IfThenElse(hn::RebindMask(integers, better), position, best_position);
    position = hn::Add(position, advance);
  }

  HWY_ALIGN float gains[HWY_MAX_BYTES / sizeof(float)];
  HWY_ALIGN float differences[HWY_MAX_BYTES / sizeof(float)];
  HWY_ALIGN int32_t positions[HWY_MAX_BYTES / sizeof(int32_t)];
  hn::Store(best_gain, floats, gains);
  hn::Store(largest, floats, differences);
  hn::Store(best_position, integers, positions);
  BestFaller best;
  for (Index lane = 0; lane < lanes; ++lane) {
    best.consider(gains[lane], differences[lane], Index{positions[lane]});
  }
  for (Index k = vectorised; k < arrays.n; ++k) {
    const float above = static_cast<float>(arrays.gradient[k] - riser.gradient);
    const float difference = std::fmax(above + arrays.fall_penalty[k], 0.0F);
    const float diagonals = K_ii + arrays.diagonal[k];
    const float curvature = std::fmax(diagonals - 2.0F * row[k], 0x1p-24F * diagonals + 1e-30F);
    best.consider(difference * difference / curvature, difference, k);
  }
  if (best.index < 0 && best.difference > 0.0F) best.index = largest_gradient(arrays);
  return {best.index, double{best.difference}, best.gain};
}

void AddRow(double scale, const float* row, double* target, Index n) {
  const Doubles doubles;
  const Floats floats;
  const Index lanes = static_cast<Index>(hn::Lanes(doubles));
  const Index vectorised = n - n % lanes;
  const auto scales = hn::Set(doubles, scale);
  for (Index k = 0; k < vectorised; k += lanes) {
    const auto entries = hn::PromoteTo(doubles, hn::LoadU(floats, row + k));
    hn::StoreU(hn::MulAdd(scales, entries, hn::LoadU(doubles, target + k)), doubles, target + k);
  }
  for (Index k = vectorised; k < n; ++k) target[k] += scale * double{row[k]};
}

}  // namespace kernmix::smo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kernmix::smo {

HWY_EXPORT(SelectRiser);
HWY_EXPORT(SelectFaller);
HWY_EXPORT(MoveAndSelectRiser);
HWY_EXPORT(AddRow);

Candidate select_riser(const PassArrays& arrays) {
  return HWY_DYNAMIC_DISPATCH(SelectRiser)(arrays);
}

Partner select_faller(const PassArrays& arrays, Candidate riser, const float* row) {
  return HWY_DYNAMIC_DISPATCH(SelectFaller)(arrays, riser, row);
}

Candidate move_and_select_riser(const PassArrays& arrays, double step, const float* row_i,
                                const float* row_j) {
  return HWY_DYNAMIC_DISPATCH(MoveAndSelectRiser)(arrays, step, row_i, row_j);
}

void add_row(double scale, const float* row, double* target, Index n) {
  HWY_DYNAMIC_DISPATCH(AddRow)(scale, row, target, n);
}

}  // namespace kernmix::smo
#endif
