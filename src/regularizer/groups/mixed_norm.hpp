#pragma once
/// \file
/// Mixed (l_q, l_1) norms over groups of kernels: l_1 inside a group, which selects kernels, and
/// l_q across groups, which spreads over them. With S_j = sum_k s_jk,
///
///   Omega(s) = 1/2 (sum_j S_j^q)^{2/q}       sigma(q/2) = 1/2 || (max_k sqrt(q_jk))_j ||_{q'}^2
///
/// q <= 2, q = inf: Saketha Nath et al., NIPS 2009 (q = inf); Aflalo et al., JMLR 2011 (q >= 2);
/// docs/explanation/mixed-norms.md.

#include <utility>
#include <vector>

#include "regularizer/groups/group_ball.hpp"

namespace kernmix {

/// The norm for all q; borrows `group`.
[[nodiscard]] GroupBall mixed_norm_ball(double q, const std::vector<Index>& group);

/// 1 <= q <= 2, where a set of weights exists:
///
///   D = {d >= 0 : || (sum_k d_jk)_j ||_pi <= 1},  pi = q/(2-q)
///   d(s) = s_jk S_j^{1-q} / (sum S^q)^{(2-q)/q}
///
/// q = 1 is L1 over all kernels, q = 2 a product of simplexes, one for each group.
struct MixedNorm : OnGroups<MixedNorm> {
  double q;                  ///< in [1, 2]
  std::vector<Index> group;  ///< the number of each kernel's group
  MixedNorm(double exponent, std::vector<Index> groups) : q(exponent), group(std::move(groups)) {}

  static constexpr std::array parameters{Parameter<MixedNorm>{"q", &MixedNorm::q}};
  static RegularizerInfo info() {
    return {"mixed-norm:q=Q", "d >= 0, ||(sum_k d_jk)_j||_r <= 1, r = Q/(2-Q), 1 <= Q <= 2",
            "1/2 (sum_j (sum_k s_jk)^Q)^(2/Q)", "mixed-norm:q=1.5"};
  }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] GroupBall ball() const { return mixed_norm_ball(q, group); }

  /// d(s); even in a group of zeros.
  void best_weights(ConstSpan s, MutableSpan d) const { ball().best_weights(s, d); }
  /// Euclidean projection: x_jk = max(z_jk - tau_j, 0) with tau_j = tau (sum_k x_jk)^{pi-1} and
  /// tau >= 0 such that x lies in D.
  void project(MutableSpan x) const;
  /// Interior point solution of the quadratic program over D.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
};

/// q > 2, where Omega is no minimum over weights but a saddle point,
///
///   Omega(s) = max_gamma min_lambda 1/2 sum_jk gamma_j s_jk^2 / lambda_jk,
///
/// lambda_j on a simplex for each group, gamma >= 0 with ||gamma||_{q/(q-2)} <= 1: the kernel
/// weights are d_jk = lambda_jk / gamma_j.
struct MixedNormSaddle : OnGroups<MixedNormSaddle> {
  double q;                  ///< in (2, inf]
  std::vector<Index> group;  ///< the number of each kernel's group
  MixedNormSaddle(double exponent, std::vector<Index> groups)
      : q(exponent), group(std::move(groups)) {}

  static constexpr std::array parameters{Parameter<MixedNormSaddle>{"q", &MixedNormSaddle::q}};
  static RegularizerInfo info() {
    return {"mixed-norm:q=Q (Q > 2)",
            "d_jk = l_jk/g_j, sum_k l_jk = 1, ||g||_(Q/(Q-2)) = 1, a saddle",
            "1/2 (sum_j (sum_k s_jk)^Q)^(2/Q)", "mixed-norm:q=inf"};
  }
  static Regularizer parse(const std::string& text) { return MixedNorm::parse(text); }
  [[nodiscard]] GroupBall ball() const { return mixed_norm_ball(q, group); }
  /// Uniform lambda and gamma.
  [[nodiscard]] Vector initial_weights(Index M) const;

  /// (q - 2) / q in (0, 1]: gamma_j = share_j^decay with shares on a simplex.
  [[nodiscard]] double decay() const { return 1.0 - 2.0 / q; }
};

}  // namespace kernmix
