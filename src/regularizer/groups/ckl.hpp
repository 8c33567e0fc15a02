#pragma once
/// \file
/// Composite kernel learning: weights d_jk = u_j^p v_jk^q with sum_j n_j u_j <= 1 and sum v <= 1
/// for groups of n_j kernels. Convex for p + q <= 1, where it is
///
///   D = {d >= 0 : || (n_j^p ||d_j||_{1/q})_j ||_{1/(p+q)} <= 1}
///   Omega(s) = 1/2 || (n_j^{p/2} ||s_j||_r)_j ||_a^2,   r = 2/(q+1),  a = 2/(p+q+1)
///   sigma(q/2) = 1/2 || (n_j^{-p/2} ||sqrt(q_j)||_{r'})_j ||_{a'}^2
///
/// (0, 1) is L1, (1, 0) the group lasso over groups, (0, q) is Lp with p = 1/q. Szafranski,
/// Grandvalet and Rakotomamonjy, ICML 2008 and Machine Learning 2010.

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct Ckl {
  double p = 0.5;            ///< >= 0
  double q = 0.5;            ///< >= 0, 0 < p + q <= 1
  std::vector<Index> group;  ///< the number of each kernel's group

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  /// \throws ParameterError unless each kernel has a group and each group a kernel
  void check(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan forms) const;
  [[nodiscard]] double penalty(ConstSpan) const { return 0.0; }

  /// The norm that D bounds by 1.
  [[nodiscard]] double weight_norm(ConstSpan d) const;
  /// d(s); even in a group of zeros.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// Interior point solution of the quadratic program over D; for q = 0, where D is a box for each
  /// group, over weights that are equal within groups, as they are at the optimum.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
};

}  // namespace kernmix
