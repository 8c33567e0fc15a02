#include "svm/smo/row_sums.hpp"

#include <vector>

#include "base/parallel.hpp"
#include "base/simd.hpp"

namespace kernmix {
namespace {

/// The output of one task fits in the first-level cache.
constexpr Index columns_per_task = 1024;

}  // namespace

void add_row_sums(std::span<const float> K, ConstSpan change, MutableSpan target,
                  const Context& context) {
  const Index n = length(change);
  std::vector<Index> rows;
  for (Index k = 0; k < n; ++k) {
    if (change[static_cast<std::size_t>(k)] != 0.0) rows.push_back(k);
  }
  const auto row = [&](Index r) { return rows[static_cast<std::size_t>(r)]; };
  const auto scale = [&](Index r) { return change[static_cast<std::size_t>(row(r))]; };
  parallel_blocks(context, n, columns_per_task, [&](Index, Index begin, Index end) {
    const Index count = end - begin;
    double* sum = target.data() + begin;
    const auto part = [&](Index r) { return K.data() + row(r) * n + begin; };
    simd::add_scaled_rows<float>(length(rows), part, scale, sum, count);
  });
}

}  // namespace kernmix
