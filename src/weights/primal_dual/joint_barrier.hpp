#pragma once
/// \file
/// A joint primal-dual interior point method for the dual vector and the kernel weights:
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
/// by one Cholesky factorisation of K(d) + diag + Theta + U D U'. Theta holds the multipliers of
/// the bounds divided by the distances to them, and D holds the inverse ratios
/// (base/interior_point/step.hpp). Lanckriet et al., JMLR 5, 2004, state the program.

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
/// Returns no gain if it has kinks or a different form.
[[nodiscard]] std::optional<QuadraticGain> quadratic_gain(const Problem& problem);

/// The weights and the dual vector of one iterate, certified for all kernels.
struct JointPoint {
  Vector d;
  Vector a;
  Certificate certificate;
};

class JointBarrier {
 public:
  using Array = Eigen::ArrayXd;

  /// Starts inside the box near `point`, on the 24 to 64 kernels with the largest q there.
  JointBarrier(Objective& run, const Point& point, double upper_bound);

  /// Takes one predictor-corrector step. The result is false if no step of positive length is
  /// possible.
  bool step();

  /// The distance of the present iterate from optimality, if its residuals are small.
  [[nodiscard]] double complementarity() { return products(barriers()); }
  /// The dual objective of an iterate with small residuals.
  [[nodiscard]] double value() const { return gain_value() - t_; }

  /// Removes kernels with negligible weights whose forms are far below the largest form, compared
  /// with the gap.
  void shrink();
  /// Certifies the present iterate for all kernels in one pass, after setting weights that vanish
  /// at the optimum to zero. Removed kernels whose forms are too large re-enter the working set.
  [[nodiscard]] JointPoint price();
  /// The present a with entries rounded to the bounds that they approach. The SVM at point().d
  /// starts from it.
  [[nodiscard]] Vector rounded_dual() const;

  /// The interface that interior_point_step() requires.
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
  Eigen::MatrixXd E_;  ///< n x number of fixed sums
  Eigen::VectorXd totals_;
  double upper_;
  std::vector<Index> kernels_;  ///< working set of W kernels
  Array a_, d_;
  double t_ = 0.0;
  Eigen::VectorXd nu_;
  Barrier a_low_, a_high_, d_low_, d_high_;
  Matrix U_;  ///< W x n: K_m a
  Array q_;
  bool keeps_triangles_ = true;
  std::vector<Triangle> triangles_;  ///< triangles of kernels_, or empty
  std::vector<float> K_;             ///< K(d) if the bank combines it
  std::optional<Cholesky> factor_;
  RowMatrix memory_;  ///< storage of the last factor, reused for the next
  Array D_;
  Eigen::MatrixXd B_;  ///< [-U D, E]
  Eigen::MatrixXd solved_B_;
};

}  // namespace kernmix
