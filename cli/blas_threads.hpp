#pragma once

namespace kernmix::cli {

/// Ends the threads that OpenBLAS starts when it is loaded, if it is the BLAS: kernmix calls it
/// from threads of its own, and these look for work in a loop for a tenth of a second, on a core
/// that reading and building kernels could use.
void end_blas_threads();

}  // namespace kernmix::cli
