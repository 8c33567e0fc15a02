#include "blas_threads.hpp"

extern "C" {
// What OpenBLAS calls before a fork, too; another BLAS leaves it null.
__attribute__((weak)) int blas_thread_shutdown_();
}

namespace kernmix::cli {

void end_blas_threads() {
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
}

}  // namespace kernmix::cli
