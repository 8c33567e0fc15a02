#pragma once
/// \file
/// The quadratic model of J minimised over a mixed-norm ball of weights in groups.

#include <vector>

#include "regularizer/weight_model.hpp"

namespace kernmix {

/// {x >= 0 : || (||x_j||_rho)_j ||_{1/theta} <= 1}: with theta = 0 the product of the groups'
/// unit balls, with theta = rho = 1 the simplex.
struct GroupSet {
  double rho;    ///< inside a group, in [1, inf)
  double theta;  ///< inverse of the exponent across groups, in [0, 1]
};

/// Primal-dual interior point method (Boyd and Vandenberghe 2004, section 11.7) for
///
///   min_x  -1/2 q'x + 1/2 |B'(x - d)|^2   s.t.  ||x_j||_rho <= t_j^theta,  sum_j t_j = 1,  x >= 0,
///
/// with one auxiliary t_j for each group: t^theta is a well-scaled constraint for every exponent,
/// where sum_j ||x_j||^{1/theta} <= 1 is not. Each step eliminates t and the multipliers, which
/// leaves a diagonal plus one rank-one term for each group plus B B', solved at the size of the
/// smaller of |F| and the number of weights. q may have any sign. Returns d if no descent is found.
[[nodiscard]] Vector minimize_on_groups(const WeightModel& model, const std::vector<Index>& group,
                                        GroupSet set);

}  // namespace kernmix
