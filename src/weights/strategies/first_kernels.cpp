#include "weights/strategies/first_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/samples.hpp"

namespace kernmix {

std::vector<Index> leading_kernels(ConstSpan q, double upper_bound, Index least) {
  constexpr double kMass = 4.0;
  std::vector<Index> order = index_range(0, length(q));
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](Index m) { return q[static_cast<std::size_t>(m)]; });
  const double count = std::max(static_cast<double>(least), std::ceil(kMass / upper_bound));
  if (count < static_cast<double>(q.size())) order.resize(static_cast<std::size_t>(count));
  std::ranges::sort(order);
  return order;
}

std::vector<Index> spread_numbers(Index M, Index part) {
  constexpr double kGolden = 0.6180339887498949;
  std::vector<Index> spread;
  for (Index k = 0; k < part; ++k) {
    const Index begin = k * M / part;
    const Index end = (k + 1) * M / part;
    const double multiple = kGolden * static_cast<double>(k);
    const double place = (multiple - std::floor(multiple)) * static_cast<double>(end - begin);
    spread.push_back(begin + static_cast<Index>(place));
  }
  return spread;
}

}  // namespace kernmix
