#pragma once
/// \file
/// The threshold of one class:  min_r  -share r + sum_i C_i [r - m_i]_+, an order statistic of the
/// margins m (methods 1.5).

#include "kernmix/types.hpp"

namespace kernmix {

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
};

[[nodiscard]] Threshold best_threshold(const ClassMargins& members, double share);

}  // namespace kernmix
