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

#include <utility>
#include <vector>

#include "regularizer/groups/group_ball.hpp"

namespace kernmix {

struct Ckl : OnGroups<Ckl> {
  double p;                  ///< >= 0
  double q;                  ///< >= 0, 0 < p + q <= 1
  std::vector<Index> group;  ///< the number of each kernel's group
  Ckl(double across, double inside, std::vector<Index> groups)
      : p(across), q(inside), group(std::move(groups)) {}

  static constexpr std::array parameters{Parameter<Ckl>{"p", &Ckl::p},
                                         Parameter<Ckl>{"q", &Ckl::q}};
  static RegularizerInfo info() {
    return {"ckl:p=P,q=Q", "d >= 0, ||(n_j^P ||d_j||_(1/Q))_j||_(1/(P+Q)) <= 1, P + Q <= 1",
            "1/2 ||(n_j^(P/2) ||s_j||_r)_j||_a^2, r = 2/(Q+1), a = 2/(P+Q+1)", "ckl:p=0.5,q=0.5"};
  }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] GroupBall ball() const;

  /// The norm that is at most 1 on D.
  [[nodiscard]] double weight_norm(ConstSpan d) const { return ball().weight_norm(d); }
  /// d(s); even in a group of zeros.
  void best_weights(ConstSpan s, MutableSpan d) const { ball().best_weights(s, d); }
  /// Interior point solution of the quadratic program over D; for q = 0, where D is a box for each
  /// group, over weights that are equal within groups, as at the optimum.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
};

}  // namespace kernmix
