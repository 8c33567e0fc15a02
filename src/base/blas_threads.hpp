#pragma once
/// \file
/// Restriction of BLAS to one thread. Parallelism comes from our own blocks, so that results do not
/// depend on the number of BLAS threads.

extern "C" {
// Functions of OpenBLAS; null with another BLAS.
__attribute__((weak)) void openblas_set_num_threads(int count);
__attribute__((weak)) int openblas_get_num_threads();
__attribute__((weak)) int blas_thread_shutdown_();  // OpenBLAS also calls it before a fork
}

namespace kernmix {

/// Keeps BLAS on one thread during its lifetime, with routines of this processor
/// (base/blas/blas_routines.hpp). Objects are counted: the first sets the number of threads, the
/// last restores it.
class SerialBlas {
 public:
  SerialBlas();
  ~SerialBlas();
  SerialBlas(const SerialBlas&) = delete;
  SerialBlas& operator=(const SerialBlas&) = delete;
};

/// Stops the threads that OpenBLAS starts when it is loaded: they spin for a tenth of a second on
/// cores that our threads could use. Only for programs, which own all their threads.
inline void end_blas_threads() {
  if (openblas_set_num_threads == nullptr || blas_thread_shutdown_ == nullptr) return;
  openblas_set_num_threads(1);  // otherwise the next call that sets threads restarts them
  blas_thread_shutdown_();
}

}  // namespace kernmix
