#include "kernmix/loss/feasible.hpp"

#include <algorithm>
#include <cmath>

namespace kernmix {
namespace {

/// Moves the samples of one block towards the total, first by scaling down the sign that is too
/// large, then by moving all of them the same part of their way to a bound.
class HeldSum {
 public:
  HeldSum(const DualSet& set, Index number, MutableSpan a) : set_(set), number_(number), a_(a) {}

  void bring_to(double total) {
    double positive = 0.0;
    double negative = 0.0;
    each([&](std::size_t i) { (a_[i] > 0.0 ? positive : negative) += a_[i]; });
    if (positive + negative == total) return;
    const double kept = positive + negative > total
                            ? std::clamp((total - negative) / positive, 0.0, 1.0)
                            : std::clamp((total - positive) / negative, 0.0, 1.0);
    const bool fall = positive + negative > total;
    each([&](std::size_t i) {
      if (fall == (a_[i] > 0.0) && a_[i] != 0.0) {
        a_[i] = std::clamp(kept * a_[i], set_.lower[i], set_.upper[i]);
      }
    });
    move_to_bounds(total);
  }

 private:
  void move_to_bounds(double total) {
    double sum = 0.0;
    double size = std::abs(total);
    each([&](std::size_t i) {
      sum += a_[i];
      size += std::abs(a_[i]);
    });
    const double missing = total - sum;
    // What scaling left behind is rounding, unless a bound away from zero has to give way.
    if (std::abs(missing) <= 1e-12 * size) return;
    const Vector& bounds = missing > 0.0 ? set_.upper : set_.lower;
    double room = 0.0;
    each([&](std::size_t i) { room += bounds[i] - a_[i]; });
    if (!std::isfinite(room) || room == 0.0) return;
    const double part = std::clamp(missing / room, 0.0, 1.0);
    each([&](std::size_t i) {
      const double moved = a_[i] + part * (bounds[i] - a_[i]);
      a_[i] = std::clamp(moved, set_.lower[i], set_.upper[i]);
    });
  }

  template <typename Visit>
  void each(Visit visit) {
    for (std::size_t i = 0; i < a_.size(); ++i) {
      if (set_.block[i] == number_) visit(i);
    }
  }

  const DualSet& set_;
  Index number_;
  MutableSpan a_;
};

}  // namespace

void make_feasible(const DualSet& set, MutableSpan a) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::clamp(a[i], set.lower[i], set.upper[i]);
  for (std::size_t c = 0; c < set.totals.size(); ++c) {
    HeldSum(set, static_cast<Index>(c), a).bring_to(set.totals[c]);
  }
}

}  // namespace kernmix
