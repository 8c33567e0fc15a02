// k(x, z) = exp(-gamma |x - z|_1), gamma = 1 / width: the Laplacian kernel
//
// Rahimi and Recht, Random features for large-scale kernel machines, NIPS 2007, figure 1.
// The kernel that the soft-margin paper calls Laplacian uses the Euclidean norm: `exponential`.

#include "kernel/functions/definition.hpp"
#include "kernel/vector_math.hpp"

namespace kernmix::kernels {

KernelDefinition laplacian() {
  return {
      .info = {.name = "laplacian",
               .formula = "exp(-gamma |x - z|_1)",
               .parameters = "gamma > 0 (default 1 / columns) or width > 0 (gamma = 1 / width)",
               .on_distances = true,
               .always_psd = true},
      .parameters = {gamma_per_column()},
      .gamma_of_width = [](double width) { return 1.0 / width; },
      .comparison = Comparison::absolute_distance,
      .finish = [](const KernelFunction& function,
                   MutableSpan values) { exponentials(-function.parameters.at("gamma"), values); }};
}

}  // namespace kernmix::kernels
