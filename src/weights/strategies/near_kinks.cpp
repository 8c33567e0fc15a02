#include "weights/strategies/near_kinks.hpp"

#include <algorithm>
#include <cmath>

#include "svm/smo/margin.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

/// Averaging the losses may change J by this part of the outer gap.
constexpr double kPartOfGap = 0.02;
/// With less than this ratio of samples, the model of the free samples alone performs as well.
constexpr double kMore = 1.1;

/// The length of the interval in which the dual variable of each sample moves. It is infinite if
/// the interval is unbounded.
Vector widths(const DualSet& set, const QuadraticTerms& terms) {
  Vector width;
  for (std::size_t i = 0; i < terms.kink.size(); ++i) {
    const bool split = terms.kink[i] > 0.0;
    width.push_back(split ? std::max(set.upper[i], -set.lower[i]) : set.upper[i] - set.lower[i]);
  }
  return width;
}

/// The increase of the losses from averaging over delta. Only kinks contribute, since averaging
/// does not change linear pieces.
double added(const Vector& room, const Vector& width, double delta) {
  double sum = 0.0;
  for (std::size_t i = 0; i < room.size(); ++i) {
    const double inside = delta - std::max(room[i], 0.0);
    if (inside > 0.0) sum += width[i] * inside * inside / (4.0 * delta);
  }
  return sum;
}

double range_that_adds(double most, const Vector& room, const Vector& width, double largest) {
  constexpr int kHalvings = 40;
  double low = 0.0;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + largest);
    (added(room, width, middle) > most ? largest : low) = middle;
  }
  return low;
}

}  // namespace

FreeSet near_kinks(const Problem& problem, const DualSet& set, const Point& point, Index most) {
  const auto terms = quadratic_terms(problem.loss, problem.y(), problem.C());
  if (!terms) return {};
  const Vector width = widths(set, *terms);
  if (std::ranges::any_of(width, [](double w) { return !std::isfinite(w); })) return {};
  const Vector room = room_at_margin(problem, set, point.a, point.z);
  Vector sorted = room;
  std::ranges::nth_element(sorted, sorted.begin() + (most - 1));
  const double largest = std::max(sorted[static_cast<std::size_t>(most - 1)], 0.0);
  const double delta =
      range_that_adds(kPartOfGap * point.certificate.outer_gap, room, width, largest);
  FreeSet near;
  for (Index i = 0; i < length(room); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool free = std::ranges::binary_search(point.free, i);
    if (!free && !(room[at] < delta)) continue;
    near.samples.push_back(i);
    near.softness.push_back(delta / width[at]);
  }
  const double enough = kMore * static_cast<double>(point.free.size());
  return static_cast<double>(near.samples.size()) < enough ? FreeSet{} : near;
}

FreeSet with_near_kinks(const Objective& J, const Point& point) {
  constexpr double kFar = 0.3;   // above this, steps are too long for any second order model
  constexpr double kNear = 5.0;  // below this, only the kinks next to the optimum matter
  FreeSet own{point.free, {}};
  const double gap = point.certificate.relative_gap();
  const bool between = gap > kNear * J.tolerance() && gap < kFar;
  if (!between || point.products != nullptr) return own;
  // The limit is the number of free samples in the memory plan.
  const Index columns = J.problem().bank.combined(point.d)->columns();
  const Index most = std::min(J.samples(), columns < 0 ? J.samples() : 2 * columns) / 2;
  if (length(point.free) >= most) return own;
  FreeSet near = near_kinks(J.problem(), J.dual_set(), point, most);
  return near.samples.empty() ? own : near;
}

const Strategy strategy::near_kinks{
    .name = "near-kinks",
    .what = "treats samples near the kinks of the loss as free in Newton's model",
    .free = with_near_kinks};

}  // namespace kernmix
