// k(x, z) = sum 2 x z / (x + z), x, z >= 0, 0/0 = 0: for histograms
//
// Vedaldi and Zisserman, Efficient additive kernels via explicit feature maps, PAMI 2012.

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition additive_chi2() {
  return {.info = {.name = "additive_chi2",
                   .formula = "sum 2 x z / (x + z)",
                   .input = KernelInput::nonnegative,
                   .always_psd = true},
          .comparison = Comparison::harmonic_sum};
}

}  // namespace kernmix::kernels
