// k(x, z) = sum min(x, z), x, z >= 0: histogram intersection
//
// Barla, Odone and Verri, Histogram intersection kernel for image classification, ICIP 2003.

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition intersection() {
  return {.info = {.name = "intersection",
                   .formula = "sum min(x, z)",
                   .input = KernelInput::nonnegative,
                   .always_psd = true},
          .comparison = Comparison::minimum_sum};
}

}  // namespace kernmix::kernels
