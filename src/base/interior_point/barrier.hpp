#pragma once
/// \file
/// Bounds of a vector x in a primal-dual interior point method: distances and multipliers, whose
/// products all go to zero together.

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

  /// \param slope  of the objective in x, which the multipliers should balance
  void start(const Array& x, const Array& slope, double mu);

  /// Newton's equation for multiplier * distance = mu, less the part of a step in x that
  /// stiffness() times the step is.
  [[nodiscard]] Array pull(double mu) const;
  [[nodiscard]] Array stiffness() const;
  /// What the multipliers add to the slope of the Lagrangian.
  [[nodiscard]] Array slope() const;

  /// Takes note of a step in x that was found with pull(mu).
  void choose(const Array& x_step, double mu);
  /// Makes pull() and choose() allow for the product of the two steps (Mehrotra 1992).
  void correct(double share);

  /// Makes pull() and choose() bring products that a step of this length leaves far from mu back
  /// towards it (Gondzio, Comput. Optim. Appl. 6, 1996).
  void centre(double length, double mu);

  /// The longest multiples of the step that keep the distances positive, and the multipliers.
  [[nodiscard]] StepLengths longest() const;
  [[nodiscard]] double products(double length = 0.0) const;
  [[nodiscard]] double count() const;
  /// Sum of the squares of what the products differ from mu by.
  [[nodiscard]] double miss(double mu) const;

  void step(const Array& x, double length);

  /// Leaves only these entries, in this order.
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

/// Of all bounds of a program: the longest multiple of the chosen step that keeps distances and
/// multipliers positive, at most 1 and a hundredth short of the nearest bound for inner_step().
[[nodiscard]] StepLengths longest_step(std::span<Barrier* const> barriers);
[[nodiscard]] StepLengths inner_step(std::span<Barrier* const> barriers);
/// The sum of the products after a part of the step, and how many there are.
[[nodiscard]] double products(std::span<Barrier* const> barriers, double length = 0.0);
[[nodiscard]] double count(std::span<Barrier* const> barriers);

}  // namespace kernmix
