#include "kernmix/selection/mean.hpp"

#include <cmath>
#include <numeric>

namespace kernmix {

MeanAndSpread mean_and_spread(ConstSpan values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return {mean, std::nullopt};
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (n - 1.0))};
}

}  // namespace kernmix
