// k(x_i, x_j) = G_ij, a Gram matrix that the user gives

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition precomputed() {
  return {.info = {.name = "precomputed",
                   .formula = "the given Gram matrix",
                   .input = KernelInput::gram},
          .comparison = Comparison::given};
}

}  // namespace kernmix::kernels
