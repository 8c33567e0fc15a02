#include "weights/primal_dual/barrier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kernmix {

Barrier::Barrier(Array bound, double sign)
    : bound_(std::move(bound)), sign_(sign), finite_(bound_.isFinite().cast<double>()) {}

void Barrier::start(const Array& x, const Array& slope, double mu) {
  move_to(x);
  multiplier_ = finite_ * (mu / distance_).max(sign_ * slope);
}

Barrier::Array Barrier::pull(double mu) const { return sign_ * target(mu); }

Barrier::Array Barrier::stiffness() const { return multiplier_ / distance_; }

Barrier::Array Barrier::slope() const { return -sign_ * multiplier_; }

void Barrier::choose(const Array& x_step, double mu) {
  distance_step_ = finite_ * sign_ * x_step;
  multiplier_step_ = target(mu) - stiffness() * distance_step_;
}

void Barrier::correct(double share) { correction_ = share * distance_step_ * multiplier_step_; }

void Barrier::centre(double length, double mu) {
  constexpr double kFar = 10.0;
  const Array reached = products_at(length);
  const Array change = reached.max(mu / kFar).min(kFar * mu) - reached;
  correction_ -= finite_ * change.max(-kFar * mu);
}

double Barrier::longest() const {
  const double shrink = std::max((-distance_step_ / distance_).maxCoeff(),
                                 (-multiplier_step_ / multiplier_.max(1e-300)).maxCoeff());
  return shrink > 0.0 ? 1.0 / shrink : std::numeric_limits<double>::infinity();
}

double Barrier::products(double length) const {
  if (length == 0.0) return (distance_ * multiplier_).sum();
  return products_at(length).sum();
}

double Barrier::count() const { return finite_.sum(); }

void Barrier::step(const Array& x, double length) {
  multiplier_ += length * multiplier_step_;
  move_to(x);
  correction_.resize(0);
}

void Barrier::keep(const std::vector<Index>& entries) {
  for (Array* values : {&bound_, &finite_, &distance_, &multiplier_}) {
    *values = Array((*values)(entries));
  }
}

void Barrier::append(double bound, double distance, double multiplier) {
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

Barrier::Array Barrier::products_at(double length) const {
  return (distance_ + length * distance_step_) * (multiplier_ + length * multiplier_step_);
}

void Barrier::move_to(const Array& x) {
  distance_ = (finite_ > 0.0).select(sign_ * (x - bound_), 1.0);
}

Barrier::Array Barrier::target(double mu) const {
  Array products = mu * finite_;
  if (correction_.size() > 0) products -= correction_;
  return products / distance_ - multiplier_;
}

}  // namespace kernmix
