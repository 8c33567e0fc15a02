#include "base/blas_threads.hpp"

#include <mutex>

#include "base/blas/blas_routines.hpp"

namespace kernmix {
namespace {

/// The thread count of BLAS, which is global.
struct BlasThreads {
  std::mutex mutex;
  int lives = 0;
  int saved = 1;
};

BlasThreads& blas_threads() {
  static BlasThreads threads;
  return threads;
}

}  // namespace

SerialBlas::SerialBlas() {
  // A program that contains OpenBLAS may load it after the library chose routines. Static
  // libraries need the reference, or they would leave that file out.
  static const bool chosen = (use_blas_routines_of_processor(), true);
  static_cast<void>(chosen);
  BlasThreads& blas = blas_threads();
  const std::lock_guard lock(blas.mutex);
  if (blas.lives++ > 0 || openblas_get_num_threads == nullptr) return;
  blas.saved = openblas_get_num_threads();
  if (blas.saved != 1 && openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

SerialBlas::~SerialBlas() {
  BlasThreads& blas = blas_threads();
  const std::lock_guard lock(blas.mutex);
  if (--blas.lives > 0 || openblas_set_num_threads == nullptr) return;
  if (blas.saved != 1) openblas_set_num_threads(blas.saved);
}

}  // namespace kernmix
