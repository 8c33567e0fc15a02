#include "kernmix/fitted_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/kernel_choice.hpp"
#include "model/pipeline.hpp"

namespace kernmix {
namespace {

/// \throws DataError unless it has a column for each training sample
GivenMatrix new_by_training(const MatrixView& view, Index n) {
  if (view.matrix.cols() == n) return view.matrix;
  throw DataError(fmt::format("matrix '{}' must have {} columns (training samples), got {}",
                              view.name, n, view.matrix.cols()));
}

}  // namespace

Vector all_entries(const std::vector<KernelSourcePtr>& sources, const Context& context) {
  constexpr Index band = 64;
  if (sources.empty()) return {};
  const Index rows = sources.front()->rows();
  const Index cols = sources.front()->cols();
  const std::vector<Index> left = all_samples(rows);
  const std::vector<Index> right = all_samples(cols);
  const Index bands = blocks_of(rows, band);
  Vector entries(sources.size() * to_size(rows * cols));
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
  const TrainOptions unweighted;
  (void)check_samples(*data_, unweighted);
  const std::vector<KernelDescription> asked = expand_kernels(*data_, options);
  TrainingKernels kernels =
      training_kernels(data_->table, data_->matrices, asked,
                       views_to_scale(data_->views, asked, options.scaling), context);
  views_ = std::move(kernels.views);
  columns_ = kernels.features.names();
  scaling_ = kernels.features.scaling();
  for (const MatrixView& view : kernels.matrices) matrices_.push_back(view.name);
  for (const KernelDescription& kernel : kernels.descriptions) {
    samples_.push_back(kernel.from_matrix ? ConstMatrix() : kernels.features.of(kernel));
  }
  descriptions_ = std::move(kernels.descriptions);
  normalizations_ = std::move(kernels.normalizations);
  training_ = std::move(kernels.sources);
}

std::vector<KernelSourcePtr> FittedKernels::between(const Dataset& fresh) const {
  (void)sample_count(fresh.table, fresh.matrices);
  const Index n = training_.front()->rows();
  FeatureColumns left(fresh.table, columns_, scaling_);
  const std::vector<MatrixView> matrices =
      matrices_.empty() ? std::vector<MatrixView>() : match_matrices(matrices_, fresh.matrices);
  std::vector<KernelSourcePtr> sources;
  for (std::size_t m = 0; m < descriptions_.size(); ++m) {
    const KernelDescription& kernel = descriptions_[m];
    KernelSourcePtr source =
        kernel.from_matrix
            ? matrix_source(kernel.function, new_by_training(find_matrix(matrices, kernel.view), n),
                            {}, kernel.view)
            : feature_source(kernel.function, left.of(kernel), samples_[m]);
    sources.push_back(normalized_source(std::move(source), normalizations_[m], false));
  }
  return sources;
}

}  // namespace kernmix
