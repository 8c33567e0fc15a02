#include "base/samples.hpp"

#include <algorithm>

#include "kernmix/error.hpp"

namespace kernmix {

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
