// k(x, z) = x . z

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition linear() {
  return {.info = {.name = "linear", .formula = "x . z", .always_psd = true},
          .comparison = Comparison::dot,
          .rank = [](const KernelFunction&, double columns) { return columns; }};
}

}  // namespace kernmix::kernels
