#include "model/kernels/fitted_widths.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix {
namespace {

/// Kernels of the same function on the same values have the same distances.
struct Measured {
  KernelDescription kernel;
  FeatureRows values;  ///< of the samples that have the view, as the others
  GivenMatrix matrix;
  Vector weights;
  TypicalDistances distances = {};

  void measure() {
    distances = kernel.from_matrix ? typical_given_distances(matrix, weights)
                                   : typical_distances(kernel.function, values, weights);
    if (std::isfinite(distances.median)) return;
    throw DataError(fmt::format(
        "kernel {}: the median distance of its samples is not finite; scale its columns",
        kernel.name()));
  }
};

}  // namespace

std::vector<KernelDescription> fit_widths(std::vector<KernelDescription> kernels,
                                          FeatureColumns& features,
                                          const std::vector<MatrixView>& matrices,
                                          const Presences& presences, ConstSpan weights,
                                          const Context& context) {
  std::vector<Measured> all;
  std::map<std::tuple<const void*, Index, std::string>, std::size_t> place;
  std::vector<std::size_t> of_kernel(kernels.size());
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    const KernelDescription& kernel = kernels[m];
    if (!kernel.relative_width) continue;
    const MatrixView* const view =
        kernel.from_matrix ? &find_matrix(matrices, kernel.view) : nullptr;
    const PresentSamples* const present = samples_of(presence_of(kernel.view, presences));
    const FeatureRows values = view != nullptr ? FeatureRows() : features.of(kernel, present);
    GivenMatrix matrix = view != nullptr ? view->matrix : GivenMatrix();
    if (view != nullptr && present != nullptr) {
      matrix = part_of_matrix(matrix, present->samples(), present->samples());
    }
    const void* const what = view != nullptr ? view : values.address();
    const auto found = place.try_emplace(
        {what, view != nullptr ? matrix.cols() : values.cols(), kernel.function.name}, all.size());
    of_kernel[m] = found.first->second;
    if (!found.second) continue;
    all.push_back({kernel, values, matrix,
                   present == nullptr ? Vector(weights.begin(), weights.end())
                                      : entries_at(weights, present->samples())});
  }
  parallel_for(context, length(all), [&](Index i) { all[to_size(i)].measure(); });
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    KernelDescription& kernel = kernels[m];
    if (!kernel.relative_width) continue;
    const double width = all[of_kernel[m]].distances.width(*kernel.relative_width);
    kernel.function = with_width(kernel.function, width);
  }
  return kernels;
}

}  // namespace kernmix
