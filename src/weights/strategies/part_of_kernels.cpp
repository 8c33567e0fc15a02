/// \file
/// Equal weights on a subset of many kernels, for weights that need only sum to 1. The first K(d)
/// reads only the subset, and then q ranks all kernels. With many samples and kernels stored as
/// factors, the strategy is not used, because it took more SVMs in experiments.

#include <algorithm>
#include <cmath>

#include "weights/strategies/first_kernels.hpp"
#include "weights/strategies/interior_point.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

Vector even_on_part(const WeightRules& rules, Objective& J) {
  constexpr Index kPart = 6;
  constexpr Index kLeast = 16;
  constexpr Index kManyDense = 64;  // all dense kernels are equally expensive to read
  constexpr Index kMany = 256;
  if (!rules.linear()) return {};
  const Index M = J.kernels();
  const auto for_mass = static_cast<Index>(std::ceil(1.0 / *rules.linear_bound(M)));
  const Index part = std::max({kLeast, M / kPart, for_mass});
  const bool many = J.reads_dense_kernels() ? M >= kManyDense
                                            : M >= kMany && joint_steps_affordable(J.samples(), M);
  if (!many || part >= M) return {};
  Vector d(static_cast<std::size_t>(M), 0.0);
  for (const Index m : spread_numbers(M, part)) {
    d[static_cast<std::size_t>(m)] = 1.0 / static_cast<double>(part);
  }
  return d;
}

}  // namespace

const Strategy strategy::part_of_kernels{
    .name = "part-of-kernels",
    .what = "starts from equal weights on a subset of many kernels",
    .start = even_on_part};

}  // namespace kernmix
