#pragma once
/// \file
/// The threshold of one class:  min_r  -share r + sum_i C_i [r - m_i]_+, an order statistic of the
/// margins m (docs/reference/losses.md).

#include <array>

#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ParameterError unless an a <= C with sum 1 exists; C is proportional to 1 / nu
void check_total(const char* loss, double nu, ConstSpan C);

/// The samples of one class.
struct ClassMargins {
  Vector margin;  ///< m_i = y_i z_i
  Vector alpha;   ///< |a_i|, with sum = share
  Vector C;
};

struct Threshold {
  double r;
  double value;  ///< -share r + sum_i C_i [r - m_i]_+
  double gap;    ///< value + sum_i alpha_i m_i, as a sum of products of non-negative numbers
  double size;   ///< share |r| + sum_i C_i [r - m_i]_+
};

/// The samples of the positive class, then those of the negative one.
[[nodiscard]] std::array<ClassMargins, 2> margins_by_class(ConstSpan y, ConstSpan z, ConstSpan a,
                                                           ConstSpan C);

/// 0 <= a_i y_i <= bound_i with a sum of `share` over each class.
[[nodiscard]] DualSet two_class_set(ConstSpan y, ConstSpan bound, double share);

[[nodiscard]] Threshold best_threshold(const ClassMargins& members, double share);

}  // namespace kernmix
