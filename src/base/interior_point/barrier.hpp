#pragma once
/// \file
/// Bounds of a vector x in a primal-dual interior point method: distances and multipliers, whose
/// products tend to zero at the same rate.

#include <algorithm>
#include <span>
#include <vector>

#include "base/linear_algebra.hpp"

namespace kernmix {

/// Parts of a step in the variables and in the multipliers.
struct StepLengths {
  double primal;
  double dual;

  [[nodiscard]] double shorter() const { return std::min(primal, dual); }
};

/// x >= bound where `sign` is 1, x <= bound where it is -1. Entries with an infinite bound have
/// none.
class Barrier {
 public:
  using Array = Eigen::ArrayXd;

  Barrier(Array bound, double sign);

  /// \param slope gradient of the objective, which the multipliers should balance
  void start(const Array& x, const Array& slope, double mu);

  /// Right side of Newton's equation for multiplier * distance = mu; its part proportional to the
  /// step is stiffness() times the step.
  [[nodiscard]] Array pull(double mu) const;
  [[nodiscard]] Array stiffness() const;
  /// Contribution of the multipliers to the gradient of the Lagrangian.
  [[nodiscard]] Array slope() const;

  /// Stores a step in x that was computed with pull(mu).
  void choose(const Array& x_step, double mu);
  /// Makes pull() and choose() allow for the product of the two steps (Mehrotra 1992).
  void correct(double share);

  /// Makes pull() and choose() correct products that are far from mu after a step of this length
  /// (Gondzio, Comput. Optim. Appl. 6, 1996).
  void centre(double length, double mu);

  /// The longest multiples of the step that keep the distances, and the multipliers, positive.
  [[nodiscard]] StepLengths longest() const;
  [[nodiscard]] double products(double length = 0.0) const;
  [[nodiscard]] double count() const;
  /// Sum of squared differences between the products and mu.
  [[nodiscard]] double miss(double mu) const;

  void step(const Array& x, double length);

  /// Keeps only these entries, in this order.
  void keep(const std::vector<Index>& entries);
  /// One more entry, at this distance from its bound.
  void append(double bound, double distance, double multiplier);

  [[nodiscard]] const Array& distance() const { return distance_; }
  [[nodiscard]] const Array& multiplier() const { return multiplier_; }

 private:
  [[nodiscard]] Array products_at(double length) const;
  void move_to(const Array& x);
  [[nodiscard]] Array target(double mu) const;

  Array bound_;
  double sign_;
  Array finite_;  ///< 1 where there is a bound, else 0
  Array distance_, multiplier_;
  Array distance_step_, multiplier_step_;
  Array correction_;
};

/// The longest multiple, at most 1, of the chosen step that keeps the distances and multipliers of
/// all bounds positive; 1 % short of the nearest bound for inner_step().
[[nodiscard]] StepLengths longest_step(std::span<Barrier* const> barriers);
[[nodiscard]] StepLengths inner_step(std::span<Barrier* const> barriers);
/// The sum of the products after a part of the step, and their number.
[[nodiscard]] double products(std::span<Barrier* const> barriers, double length = 0.0);
[[nodiscard]] double count(std::span<Barrier* const> barriers);

}  // namespace kernmix
