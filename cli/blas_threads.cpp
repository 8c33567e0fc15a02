#include "blas_threads.hpp"

extern "C" {
// OpenBLAS only; another BLAS leaves these null.
__attribute__((weak)) void openblas_set_num_threads(int count);
__attribute__((weak)) int blas_thread_shutdown_();  // what it calls before a fork, too
}

namespace kernmix::cli {

void end_blas_threads() {
  if (openblas_set_num_threads == nullptr || blas_thread_shutdown_ == nullptr) return;
  openblas_set_num_threads(1);  // else they are started again with the next such call
  blas_thread_shutdown_();
}

}  // namespace kernmix::cli
