// k(x, z) = x . z

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition linear() {
  return {.info = {.name = "linear",
                   .formula = "x . z",
                   .parameters = "none",
                   .input = KernelInput::features,
                   .on_distances = false,
                   .always_psd = true},
          .comparison = Comparison::dot,
          .rank = [](const KernelFunction&, double columns) { return columns; }};
}

}  // namespace kernmix::kernels
