#include "solver/inner/row_sums.hpp"

#include <vector>

#include "kernel/bank/simd.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

/// What one task writes stays in the first level cache.
constexpr Index columns_per_task = 1024;
constexpr Index rows_together = 4;

}  // namespace

void add_row_sums(std::span<const float> K, ConstSpan change, MutableSpan target,
                  const Context& context) {
  const Index n = length(change);
  std::vector<Index> rows;
  for (Index k = 0; k < n; ++k) {
    if (change[static_cast<std::size_t>(k)] != 0.0) rows.push_back(k);
  }
  const auto scale = [&](std::size_t r) { return change[static_cast<std::size_t>(rows[r])]; };
  parallel_blocks(context, n, columns_per_task, [&](Index, Index begin, Index end) {
    const Index count = end - begin;
    double* sum = target.data() + begin;
    const auto part = [&](std::size_t r) { return K.data() + rows[r] * n + begin; };
    std::size_t r = 0;
    for (; r + rows_together <= rows.size(); r += rows_together) {
      simd::add_scaled({scale(r), scale(r + 1), scale(r + 2), scale(r + 3)},
                       {part(r), part(r + 1), part(r + 2), part(r + 3)}, sum, count);
    }
    for (; r < rows.size(); ++r) simd::add_scaled(scale(r), part(r), sum, count);
  });
}

}  // namespace kernmix
