#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "kernmix/selection/statistics.hpp"
#include "selection/statistics/check.hpp"

namespace kernmix {

Vector ranks(ConstSpan values, bool larger_is_better) {
  check_finite(values, "ranks");
  std::vector<std::size_t> order = index_range<std::size_t>(0, values.size());
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return larger_is_better ? values[a] > values[b] : values[a] < values[b];
  });
  Vector rank(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double shared = 0.5 * static_cast<double>(first + 1 + end);
    for (; first < end; ++first) rank[order[first]] = shared;
  }
  return rank;
}

Vector average_ranks(const Matrix& scores, bool larger_is_better) {
  if (scores.rows < 1 || scores.cols < 1) {
    throw ParameterError(
        fmt::format("average_ranks: {} data sets and {} methods; at least one of each is needed",
                    scores.rows, scores.cols));
  }
  Vector mean(to_size(scores.cols), 0.0);
  for (Index i = 0; i < scores.rows; ++i) {
    const Vector row = ranks(scores.row(i), larger_is_better);
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += row[j];
  }
  for (double& value : mean) value /= static_cast<double>(scores.rows);
  return mean;
}

SignCounts sign_counts(ConstSpan first, ConstSpan second, bool larger_is_better) {
  if (first.size() != second.size()) {
    throw ParameterError(fmt::format("sign_counts: {} scores of the first method, {} of the second",
                                     first.size(), second.size()));
  }
  SignCounts counts;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == second[i]) {
      ++counts.ties;
    } else {
      ++((first[i] > second[i]) == larger_is_better ? counts.wins : counts.losses);
    }
  }
  return counts;
}

}  // namespace kernmix
