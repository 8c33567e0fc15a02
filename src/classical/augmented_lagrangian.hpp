#pragma once
/// \file
/// The augmented Lagrangian of the dual and one Newton step on it
/// (docs/reference/solvers/spicy.md).
///
///   phi(a) = -gain(a) + max_s { w's - ||s||^2 / (2 gamma) - Omega(s) } + b 1'a + gamma_b/2 (1'a)^2
///   w_m = ||p_m||_{K_m},   p_m = a + c_m / gamma,   s = prox_{gamma Omega}(gamma w)

#include <functional>

#include "regularizer/prox_slope.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// The functions of a regularizer that the method needs.
struct NormProx {
  std::function<void(double gamma, ConstSpan x, MutableSpan s)> prox;
  std::function<ProxSlope(double gamma, ConstSpan s)> slope;
  std::function<void(ConstSpan s, MutableSpan d)> best_weights;
};

/// Keeps the dual vector a, the multipliers c_m (the coefficients of f_m) and b.
class AugmentedLagrangian {
 public:
  /// a starts at the centre of its box, or at 0; c = 0, b = 0.
  AugmentedLagrangian(const NormProx& norm, double gamma, Objective& run);

  /// One Newton step with backtracking. Returns half its decrement, about phi(a) - min phi before
  /// the step; 0 if no step decreases phi.
  double newton_step();
  /// Size of the next update of the multipliers: sum ||change of c_m||_{K_m}^2 / (2 gamma) and
  /// (change of b)^2 / (2 gamma_b). Newton's steps need an accuracy of a fraction of this.
  [[nodiscard]] double move() const;
  /// c_m <- s_m / w_m p_m and b <- b + gamma_b 1'a, then the penalties are multiplied by `factor`.
  void update_multipliers(double factor);

  [[nodiscard]] const Vector& a() const { return a_; }
  /// The optimal weights for the norms s of the functions: at an optimal a, f_m = d_m K_m a.
  [[nodiscard]] Vector weights() const;

 private:
  /// phi and its parts for the dual vector with these forms.
  struct Level {
    double value = 0.0;
    Vector w;
    Vector s;
  };

  /// \param q a'K_m a, cross a'K_m c_m, for all kernels
  [[nodiscard]] Level level(ConstSpan a, ConstSpan q, ConstSpan cross) const;
  void refresh();
  /// K_m p_m for the kernels with s_m > 0, |active| x n.
  [[nodiscard]] Matrix images(const std::vector<Index>& active) const;
  [[nodiscard]] Vector crosses(ConstSpan a) const;
  [[nodiscard]] Vector direction(const std::vector<Index>& active, const Matrix& images,
                                 double& decrement) const;
  bool backtrack(const Vector& step, const std::vector<Index>& active, const Matrix& images,
                 double decrement);
  [[nodiscard]] std::vector<Index> active_kernels() const;

  const NormProx& norm_;
  Objective& run_;
  const Problem& problem_;
  double gamma_;
  double gamma_b_;
  double b_ = 0.0;
  Vector a_, q_;
  Level now_;
  std::vector<Vector> c_;   ///< c_m, empty if it is 0
  std::vector<Vector> Kc_;  ///< K_m c_m, likewise
  Vector cKc_;              ///< c_m' K_m c_m
};

}  // namespace kernmix
