#pragma once
/// \file
/// Dual vector and kernel weights at once, by a primal-dual interior point method:
///
///   min_{a, t}  t - gain(a)   s.t.  1/2 a'K_m a <= t  (multiplier d_m, 0 <= d_m <= u),
///                                   lower <= a <= upper,  E'a = totals,
///
/// with gain(a) = linear'a - 1/2 a' diag a. With U = [K_m a]_m, one step solves
///
///   [ K(d) + diag + Theta    U      0   E ] [ da  ]
///   [        U'             -D^-1  -1   0 ] [ dd  ]  =  - residuals
///   [        0               -1'    0   0 ] [ dt  ]
///   [        E'              0      0   0 ] [ dnu ]
///
/// by one Cholesky factorisation of K(d) + diag + Theta + U D U'. Theta and D are the multipliers
/// of the bounds divided by the distances to them, or the reverse (base/interior_point/step.hpp;
/// Lanckriet et al., JMLR 5, 2004, state the program).

#include <array>
#include <optional>
#include <vector>

#include "base/cholesky.hpp"
#include "base/interior_point/step.hpp"
#include "kernmix/bank/triangle_cache.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// gain(a) = linear'a - 1/2 a' diagonal a inside the box.
struct QuadraticGain {
  Eigen::ArrayXd linear;
  Eigen::ArrayXd diagonal;
};
/// Nothing where the gain has kinks or is none of this form.
[[nodiscard]] std::optional<QuadraticGain> quadratic_gain(const Problem& problem);

/// Weights and dual vector of one iterate, certified for all kernels.
struct JointPoint {
  Vector d;
  Vector a;
  Certificate certificate;
};

class JointBarrier {
 public:
  using Array = Eigen::ArrayXd;

  /// Starts inside the box near `point`, on those of the largest q there, 24 to 64.
  JointBarrier(Objective& run, const Point& point, double upper_bound);

  /// One predictor and corrector step; false where none of any length is possible.
  bool step();

  /// How far the present iterate is from optimal, if its residuals are small.
  [[nodiscard]] double complementarity() { return products(barriers()); }
  /// The dual objective, at an iterate with small residuals.
  [[nodiscard]] double value() const { return gain_value() - t_; }

  /// Leaves out kernels whose forms are far below the largest one, compared with the gap, and
  /// whose weights are negligible.
  void shrink();
  /// The present iterate with weights that vanish at the optimum set to zero, certified for all
  /// kernels: one pass. Of the kernels left out, those with too large forms come back.
  [[nodiscard]] JointPoint price();
  /// The present a with entries on the bounds that they go to: where the SVM at point().d starts.
  [[nodiscard]] Vector rounded_dual() const;

  /// What interior_point_step() asks.
  struct Direction {
    Array a, d;
    double t = 0.0;
    Eigen::VectorXd nu;
  };
  [[nodiscard]] std::array<Barrier*, 4> barriers() {
    return {&a_low_, &a_high_, &d_low_, &d_high_};
  }
  [[nodiscard]] bool factorise();
  [[nodiscard]] Direction direction(double mu) const;
  void choose(const Direction& step, double mu);
  double move(const Direction& step, StepLengths lengths, double mu);

 private:
  void start_at(const Point& point);
  void start_multipliers();
  void take_triangles(const std::vector<Index>& kernels);
  void read_products();
  void extend(ConstSpan q);
  void combine(RowMatrix& K);
  [[nodiscard]] Vector all_weights(const Array& d) const;
  [[nodiscard]] Array rounded_weights() const;
  [[nodiscard]] Array slope_in_a() const;
  [[nodiscard]] double gain_value() const;

  Objective& run_;
  QuadraticGain gain_;
  Eigen::MatrixXd E_;  ///< n x held sums
  Eigen::VectorXd totals_;
  double upper_;
  std::vector<Index> kernels_;  ///< that the method works on, W of them
  Array a_, d_;
  double t_ = 0.0;
  Eigen::VectorXd nu_;
  Barrier a_low_, a_high_, d_low_, d_high_;
  Matrix U_;  ///< W x n: K_m a
  Array q_;
  bool keeps_triangles_ = true;
  std::vector<Triangle> triangles_;  ///< of kernels_, or none
  std::vector<float> K_;             ///< K(d) where the bank combines it
  std::optional<Cholesky> factor_;
  RowMatrix memory_;  ///< of the last factor, for the next
  Array D_;
  Eigen::MatrixXd B_;  ///< [-U D, E]
  Eigen::MatrixXd solved_B_;
};

}  // namespace kernmix
