#pragma once
/// \file
/// The mean of scores over folds, splits or candidates.

#include <optional>

#include "kernmix/types.hpp"

namespace kernmix {

struct MeanAndSpread {
  std::optional<double> mean;    ///< absent of no value
  std::optional<double> spread;  ///< standard deviation (n - 1), of two values or more
};

[[nodiscard]] MeanAndSpread mean_and_spread(ConstSpan values);

}  // namespace kernmix
