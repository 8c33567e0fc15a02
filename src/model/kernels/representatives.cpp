#include "model/kernels/representatives.hpp"

#include "base/parallel.hpp"
#include "base/samples.hpp"

namespace kernmix {

namespace {
constexpr Index most_representatives = 1000;
}

Representatives::Representatives(const std::vector<KernelDescription>& kernels,
                                 FeatureColumns& features, Index samples, const Context& context) {
  if (samples <= most_representatives) return;
  of_matrices_ = spaced_samples(samples, most_representatives);
  std::vector<std::pair<FeatureRows, std::vector<Index>*>> work;
  for (const KernelDescription& kernel : kernels) {
    const FeatureRows values = kernel.from_matrix ? FeatureRows() : features.of(kernel);
    reads_.push_back(kernel.from_matrix ? nullptr : values.address());
    if (kernel.from_matrix) continue;
    const auto [place, is_new] = samples_.try_emplace(reads_.back());
    if (is_new) work.emplace_back(values, &place->second);
  }
  parallel_for(context, length(work), [&](Index k) {
    stop_if_asked(context);
    *work[to_size(k)].second = representative_samples(work[to_size(k)].first);
  });
}

std::span<const Index> Representatives::of(Index kernel) const {
  if (reads_.empty()) return {};
  const void* const values = reads_[to_size(kernel)];
  return values == nullptr ? std::span<const Index>(of_matrices_) : samples_.at(values);
}

}  // namespace kernmix
