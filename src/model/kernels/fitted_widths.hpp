#pragma once
/// \file
/// Widths that an expression gives relative to distances between training samples.

#include <vector>

#include "model/pipeline.hpp"

namespace kernmix {

/// The kernels with gamma as the training samples have it, where their width is relative; the
/// others as they are. What a model says of its kernels can be compared with it: the result does
/// not depend on the gammas given, and up to rounding not on the order of the samples.
/// \param weights  how often each sample counts; {}: once
/// \throws DataError naming a kernel whose median distance is not finite
[[nodiscard]] std::vector<KernelDescription> fit_widths(std::vector<KernelDescription> kernels,
                                                        FeatureColumns& features,
                                                        const std::vector<MatrixView>& matrices,
                                                        ConstSpan weights, const Context& context);

}  // namespace kernmix
