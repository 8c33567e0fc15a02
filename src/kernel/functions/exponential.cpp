// k(x, z) = exp(-sqrt(gamma) |x - z|), gamma = 1 / width^2
//
// Xu, Tsang and Xu, Soft margin multiple kernel learning, TNNLS 2013, section V-E, where it is
// called the Laplacian kernel.

#include <cmath>

#include "kernel/functions/definition.hpp"
#include "kernel/vector_math.hpp"

namespace kernmix::kernels {

KernelDefinition exponential() {
  return {
      .info = {.name = "exponential",
               .formula = "exp(-sqrt(gamma) |x - z|)",
               .parameters = "gamma > 0 (default 1 / columns) or width > 0 (gamma = 1 / width^2)",
               .on_distances = true,
               .always_psd = true},
      .parameters = {gamma_per_column()},
      .gamma_of_width = gamma_of_length,
      .comparison = Comparison::squared_distance,
      .finish = [](const KernelFunction& function, MutableSpan values) {
        for (double& value : values) value = std::sqrt(value);
        exponentials(-std::sqrt(function.parameters.at("gamma")), values);
      }};
}

}  // namespace kernmix::kernels
