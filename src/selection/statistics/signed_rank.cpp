// Under H0 all signs are equally likely: W = sum of the ranks with sign +, mean n (n + 1) / 4,
// variance n (n + 1)(2 n + 1) / 24 - sum (t^3 - t) / 48 over groups of t tied sizes.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/samples.hpp"
#include "kernmix/selection/statistics.hpp"
#include "selection/statistics/check.hpp"

namespace kernmix {
namespace {

constexpr std::size_t most_exact = 50;  ///< 2^50 is a double without rounding

/// 2 P(W <= sum) over all signs; twice a mean rank is an integer, so that ties are counted exactly.
double exact_p(const Vector& size_ranks, double sum) {
  std::vector<double> ways(1, 1.0);  // of each doubled sum
  for (const double rank : size_ranks) {
    const auto twice = static_cast<std::size_t>(std::lround(2.0 * rank));
    ways.resize(ways.size() + twice, 0.0);
    for (std::size_t s = ways.size(); s-- > twice;) ways[s] += ways[s - twice];
  }
  double count = 0.0;
  const auto last = static_cast<std::size_t>(std::lround(2.0 * sum));
  for (std::size_t s = 0; s <= last; ++s) count += ways[s];
  return std::min(1.0, 2.0 * std::ldexp(count, -static_cast<int>(size_ranks.size())));
}

/// The same in the limit. The variance of ranks with ties: sum rank^2 / 4.
double normal_p(const Vector& size_ranks, double sum) {
  double mean = 0.0;
  double variance = 0.0;
  for (const double rank : size_ranks) {
    mean += 0.5 * rank;
    variance += 0.25 * rank * rank;
  }
  return std::erfc(std::abs(sum - mean) / std::sqrt(2.0 * variance));
}

}  // namespace

SignedRankTest signed_rank_test(ConstSpan differences) {
  check_finite(differences, "signed_rank_test");
  Vector sizes;
  std::vector<bool> positive;
  for (const double difference : differences) {
    if (difference == 0.0) continue;
    sizes.push_back(std::abs(difference));
    positive.push_back(difference > 0.0);
  }
  SignedRankTest test;
  test.pairs = length(sizes);
  if (sizes.empty()) return test;
  const Vector size_ranks = ranks(sizes, false);
  for (std::size_t i = 0; i < size_ranks.size(); ++i) {
    (positive[i] ? test.larger : test.smaller) += size_ranks[i];
  }
  test.exact = sizes.size() <= most_exact;
  const double sum = std::min(test.larger, test.smaller);
  test.p = test.exact ? exact_p(size_ranks, sum) : normal_p(size_ranks, sum);
  return test;
}

Vector holm(ConstSpan p) {
  std::vector<std::size_t> order = index_range<std::size_t>(0, p.size());
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  Vector adjusted(p.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, p[order[i]] * static_cast<double>(order.size() - i));
    adjusted[order[i]] = std::min(1.0, largest);
  }
  return adjusted;
}

}  // namespace kernmix
