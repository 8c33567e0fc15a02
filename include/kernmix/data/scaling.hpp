#pragma once
/// \file
/// Column scaling, fitted on training data and kept in the model.

#include <string>
#include <string_view>

#include "kernmix/types.hpp"

namespace kernmix {

enum class ScalingRule { none, standard, minmax };

/// x -> (x - offset) / divisor, column by column. Constant columns get divisor 1.
struct Scaling {
  ScalingRule rule = ScalingRule::standard;
  Vector offset;   ///< standard: mean; minmax: minimum
  Vector divisor;  ///< standard: population standard deviation; minmax: range

  [[nodiscard]] static Scaling fit(ScalingRule rule, const Matrix& training);
  [[nodiscard]] Matrix apply(const Matrix& raw) const;
};

[[nodiscard]] ScalingRule parse_scaling(std::string_view text);  ///< "none", "standard", "minmax"
[[nodiscard]] std::string scaling_name(ScalingRule rule);

}  // namespace kernmix
