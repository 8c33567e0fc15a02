#pragma once
/// \file
/// What every fit of a calibration is given.

#include "base/samples.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ParameterError where lengths differ, there is no sample, or a value is not finite or, of
/// a weight, not > 0
void check_fit_input(ConstSpan values, ConstSpan decision, ConstSpan weights);

}  // namespace kernmix
