#include "base/blas/blas_routines.hpp"

#include <cstdlib>
#include <string_view>

extern "C" {  // OpenBLAS only
__attribute__((weak)) char* openblas_get_corename();
// Called when OpenBLAS is unloaded and loaded: they reset and select its routines.
__attribute__((weak)) void gotoblas_dynamic_quit();
__attribute__((weak)) void gotoblas_dynamic_init();
}

namespace kernmix {
namespace {

constexpr const char* kChoice = "OPENBLAS_CORETYPE";

/// The routines of OpenBLAS for unknown processors; recent versions call Prescott's Katmai.
bool is_last_resort(std::string_view routines) {
  return routines == "Prescott" || routines == "Katmai" || routines == "Barcelona";
}

/// Null if the routines for unknown processors are appropriate.
const char* routines_of_processor() {
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    return "SKYLAKEX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "HASWELL";
  if (__builtin_cpu_supports("avx")) return "SANDYBRIDGE";
  if (__builtin_cpu_supports("sse4.2")) return "NEHALEM";
#endif
  return nullptr;
}

/// When the library is loaded, no thread of the program uses BLAS through it.
[[maybe_unused]] const bool chosen_at_load = (use_blas_routines_of_processor(), true);

}  // namespace

void use_blas_routines_of_processor() noexcept {
  if (openblas_get_corename == nullptr || gotoblas_dynamic_init == nullptr ||
      gotoblas_dynamic_quit == nullptr) {
    return;
  }
  if (std::getenv(kChoice) != nullptr || !is_last_resort(openblas_get_corename())) return;
  const char* routines = routines_of_processor();
  if (routines == nullptr || setenv(kChoice, routines, 0) != 0) return;
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(kChoice);
}

}  // namespace kernmix
