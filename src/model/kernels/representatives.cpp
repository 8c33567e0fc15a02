#include "model/kernels/representatives.hpp"

#include "base/parallel.hpp"
#include "base/samples.hpp"

namespace kernmix {

namespace {
constexpr Index most_representatives = 1000;
}

Representatives::Representatives(TrainingKernels& kernels, Index samples, const Context& context) {
  std::vector<std::pair<FeatureRows, std::vector<Index>*>> work;
  for (Index m = 0; m < length(kernels.descriptions); ++m) {
    const KernelDescription& kernel = kernels.descriptions[to_size(m)];
    const PresentSamples* const present = samples_of(kernels.presence(m));
    const Index count = present == nullptr ? samples : length(present->samples());
    of_kernel_.push_back(nullptr);
    if (count <= most_representatives) continue;
    if (kernel.from_matrix) {
      const auto [place, is_new] = of_matrices_.try_emplace(count);
      if (is_new) place->second = spaced_samples(count, most_representatives);
      of_kernel_.back() = &place->second;
      continue;
    }
    const FeatureRows values = kernels.features.of(kernel, present);
    const auto [place, is_new] = samples_.try_emplace(values.address());
    if (is_new) work.emplace_back(values, &place->second);
    of_kernel_.back() = &place->second;
  }
  parallel_for(context, length(work), [&](Index k) {
    stop_if_asked(context);
    *work[to_size(k)].second = representative_samples(work[to_size(k)].first);
  });
}

std::span<const Index> Representatives::of(Index kernel) const {
  const std::vector<Index>* const own = of_kernel_[to_size(kernel)];
  return own == nullptr ? std::span<const Index>() : *own;
}

}  // namespace kernmix
