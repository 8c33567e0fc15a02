// K_m on the samples of each task, scaled, normalised and stored once for all runs.

#include "model/kernels/kernel_cache.hpp"

#include <algorithm>

#include "kernel/subset_source.hpp"
#include "model/landmarks/landmarks.hpp"

namespace kernmix {

KernelCache::KernelCache(const Dataset& data, const TrainOptions& options, const TaskSet& set,
                         const Context& context, bool for_later)
    : options_(options),
      for_later_(for_later),
      kernels_(training_kernels(
          data.table, data.matrices, set.kernels, set.views, options.missing, set.lacking,
          set.weights_repeat ? ConstSpan(options_.sample_weights) : ConstSpan(), context)) {
  kernels_.assume_psd = options_.assume_psd;
  shapes_ = kernel_shapes(kernels_, context);
  Loss loss = set.loss;
  add_landmarks(data, options_, set, context, kernels_);
  shift_ = fit_to_loss(kernels_, loss);
  sources_ = kernels_.sources;
  fit_seconds_ = clock_.seconds();
}

StoredKernels& KernelCache::on(const std::vector<Index>& rows) {
  const auto found = stored_.find(rows);
  if (found != stored_.end()) return found->second;
  StoredKernels& kernels = stored_[rows];
  kernels.sources = subset_sources(sources_, rows);
  kernels.names = kernel_names(kernels_.descriptions);
  kernels.for_later = for_later_;
  return kernels;
}

void KernelCache::end_run() {
  const auto whole = stored_.find({});
  if (whole != stored_.end() && !whole->second.entries.empty()) {
    kernels_.sources = whole->second.entries;
  }
}

bool KernelCache::are_stored(const std::vector<Index>& rows) const {
  const auto found = stored_.find(rows);
  return found != stored_.end() && found->second.bank != nullptr;
}

bool KernelCache::in_double_precision(const std::vector<Index>& rows) const {
  return are_stored(rows) && stored_.at(rows).double_precision;
}

void KernelCache::done_with(const std::vector<Index>& rows, const Context& context) {
  constexpr std::size_t share = 4;
  const std::size_t most = context.memory_bytes / share;
  if (for_later_ && (most == 0 || bytes_beside({}) <= most)) return;
  seconds_of_dropped_ += stored_[rows].seconds;
  stored_.erase(rows);
}

std::size_t KernelCache::bytes_beside(const std::vector<Index>& rows) const {
  std::size_t bytes = 0;
  for (const auto& [samples, kernels] : stored_) {
    if (samples != rows) bytes += kernels.bytes();
  }
  return bytes;
}

double KernelCache::seconds() const {
  double sum = fit_seconds_ + seconds_of_dropped_;
  for (const auto& [samples, kernels] : stored_) sum += kernels.seconds;
  return sum;
}

}  // namespace kernmix
