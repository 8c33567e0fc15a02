#include "loss/crammer_singer.hpp"

#include <algorithm>
#include <functional>

namespace kernmix {
namespace {

/// 1 - [u = y] + f_u.
double loss_augmented(ConstSpan f, std::size_t u, std::size_t y) {
  return f[u] + (u == y ? 0.0 : 1.0);
}

double largest_augmented(ConstSpan f, std::size_t y) {
  double largest = f[y];
  for (std::size_t u = 0; u < f.size(); ++u) largest = std::max(largest, loss_augmented(f, u, y));
  return largest;
}

}  // namespace

double crammer_singer_loss(ConstSpan f, Index y, double C) {
  const auto label = static_cast<std::size_t>(y);
  return C * (largest_augmented(f, label) - f[label]);
}

double crammer_singer_gap(ConstSpan f, ConstSpan a, Index y, double C) {
  const auto label = static_cast<std::size_t>(y);
  const double largest = largest_augmented(f, label);
  double gap = 0.0;
  for (std::size_t u = 0; u < f.size(); ++u) {
    const double p = u == label ? C - a[u] : -a[u];
    gap += std::max(p, 0.0) * (largest - loss_augmented(f, u, label));
  }
  return gap;
}

void clip_to_dual(MutableSpan a, Index y, double C) {
  const auto label = static_cast<std::size_t>(y);
  double others = 0.0;
  for (std::size_t u = 0; u < a.size(); ++u) {
    if (u == label) continue;
    a[u] = std::min(a[u], 0.0);
    others += a[u];
  }
  const double factor = -others > C ? C / -others : 1.0;
  for (double& value : a) value *= factor;
  a[label] = std::min(-others * factor, C);
}

void project_onto_dual(MutableSpan a, Index y, double C, Vector& scratch) {
  // p = C e_y - a on the simplex of sum C: p_u = max(w_u - level, 0).
  const auto label = static_cast<std::size_t>(y);
  scratch.resize(a.size());
  for (std::size_t u = 0; u < a.size(); ++u) scratch[u] = (u == label ? C : 0.0) - a[u];
  for (std::size_t u = 0; u < a.size(); ++u) a[u] = scratch[u];
  std::ranges::sort(scratch, std::greater<>());
  double sum = 0.0;
  double level = 0.0;
  for (std::size_t k = 0; k < scratch.size(); ++k) {
    sum += scratch[k];
    const double candidate = (sum - C) / static_cast<double>(k + 1);
    if (scratch[k] <= candidate) break;
    level = candidate;
  }
  double others = 0.0;
  for (std::size_t u = 0; u < a.size(); ++u) {
    if (u == label) continue;
    a[u] = -std::max(a[u] - level, 0.0);
    others += a[u];
  }
  const double own = a[label] - level;  // C - a_y, or 0 where that is not positive
  a[label] = -others;
  // At the bound the rounded sum may exceed C.
  if (own > 0.0 && a[label] <= C) return;
  if (others == 0.0) return;
  const double factor = C / -others;
  for (std::size_t u = 0; u < a.size(); ++u) a[u] = u == label ? C : a[u] * factor;
}

}  // namespace kernmix
