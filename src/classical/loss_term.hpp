#pragma once
/// \file
/// The loss in the augmented Lagrangian of the dual: -gain(a), or the Moreau envelope of it where
/// it has kinks (docs/reference/solvers/spicy.md).
///
///   e(a) = min_{v in box} { -gain(v) + (gamma / 2) ||v - p||^2 },   p = a + zeta / gamma
///   e'(a) = gamma (p - v),   e''(a) = gamma (1 - dv/dp)
///
/// The envelope is finite for every a; v is the dual vector that stays in the box.

#include <optional>

#include "kernmix/problem.hpp"

namespace kernmix {

class LossTerm {
 public:
  /// \param box  of the dual vector; both must outlive this
  LossTerm(const Problem& problem, const DualSet& box);

  /// The centre of the box, or 0 where it is unbounded or the term is an envelope.
  [[nodiscard]] Vector start() const;
  [[nodiscard]] double value(ConstSpan a) const;
  [[nodiscard]] Vector slope(ConstSpan a) const;
  [[nodiscard]] Vector curvature(ConstSpan a) const;
  /// An addition to the curvature, for a gradient of phi whose largest entry is `gradient`: an
  /// envelope has none for samples inside the box, and Newton's step must end near the box.
  [[nodiscard]] double ridge(double gradient) const;
  /// The longest t <= 1 for which the term is finite at a + t step.
  [[nodiscard]] double longest_step(ConstSpan a, ConstSpan step) const;
  /// v, or `a` itself where the term is no envelope.
  [[nodiscard]] Vector in_box(ConstSpan a) const;

  /// ||change of zeta||^2 / (2 gamma), if zeta moved now.
  [[nodiscard]] double move(ConstSpan a) const;
  /// zeta <- gamma (p - v)
  void update_multipliers(ConstSpan a);
  void scale_penalty(double factor) { gamma_ *= factor; }

 private:
  /// p and v of one sample.
  struct Proximal {
    double p;
    double v;
    double slope;  ///< dv/dp
  };
  [[nodiscard]] Proximal proximal(std::size_t i, double a) const;

  const Problem& problem_;
  const DualSet& box_;
  std::optional<QuadraticTerms> kinked_;  ///< -gain in the box; nothing where it is smooth
  double unit_;                           ///< 1 / C, the unit of z / a
  double gamma_;
  Vector zeta_;
};

}  // namespace kernmix
