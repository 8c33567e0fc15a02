#pragma once
/// \file
/// Bounds of a vector x in a primal-dual interior point method: distances and multipliers, whose
/// products all go to zero together.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "linear_algebra.hpp"

namespace kernmix {

/// x >= bound where `sign` is 1, x <= bound where it is -1. Entries with an infinite bound have
/// none.
class Barrier {
 public:
  using Array = Eigen::ArrayXd;

  Barrier(Array bound, double sign)
      : bound_(std::move(bound)), sign_(sign), finite_(bound_.isFinite().cast<double>()) {}

  /// \param slope  of the objective in x, which the multipliers should balance
  void start(const Array& x, const Array& slope, double mu) {
    move_to(x);
    multiplier_ = finite_ * (mu / distance_).max(sign_ * slope);
  }

  /// Newton's equation for multiplier * distance = mu, less the part of a step in x that
  /// stiffness() times the step is.
  [[nodiscard]] Array pull(double mu) const { return sign_ * target(mu); }
  [[nodiscard]] Array stiffness() const { return multiplier_ / distance_; }
  /// What the multipliers add to the slope of the Lagrangian.
  [[nodiscard]] Array slope() const { return -sign_ * multiplier_; }

  /// Takes note of a step in x that was found with pull(mu).
  void choose(const Array& x_step, double mu) {
    distance_step_ = finite_ * sign_ * x_step;
    multiplier_step_ = target(mu) - stiffness() * distance_step_;
  }
  /// Makes pull() and choose() allow for the product of the two steps (Mehrotra 1992).
  void correct(double share) { correction_ = share * distance_step_ * multiplier_step_; }

  /// Makes pull() and choose() bring products that a step of this length leaves far from mu back
  /// towards it (Gondzio, Comput. Optim. Appl. 6, 1996).
  void centre(double length, double mu) {
    constexpr double kFar = 10.0;
    const Array reached = products_at(length);
    const Array change = reached.max(mu / kFar).min(kFar * mu) - reached;
    correction_ -= finite_ * change.max(-kFar * mu);
  }

  /// The longest multiple of the step that keeps both positive.
  [[nodiscard]] double longest() const {
    const double shrink = std::max((-distance_step_ / distance_).maxCoeff(),
                                   (-multiplier_step_ / multiplier_.max(1e-300)).maxCoeff());
    return shrink > 0.0 ? 1.0 / shrink : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double products(double length = 0.0) const {
    if (length == 0.0) return (distance_ * multiplier_).sum();
    return products_at(length).sum();
  }
  [[nodiscard]] double count() const { return finite_.sum(); }

  void step(const Array& x, double length) {
    multiplier_ += length * multiplier_step_;
    move_to(x);
    correction_.resize(0);
  }

  /// Leaves only these entries, in this order.
  void keep(const std::vector<Index>& entries) {
    for (Array* values : {&bound_, &finite_, &distance_, &multiplier_}) {
      *values = Array((*values)(entries));
    }
  }
  /// One more entry, at this distance from its bound.
  void append(double bound, double distance, double multiplier) {
    const auto add = [](Array& values, double value) {
      values.conservativeResize(values.size() + 1);
      values[values.size() - 1] = value;
    };
    const bool finite = std::isfinite(bound);
    add(bound_, bound);
    add(finite_, finite ? 1.0 : 0.0);
    add(distance_, finite ? distance : 1.0);
    add(multiplier_, finite ? multiplier : 0.0);
  }

  [[nodiscard]] const Array& distance() const { return distance_; }
  [[nodiscard]] const Array& multiplier() const { return multiplier_; }

 private:
  [[nodiscard]] Array products_at(double length) const {
    return (distance_ + length * distance_step_) * (multiplier_ + length * multiplier_step_);
  }
  void move_to(const Array& x) { distance_ = (finite_ > 0.0).select(sign_ * (x - bound_), 1.0); }
  [[nodiscard]] Array target(double mu) const {
    Array products = mu * finite_;
    if (correction_.size() > 0) products -= correction_;
    return products / distance_ - multiplier_;
  }

  Array bound_;
  double sign_;
  Array finite_;  ///< 1 where there is a bound, else 0
  Array distance_, multiplier_;
  Array distance_step_, multiplier_step_;
  Array correction_;
};

}  // namespace kernmix
