#pragma once
/// \file
/// Widths relative to distances between training samples.

#include <vector>

#include "model/pipeline.hpp"

namespace kernmix {

/// The kernels with gamma fitted to the training samples if their width is relative, and other
/// kernels unchanged. The result can be compared with a model: it does not depend on the input
/// gammas and, up to rounding, on the order of the samples.
/// \param weights sample weights; {}: all 1
/// \throws DataError naming a kernel whose median distance is not finite
[[nodiscard]] std::vector<KernelDescription> fit_widths(std::vector<KernelDescription> kernels,
                                                        FeatureColumns& features,
                                                        const std::vector<MatrixView>& matrices,
                                                        const Presences& presences,
                                                        ConstSpan weights, const Context& context);

}  // namespace kernmix
