#include "base/samples.hpp"

#include <algorithm>
#include <numeric>

#include "kernmix/error.hpp"

namespace kernmix {

std::vector<Index> all_samples(Index n) {
  std::vector<Index> index(static_cast<std::size_t>(n));
  std::iota(index.begin(), index.end(), Index{0});
  return index;
}

std::vector<Index> spaced_samples(Index n, Index count) {
  count = std::min(n, count);
  std::vector<Index> index;
  for (Index k = 0; k < count; ++k) index.push_back(k * n / count);
  return index;
}

void stop_if_asked(const Context& context) {
  if (!context.should_stop()) return;
  throw ResourceError(
      context.is_cancelled()
          ? "interrupted before the kernels were computed: there is no answer to "
            "write"
          : "stopped by the time limit before the kernels were computed: there is no "
            "answer to write; allow more time or use fewer kernels");
}

}  // namespace kernmix
