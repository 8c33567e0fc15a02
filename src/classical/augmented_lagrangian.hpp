#pragma once
/// \file
/// The augmented Lagrangian of the dual and one Newton step on it
/// (docs/reference/solvers/spicy.md).
///
///   phi(a) = e(a) + max_s { w's - ||s||^2 / (2 gamma) - Omega(s) } + b 1'a + gamma_b/2 (1'a)^2
///   w_m = ||p_m||_{K_m},   p_m = a + c_m / gamma,   s = prox_{gamma Omega}(gamma w)
///
/// with e(a) of loss_term.hpp. Kernels with s_m = 0 add nothing: Newton's steps read those alone
/// that had s_m > 0 when all were last looked at.

#include <functional>

#include "base/linear_algebra.hpp"
#include "classical/loss_term.hpp"
#include "regularizer/prox_slope.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// The functions of a regularizer that the method needs.
struct NormProx {
  std::function<void(double gamma, ConstSpan x, MutableSpan s)> prox;
  std::function<ProxSlope(double gamma, ConstSpan s)> slope;
  std::function<void(ConstSpan s, MutableSpan d)> best_weights;
};

/// Keeps the dual vector a, the multipliers c_m (the coefficients of f_m), b and those of the loss.
class AugmentedLagrangian {
 public:
  /// a starts at LossTerm::start(); c = 0, b = 0.
  AugmentedLagrangian(const NormProx& norm, double gamma, Objective& run);

  /// One Newton step with a line search. Returns half its decrement, about phi(a) - min phi before
  /// the step; 0 if no step decreases phi.
  double newton_step();
  /// One pass over all kernels. Returns whether some are active that the steps have not read; the
  /// next ones do.
  bool find_active_kernels();
  /// How far the multipliers would move: sum ||change of c_m||_{K_m}^2 / (2 gamma) and the same of
  /// b and of the loss. Newton's steps need not be more exact than a part of this.
  [[nodiscard]] double move() const;
  /// The dual vector, in its box.
  [[nodiscard]] Vector a_in_box() const { return loss_.in_box(a_); }
  /// The optimal weights for the norms s of the functions: at an optimal a, f_m = d_m K_m a.
  [[nodiscard]] Vector weights() const;
  /// Moves the multipliers: c_m <- s_m / w_m p_m, b <- b + gamma_b 1'a, and those of the loss. Then
  /// the penalties are multiplied by `factor`.
  void update_multipliers(double factor);
  /// Smaller ones make Newton's steps easier, larger ones an update more of a step.
  void scale_penalties(double factor);

 private:
  /// phi and its parts for the dual vector with these forms.
  struct Level {
    double value = 0.0;
    Vector w;
    Vector s;
  };
  /// The kernels with s_m > 0: their numbers, and which rows of products_ are theirs.
  struct Active {
    std::vector<Index> kernels;
    std::vector<Index> rows;
  };

  struct Line;
  /// A point of a line.
  struct Place {
    double t = 0.0;
    Vector a, q;
    Level level;
    double slope = 0.0;  ///< of phi along the line
  };

  [[nodiscard]] Level level(std::span<const Index> kernels, ConstSpan a, ConstSpan q,
                            ConstSpan cross) const;
  [[nodiscard]] std::vector<Index> wanted_kernels();
  void read_kernels(std::vector<Index> kernels);
  [[nodiscard]] Matrix read(const Vector& a);
  [[nodiscard]] Active active_kernels() const;
  [[nodiscard]] RowMatrix images(const Active& active) const;
  [[nodiscard]] Vector crosses(ConstSpan a) const;
  [[nodiscard]] Vector direction(const Active& active, double& decrement) const;
  [[nodiscard]] Line line_along(const Vector& step);
  [[nodiscard]] Place place_on(const Line& line, double t) const;
  bool search_along(const Vector& step, double decrement);

  const NormProx& norm_;
  Objective& run_;
  const Problem& problem_;
  LossTerm loss_;
  double gamma_;
  double gamma_b_;
  double b_ = 0.0;
  double damping_ = 0.1;  ///< of Newton's steps, in LossTerm::ridge()
  Vector a_;
  std::vector<Index> kernels_;  ///< that the steps read, ascending
  Matrix products_;             ///< K_m a of these
  Vector q_;                    ///< a'K_m a of these, at their places of all
  Vector forms_;                ///< a'K_m a of all kernels; empty where they are not known
  Level now_;
  std::vector<Vector> c_;   ///< c_m, empty if it is 0
  std::vector<Vector> Kc_;  ///< K_m c_m, likewise
  Vector cKc_;              ///< c_m' K_m c_m
  Index kernels_read_ = 0;  ///< since the last whole pass was counted
};

}  // namespace kernmix
