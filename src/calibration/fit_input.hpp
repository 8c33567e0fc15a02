#pragma once
/// \file
/// Checks of the input of a calibration.

#include "base/samples.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ParameterError if lengths differ, there is no sample, a value is not finite, or a weight
/// is not > 0
void check_fit_input(ConstSpan values, ConstSpan decision, ConstSpan weights);

}  // namespace kernmix
