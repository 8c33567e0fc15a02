#include <algorithm>
#include <cmath>

#include "kernmix/loss.hpp"

namespace kernmix {
namespace {

/// Moves the variables of one block towards the total: first the sign with too large a sum is
/// scaled down, then all variables move by the same fraction of their distance to a bound, or
/// unbounded ones by the same amount.
class HeldSum {
 public:
  HeldSum(const DualSet& set, Index number, MutableSpan a) : set_(set), number_(number), a_(a) {}

  void bring_to(double total) {
    double positive = 0.0;
    double negative = 0.0;
    each([&](std::size_t i) { (a_[i] > 0.0 ? positive : negative) += a_[i]; });
    // A sum that is correct up to rounding is kept: scaling would move variables off their bounds.
    constexpr double rounding = 1e-13;
    const double missing = total - positive - negative;
    if (std::abs(missing) <= rounding * (positive - negative + std::abs(total))) return;
    const bool fall = missing < 0.0;
    const double kept =
        std::clamp(fall ? (total - negative) / positive : (total - positive) / negative, 0.0, 1.0);
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
    // The rest after scaling is rounding, except with bounds away from zero.
    if (std::abs(missing) <= 1e-12 * size) return;
    const Vector& bounds = missing > 0.0 ? set_.upper : set_.lower;
    double room = 0.0;
    double unbounded = 0.0;
    each([&](std::size_t i) {
      if (std::isfinite(bounds[i])) {
        room += bounds[i] - a_[i];
      } else {
        unbounded += 1.0;
      }
    });
    const double part = room != 0.0 ? std::clamp(missing / room, 0.0, 1.0) : 0.0;
    each([&](std::size_t i) {
      double moved = a_[i];
      if (unbounded == 0.0) moved += part * (bounds[i] - a_[i]);
      if (!std::isfinite(bounds[i])) moved += missing / unbounded;
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
