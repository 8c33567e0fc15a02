// k(x, z) = x . z / (|x| |z|), 0 when either is the zero vector: the linear kernel with normalized
// samples

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition cosine() {
  return {.info = {.name = "cosine", .formula = "x . z / (|x| |z|)", .always_psd = true},
          .comparison = Comparison::cosine,
          .rank = [](const KernelFunction&, double columns) { return columns; }};
}

}  // namespace kernmix::kernels
