#include "blas_kernels.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

extern "C" __attribute__((weak)) char* openblas_get_corename();  // OpenBLAS only

namespace kernmix::cli {
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

void use_kernels_of_processor(char** argv) {
  if (openblas_get_corename == nullptr || std::getenv(kChoice) != nullptr) return;
  if (!is_last_resort(openblas_get_corename())) return;
  const char* kernels = kernels_of_processor();
  if (kernels == nullptr || setenv(kChoice, kernels, 0) != 0) return;
  if (getauxval(AT_BASE) == 0) return;  // /proc/self/exe is the loader, which was given the program
  execv("/proc/self/exe", argv);
}

}  // namespace kernmix::cli
