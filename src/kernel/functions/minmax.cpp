// k(x, z) = sum min(x, z) / sum max(x, z), x, z >= 0, 0/0 = 0: Ruzicka's similarity, which is
// Tanimoto's (Jaccard's) of fingerprints of 0 and 1
//
// Ralaivola, Swamidass, Saigo and Baldi, Graph kernels for chemical informatics, Neural Networks
// 2005; Bouchard, Jousselme and Dore, A proof for the positive definiteness of the Jaccard index
// matrix, IJAR 2013. Since sum max(x, z) = sum x + sum z - sum min(x, z), it is t / (1 - t) =
// t + t^2 + ... of t = sum min(x, z) / (sum x + sum z), half of `bray_curtis`: a power series with
// coefficients >= 0 of a kernel that is positive semidefinite and at most 1/2.

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition minmax() {
  return {.info = {.name = "minmax",
                   .formula = "sum min(x, z) / sum max(x, z)",
                   .input = KernelInput::nonnegative,
                   .always_psd = true},
          .comparison = Comparison::shared_part,
          .finish = [](const KernelFunction&, MutableSpan values) {
            for (double& value : values) value /= 2.0 - value;
          }};
}

}  // namespace kernmix::kernels
