/// \file
/// SMO on the samples W near the margin, where z0 = K(d) a0 is known and all others keep their a0:
///
///   min  1/2 a_W' K_WW a_W - (linear_W - r)' a_W + sum kink |a|,   r = z0_W - K_WW a0_W,
///
/// in the box and with the sums that a0 has there; K being the kernel of dual_smo.hpp.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "svm/smo/dual_smo.hpp"
#include "svm/smo/margin.hpp"
#include "svm/smo/row_sums.hpp"

namespace kernmix {
namespace {

/// The numbers of the `count` smallest values, ascending.
std::vector<Index> places_of_smallest(const Vector& values, Index count) {
  std::vector<Index> places(values.size());
  std::iota(places.begin(), places.end(), Index{0});
  std::ranges::nth_element(places, places.begin() + count, {}, [&](Index i) {
    return std::pair(values[static_cast<std::size_t>(i)], i);
  });
  places.resize(static_cast<std::size_t>(count));
  std::ranges::sort(places);
  return places;
}

/// values at `places`, and what follows the first n of them: the slack variable.
Vector picked(const Vector& values, const std::vector<Index>& places, std::size_t n) {
  Vector some;
  if (values.empty()) return some;
  for (const Index i : places) some.push_back(values[static_cast<std::size_t>(i)]);
  some.insert(some.end(), values.begin() + static_cast<Index>(n), values.end());
  return some;
}

}  // namespace

std::vector<Index> DualSmo::near_margin(const KnownProduct& known, ConstSpan start) const {
  constexpr double kMore = 1.25;  // as weights change, others come to the margin
  constexpr double kMost = 0.5;   // with more, all samples take about as long
  const std::size_t n = start.size();
  Vector room = room_at_margin(problem_, set_, known);
  for (std::size_t i = 0; i < n; ++i) {
    if (start[i] != known.a[i]) room[i] = 0.0;
  }
  const auto needed = std::ranges::count_if(room, [](double value) { return value <= 0.0; });
  const auto count = static_cast<Index>(kMore * static_cast<double>(needed));
  if (static_cast<double>(count) > kMost * static_cast<double>(n)) return {};
  return places_of_smallest(room, count);
}

void DualSmo::combine_part(ConstSpan d, std::vector<Index> samples, const Context& context) {
  part_ = std::move(samples);
  problem_.bank.combine_part(d, part_, K_.first(part_.size() * part_.size()), context);
  finish_kernel();
}

InnerResult DualSmo::solve_part(const KnownProduct& known, const InnerGap& gap, double gap_target,
                                MutableSpan a, MutableSpan z, const Context& context) {
  const std::size_t n = a.size();
  const std::size_t count = part_.size();
  const auto sample = [&](std::size_t k) { return static_cast<std::size_t>(part_[k]); };
  const auto size = static_cast<std::size_t>(this->size());
  const std::span<const float> K = K_.first(size * size);
  const auto sum_of = [](ConstSpan at) { return std::accumulate(at.begin(), at.end(), 0.0); };
  const ExactProduct product = [&](ConstSpan at, MutableSpan out) {
    std::ranges::fill(out, 0.0);
    add_row_sums(K, at, out, context);
  };
  Vector before = picked(Vector(known.a.begin(), known.a.end()), part_, n);
  Vector variables = picked(Vector(a.begin(), a.end()), part_, n);
  if (slack_) {
    before.push_back(-sum_of(known.a));
    variables.push_back(-sum_of(a));
  }
  Vector own(size);  // the products of `before` on these samples
  product(before, own);
  Vector linear = picked(linear_, part_, n);
  const double sum = sum_of(known.a);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = sample(k);
    linear[k] += own[k] - (known.z[i] + constant_ * sum + diagonal_[i] * before[k]);
  }
  const auto keep = [&](ConstSpan at, ConstSpan out) {
    const double change =
        constant_ * (sum_of(at.first(count)) - sum_of(ConstSpan(before).first(count)));
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = sample(k);
      a[i] = at[k];
      z[i] = known.z[i] + (out[k] - own[k]) - change - diagonal_[i] * (at[k] - before[k]);
    }
  };
  const InnerGap whole_gap = [&](ConstSpan at, ConstSpan out) {
    keep(at, out);
    return gap(a, z);
  };
  const Vector lower = picked(lower_, part_, n);
  const Vector upper = picked(upper_, part_, n);
  const Vector kink = picked(kink_, part_, n);
  std::vector<Index> block;
  for (const Index i : part_) {
    if (!block_.empty()) block.push_back(block_[static_cast<std::size_t>(i)]);
  }
  const BoxProblem box{this->size(), K, linear, lower, upper, kink, block};
  Vector products(size, 0.0);
  const SmoResult result =
      solve_smo(box, product, whole_gap, smo_options(gap_target), variables, products, context);
  keep(variables, products);
  return {result.gap, result.iterations, false};
}

}  // namespace kernmix
