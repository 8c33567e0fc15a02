// k(x, z) = 2 sum min(x, z) / (sum x + sum z), x, z >= 0, 0/0 = 0: for counts
//
// 1 - sum |x - z| / sum (x + z), the similarity corresponding to the dissimilarity of Bray and
// Curtis, An ordination of the upland forest communities of southern Wisconsin, Ecological
// Monographs 1957. Positive semidefinite as the product of two kernels that are: sum min(x, z)
// (histogram intersection) and 1 / (a + b) for a, b > 0 (Cauchy).

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition bray_curtis() {
  return {.info = {.name = "bray_curtis",
                   .formula = "2 sum min(x, z) / sum (x + z)",
                   .input = KernelInput::nonnegative,
                   .always_psd = true},
          .comparison = Comparison::shared_part};
}

}  // namespace kernmix::kernels
