#pragma once
/// \file
/// Mixed norms over groups of kernels and the corresponding balls of weights:
///
///   Omega(s) = 1/2 || (c_j^{1/2} ||s_j||_r)_j ||_a^2
///   sigma(q/2) = 1/2 || (||q_j||_{r/(2r-2)} / c_j)_j ||_{a/(2a-2)}
///
/// and, for r <= 2 and a <= 2,
///
///   D = {d >= 0 : || (c_j ||d_j||_rho)_j ||_pi <= 1},   rho = r/(2-r),  pi = a/(2-a).
///
/// Two steps of Hoelder: ||s_j||_r^2 = min {sum_k s_jk^2 / l_k : ||l||_rho <= 1}, then the same for
/// the group norms with e_j in the unit ball of l_pi; d_jk = e_j l_jk / c_j. With sqrt(q) instead
/// of q, sigma is half the square of the dual norm (docs/explanation/mixed-norms.md).

#include <vector>

#include "kernmix/types.hpp"
#include "regularizer/defaults.hpp"
#include "regularizer/groups/groups.hpp"

namespace kernmix {

struct GroupBall {
  const std::vector<Index>& group;
  Vector scale;  ///< c_j > 0 for each group
  double inner;  ///< r in [1, 2]
  double outer;  ///< a in [1, inf]; weights exist for a <= 2

  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;

  /// || (c_j ||d_j||_rho)_j ||_pi, at most 1 on D. Requires r <= 2 and a <= 2.
  [[nodiscard]] double weight_norm(ConstSpan d) const;
  /// l_jk = (s_jk / ||s_j||_r)^{2-r}, e_j = (T_j / ||T||_a)^{2-a}, T_j = c_j^{1/2} ||s_j||_r;
  /// uniform if all norms are zero. Requires a <= 2.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// Equal weights on the boundary of D. Requires a <= 2.
  [[nodiscard]] Vector even_weights() const;

 private:
  [[nodiscard]] Vector scaled_norms(ConstSpan s) const;  ///< T_j
};

/// Base of R with the group of each kernel in `group`, set before use (with_groups), and `ball()`.
template <typename R>
struct OnGroups : Defaults<R> {
  /// \throws ParameterError unless each kernel has a group and no group is empty
  void check(Index M) const { check_groups(this->name(), this->self().group, M); }
  [[nodiscard]] Vector initial_weights(Index) const { return this->self().ball().even_weights(); }
  [[nodiscard]] double omega(ConstSpan s) const { return this->self().ball().omega(s); }
  [[nodiscard]] double conjugate(ConstSpan q) const { return this->self().ball().conjugate(q); }
};

}  // namespace kernmix
