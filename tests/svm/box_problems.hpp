#pragma once
/// \file
/// Random quadratic programs with kinks, blocks and infinite bounds, and their optimality
/// conditions from the definitions.

#include <limits>
#include <random>

#include "problems.hpp"

namespace kernmix::test {

struct OwnedBox {
  std::vector<float> K;
  Vector linear, lower, upper, kink;
  std::vector<Index> block;
  Vector totals;

  [[nodiscard]] Index n() const { return length(linear); }
  [[nodiscard]] BoxProblem view() const { return {n(), K, linear, lower, upper, kink, block}; }
  [[nodiscard]] Vector feasible(Vector a) const {
    make_feasible({lower, upper, block, totals}, a);
    return a;
  }
};

struct BoxKind {
  bool kinks;
  bool blocks;
  bool unbounded;
};

/// A Gaussian kernel, bounds around 0 of random size, some of them at 0, sums that can be held.
inline OwnedBox random_box(Index n, BoxKind kind, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  OwnedBox box;
  box.K = clouds(n, 1.0, seed).K;
  // As the losses without bounds do: their gain is strictly concave.
  for (Index k = 0; k < n && kind.unbounded; ++k) box.K[k * n + k] += 0.1F;
  const double size = std::pow(10.0, 3.0 * unit(random) - 1.5);
  const double infinity = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < n; ++k) {
    box.linear.push_back(4.0 * unit(random) - 2.0);
    box.lower.push_back(unit(random) < 0.2 ? 0.0 : -size * unit(random));
    box.upper.push_back(unit(random) < 0.2 ? 0.0 : size * unit(random));
    if (kind.unbounded && unit(random) < 0.4) box.upper.back() = infinity;
    if (kind.unbounded && unit(random) < 0.4) box.lower.back() = -infinity;
    if (kind.kinks) box.kink.push_back(unit(random) < 0.2 ? 0.0 : 0.8 * unit(random));
    box.block.push_back(kind.blocks ? k % 2 : 0);
  }
  // Totals that some point of the box has.
  box.totals.assign(kind.blocks ? 2 : 1, 0.0);
  for (Index k = 0; k < n; ++k) {
    const double low = std::max(box.lower[k], -size);
    const double high = std::min(box.upper[k], size);
    box.totals[box.block[k]] += low + unit(random) * (high - low);
  }
  return box;
}

inline double box_objective(const OwnedBox& box, ConstSpan a) {
  const Index n = box.n();
  double value = 0.0;
  for (Index i = 0; i < n; ++i) {
    double z = 0.0;
    for (Index j = 0; j < n; ++j) z += double{box.K[i * n + j]} * a[j];
    value += 0.5 * a[i] * z - box.linear[i] * a[i];
    if (!box.kink.empty()) value += box.kink[i] * std::abs(a[i]);
  }
  return value;
}

inline void box_product(const OwnedBox& box, ConstSpan a, MutableSpan z) {
  const Index n = box.n();
  for (Index i = 0; i < n; ++i) {
    z[i] = 0.0;
    for (Index j = 0; j < n; ++j) z[i] += double{box.K[i * n + j]} * a[j];
  }
}

/// How much the best pair of one block gains to first order: the definition of optimality.
inline double box_violation(const OwnedBox& box, ConstSpan a, ConstSpan z) {
  double worst = 0.0;
  for (Index i = 0; i < box.n(); ++i) {
    for (Index j = 0; j < box.n(); ++j) {
      if (i == j || box.block[i] != box.block[j]) continue;
      if (!(a[i] < box.upper[i]) || !(a[j] > box.lower[j])) continue;
      double derivative = (z[i] - box.linear[i]) - (z[j] - box.linear[j]);
      if (!box.kink.empty()) {
        derivative += a[i] >= 0.0 ? box.kink[i] : -box.kink[i];
        derivative -= a[j] > 0.0 ? box.kink[j] : -box.kink[j];
      }
      worst = std::max(worst, -derivative);
    }
  }
  return worst;
}

inline Solved solve_box(const OwnedBox& box, Vector start, SmoOptions options) {
  Solved run;
  run.a = box.feasible(std::move(start));
  run.z.resize(run.a.size());
  run.result = solve_smo(
      box.view(), [&](ConstSpan a, MutableSpan z) { box_product(box, a, z); },
      [&](ConstSpan a, ConstSpan z) { return box_violation(box, a, z); }, options, run.a, run.z,
      Context{});
  return run;
}

}  // namespace kernmix::test
