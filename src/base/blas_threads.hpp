#pragma once
/// \file
/// BLAS on one thread while our own blocks carry the parallelism, so that results do not depend on
/// how many threads BLAS would take.

#include <mutex>

extern "C" {
// OpenBLAS only; another BLAS leaves these null.
__attribute__((weak)) void openblas_set_num_threads(int count);
__attribute__((weak)) int openblas_get_num_threads();
__attribute__((weak)) int blas_thread_shutdown_();  // what it calls before a fork, too
}

namespace kernmix {

/// Keeps BLAS on one thread during its life. Nested and concurrent lives are counted: the first
/// sets, the last restores.
class SerialBlas {
 public:
  SerialBlas() {
    const std::lock_guard lock(mutex_);
    if (lives_++ > 0 || openblas_get_num_threads == nullptr) return;
    saved_ = openblas_get_num_threads();
    if (saved_ != 1 && openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  }
  ~SerialBlas() {
    const std::lock_guard lock(mutex_);
    if (--lives_ > 0 || openblas_set_num_threads == nullptr) return;
    if (saved_ != 1) openblas_set_num_threads(saved_);
  }
  SerialBlas(const SerialBlas&) = delete;
  SerialBlas& operator=(const SerialBlas&) = delete;

 private:
  static inline std::mutex mutex_;  // guards the thread count of BLAS, which is global itself
  static inline int lives_ = 0;
  static inline int saved_ = 1;
};

/// Ends the threads that OpenBLAS started when it was loaded, if it is the BLAS: these look for
/// work in a loop for a tenth of a second, on a core that ours could use. For programs, whose
/// threads are all their own.
inline void end_blas_threads() {
  if (openblas_set_num_threads == nullptr || blas_thread_shutdown_ == nullptr) return;
  openblas_set_num_threads(1);  // else they are started again with the next such call
  blas_thread_shutdown_();
}

}  // namespace kernmix
