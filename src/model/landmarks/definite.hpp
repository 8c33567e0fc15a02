#pragma once
/// \file
/// Whether kernels of given matrices have the factors that landmarks need.

#include "model/pipeline.hpp"

namespace kernmix {

/// Of each kernel that may be indefinite K[P, P] must be, and the residual K - K~ must have no
/// negative diagonal entry, apart from rounding; K[:, P] must be the mirror image of K[P, :]. The
/// kernels of the landmarks are then positive semidefinite. The bounds on the kernels as written
/// need the same of all of K.
/// \param whole  test all of K
/// \throws DataError naming the kernel; ResourceError if the test of all of K does not fit
void check_factors(const TrainingKernels& kernels, bool whole, const Context& context);

}  // namespace kernmix
