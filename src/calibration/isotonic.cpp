// Pool adjacent violators: while the mean of a block is below that of the previous block, the two
// are merged (Ayer, Brunk, Ewing, Reid and Silverman 1955).

#include <algorithm>
#include <numeric>

#include "base/ranks/ties.hpp"
#include "base/samples.hpp"
#include "calibration/fit_input.hpp"
#include "kernmix/calibration.hpp"

namespace kernmix {
namespace {

/// Samples with consecutive decision values and their weighted mean target.
struct PooledBlock {
  double first, last;  ///< decision values
  double weight;
  double mean;
};

void merge(PooledBlock& into, const PooledBlock& next) {
  const double weight = into.weight + next.weight;
  into.mean += (next.mean - into.mean) * (next.weight / weight);
  into.weight = weight;
  into.last = next.last;
}

/// One block for each decision value, ascending.
std::vector<PooledBlock> by_decision(ConstSpan target, ConstSpan decision, ConstSpan weights) {
  std::vector<Index> order = all_samples(static_cast<Index>(decision.size()));
  std::ranges::stable_sort(order, {}, [&](Index i) { return decision[to_size(i)]; });
  std::vector<PooledBlock> blocks;
  for (const Index i : order) {
    const auto at = to_size(i);
    const PooledBlock own{decision[at], decision[at], weight_at(weights, at), target[at]};
    if (!blocks.empty() && tied(blocks.back().first, own.first)) {
      merge(blocks.back(), own);
    } else {
      blocks.push_back(own);
    }
  }
  return blocks;
}

}  // namespace

IsotonicMap fit_isotonic(ConstSpan target, ConstSpan decision, ConstSpan weights) {
  check_fit_input(target, decision, weights);
  std::vector<PooledBlock> pooled;
  for (const PooledBlock& next : by_decision(target, decision, weights)) {
    pooled.push_back(next);
    while (pooled.size() > 1 && pooled.back().mean <= pooled[pooled.size() - 2].mean) {
      merge(pooled[pooled.size() - 2], pooled.back());
      pooled.pop_back();
    }
  }
  IsotonicMap map;
  for (const PooledBlock& block : pooled) {
    map.decision.push_back(block.first);
    map.probability.push_back(std::clamp(block.mean, 0.0, 1.0));
    if (block.last == block.first) continue;
    map.decision.push_back(block.last);
    map.probability.push_back(map.probability.back());
  }
  return map;
}

}  // namespace kernmix
