#include "model/kernels/fitted_widths.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "base/parallel.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Kernels of the same function on the same values have the same distances.
struct Measured {
  KernelDescription kernel;
  FeatureRows values;
  GivenMatrix matrix;
  TypicalDistances distances = {};

  void measure(ConstSpan weights) {
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
                                          ConstSpan weights, const Context& context) {
  std::vector<Measured> all;
  std::map<std::tuple<const void*, Index, std::string>, std::size_t> place;
  std::vector<std::size_t> of_kernel(kernels.size());
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    const KernelDescription& kernel = kernels[m];
    if (!kernel.relative_width) continue;
    const MatrixView* const view =
        kernel.from_matrix ? &find_matrix(matrices, kernel.view) : nullptr;
    const FeatureRows values = view != nullptr ? FeatureRows() : features.of(kernel);
    const GivenMatrix matrix = view != nullptr ? view->matrix : GivenMatrix();
    const void* const what = view != nullptr ? view : values.address();
    const auto found = place.try_emplace(
        {what, view != nullptr ? matrix.cols() : values.cols(), kernel.function.name}, all.size());
    of_kernel[m] = found.first->second;
    if (found.second) all.push_back({kernel, values, matrix});
  }
  parallel_for(context, length(all), [&](Index i) { all[to_size(i)].measure(weights); });
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    KernelDescription& kernel = kernels[m];
    if (!kernel.relative_width) continue;
    const double width = all[of_kernel[m]].distances.width(*kernel.relative_width);
    kernel.function = with_width(kernel.function, width);
  }
  return kernels;
}

}  // namespace kernmix
