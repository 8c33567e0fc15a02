#include <cstdlib>
#include <string_view>

#include "kernmix/process.hpp"

extern "C" {  // OpenBLAS only
__attribute__((weak)) char* openblas_get_corename();
// What it calls when it is loaded and unloaded: forgets its kernels, and chooses them.
__attribute__((weak)) void gotoblas_dynamic_quit();
__attribute__((weak)) void gotoblas_dynamic_init();
}

namespace kernmix {
namespace {

constexpr const char* kChoice = "OPENBLAS_CORETYPE";

/// What OpenBLAS takes for a processor that it does not know.
bool is_last_resort(std::string_view kernels) {
  return kernels == "Prescott" || kernels == "Barcelona";
}

/// Null where the last resort is right.
const char* kernels_of_processor() {
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    return "SKYLAKEX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "HASWELL";
#endif
  return nullptr;
}

}  // namespace

void use_blas_kernels_of_processor() {
  if (openblas_get_corename == nullptr || gotoblas_dynamic_init == nullptr) return;
  if (std::getenv(kChoice) != nullptr || !is_last_resort(openblas_get_corename())) return;
  const char* kernels = kernels_of_processor();
  if (kernels == nullptr || setenv(kChoice, kernels, 0) != 0) return;
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(kChoice);
}

}  // namespace kernmix
