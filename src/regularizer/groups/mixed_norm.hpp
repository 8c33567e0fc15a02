#pragma once
/// \file
/// Mixed (l_q, l_1) norms over groups of kernels: l_1 inside a group, which selects kernels, and
/// l_q across groups, which spreads over them. With S_j = sum_k s_jk,
///
///   Omega(s) = 1/2 (sum_j S_j^q)^{2/q}       sigma(q/2) = 1/2 || (max_k sqrt(q_jk))_j ||_{q'}^2
///
/// q <= 2, q = inf: Saketha Nath et al., NIPS 2009 (q = inf); Aflalo et al., JMLR 2011 (q >= 2);
/// docs/mixed-norms.md.

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

/// 1 <= q <= 2, where a set of weights exists:
///
///   D = {d >= 0 : || (sum_k d_jk)_j ||_pi <= 1},  pi = q/(2-q)
///   d(s) = s_jk S_j^{1-q} / (sum S^q)^{(2-q)/q}
///
/// q = 1 is L1 over all kernels, q = 2 a product of simplexes, one for each group.
struct MixedNorm {
  double q = 2.0;            ///< in [1, 2]
  std::vector<Index> group;  ///< the number of each kernel's group

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  /// \throws ParameterError unless each kernel has a group and each group a kernel
  void check(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan) const { return 0.0; }

  /// d(s); even in a group of zeros.
  void best_weights(ConstSpan s, MutableSpan d) const;
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
struct MixedNormSaddle {
  double q = 0.0;            ///< in (2, inf]
  std::vector<Index> group;  ///< the number of each kernel's group

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  /// \throws ParameterError unless each kernel has a group and each group a kernel
  void check(Index M) const;
  /// Even lambda and gamma.
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan) const { return 0.0; }

  /// (q - 2) / q in (0, 1]: gamma_j = share_j^decay with shares on a simplex.
  [[nodiscard]] double decay() const;
};

}  // namespace kernmix
