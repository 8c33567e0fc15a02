#pragma once
/// \file
/// With which of its kernels OpenBLAS computes.

namespace kernmix::cli {

/// OpenBLAS chooses its kernels as it is loaded, and on a processor that is younger than itself the
/// oldest ones, which take two to three times as long. This starts the program again with those for
/// the instructions that the processor has, unless OPENBLAS_CORETYPE says which to take; where that
/// cannot be done it returns, and the old ones do.
void use_kernels_of_processor(char** argv);

}  // namespace kernmix::cli
