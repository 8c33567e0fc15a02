// k(x, z) = exp(-gamma |x - z|^2), gamma = 1 / (2 width^2): the Gaussian kernel
//
// Schoelkopf and Smola, Learning with Kernels, 2002. The MKL papers write it with a width.

#include "kernel/functions/definition.hpp"
#include "kernel/vector_math.hpp"

namespace kernmix::kernels {

KernelDefinition rbf() {
  return {
      .info = {.name = "rbf",
               .formula = "exp(-gamma |x - z|^2)",
               .parameters = "gamma > 0 (default 1 / columns) or width > 0 "
                             "(gamma = 1 / (2 width^2))",
               .on_distances = true,
               .always_psd = true},
      .parameters = {gamma_per_column()},
      .gamma_of_width = [](double width) { return 1.0 / (2.0 * width * width); },
      .comparison = Comparison::squared_distance,
      .finish = [](const KernelFunction& function,
                   MutableSpan values) { exponentials(-function.parameters.at("gamma"), values); }};
}

}  // namespace kernmix::kernels
