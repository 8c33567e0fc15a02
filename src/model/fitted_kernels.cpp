#include "kernmix/fitted_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/memory/zeros.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/kernel_choice.hpp"
#include "model/pipeline.hpp"

namespace kernmix {

namespace {

void require_entries(std::size_t kernels, Index rows, Index cols, const Context& context) {
  const double bytes = static_cast<double>(kernels) * static_cast<double>(rows) *
                       static_cast<double>(cols) * sizeof(double);
  if (has_room(context, bytes)) return;
  throw ResourceError(
      fmt::format("all values of {} kernel{} between {} and {} samples take {}, and {} may be "
                  "used; give fewer kernels or samples, or allow more memory",
                  kernels, kernels == 1 ? "" : "s", rows, cols, memory_text(bytes),
                  memory_text(context.memory_bytes)));
}

}  // namespace

Vector all_entries(const std::vector<KernelSourcePtr>& sources, const Context& context) {
  constexpr Index band = 64;
  if (sources.empty()) return {};
  const Index rows = sources.front()->rows();
  const Index cols = sources.front()->cols();
  require_entries(sources.size(), rows, cols, context);
  const std::vector<Index> left = all_samples(rows);
  const std::vector<Index> right = all_samples(cols);
  const Index bands = blocks_of(rows, band);
  Vector entries = zeros(sources.size() * to_size(rows * cols), context);
  parallel_for(context, length(sources) * bands, [&](Index task) {
    stop_if_asked(context);
    const Index m = task / bands;
    const Index begin = task % bands * band;
    const Index end = std::min(begin + band, rows);
    sources[to_size(m)]->block(
        slice(left, begin, end), right,
        slice(MutableSpan(entries), (m * rows + begin) * cols, (m * rows + end) * cols));
  });
  return entries;
}

FittedKernels::FittedKernels(std::shared_ptr<const Dataset> training, const TrainOptions& options,
                             const Context& context)
    : data_(std::move(training)) {
  (void)check_samples(*data_, options);
  const std::vector<KernelDescription> asked = expand_kernels(*data_, options);
  kernels_ = std::make_shared<TrainingKernels>(training_kernels(
      data_->table, data_->matrices, asked, views_to_scale(data_->views, asked, options.scaling),
      options.missing, incomplete_views(*data_), options.sample_weights, context));
}

const std::vector<KernelDescription>& FittedKernels::descriptions() const {
  return kernels_->descriptions;
}

const std::vector<FittedNormalization>& FittedKernels::normalizations() const {
  return kernels_->normalizations;
}

const std::vector<ScaledView>& FittedKernels::scaled_views() const { return kernels_->views; }

const std::vector<KernelSourcePtr>& FittedKernels::training() const { return kernels_->sources; }

std::vector<KernelSourcePtr> FittedKernels::between(const Dataset& fresh) const {
  return sources_between(*kernels_, Loss(), fresh);
}

}  // namespace kernmix
