#include "base/interior_point/barrier.hpp"

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

StepLengths Barrier::longest() const {
  const auto longest_for = [](const Array& values, const Array& step) {
    const double shrink = values.size() > 0 ? (-step / values.max(1e-300)).maxCoeff() : 0.0;
    return shrink > 0.0 ? 1.0 / shrink : std::numeric_limits<double>::infinity();
  };
  return {longest_for(distance_, distance_step_), longest_for(multiplier_, multiplier_step_)};
}

double Barrier::products(double length) const {
  if (length == 0.0) return (distance_ * multiplier_).sum();
  return products_at(length).sum();
}

double Barrier::count() const { return finite_.sum(); }

double Barrier::miss(double mu) const {
  return (finite_ * (distance_ * multiplier_ - mu)).square().sum();
}

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

StepLengths longest_step(std::span<Barrier* const> barriers) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  StepLengths all{kNone, kNone};
  for (const Barrier* barrier : barriers) {
    const StepLengths own = barrier->longest();
    all = {std::min(all.primal, own.primal), std::min(all.dual, own.dual)};
  }
  return all;
}

StepLengths inner_step(std::span<Barrier* const> barriers) {
  constexpr double kMargin = 0.99;
  const StepLengths longest = longest_step(barriers);
  return {std::min(1.0, kMargin * longest.primal), std::min(1.0, kMargin * longest.dual)};
}

double products(std::span<Barrier* const> barriers, double length) {
  double sum = 0.0;
  for (const Barrier* barrier : barriers) sum += barrier->products(length);
  return sum;
}

double count(std::span<Barrier* const> barriers) {
  double sum = 0.0;
  for (const Barrier* barrier : barriers) sum += barrier->count();
  return sum;
}

}  // namespace kernmix
