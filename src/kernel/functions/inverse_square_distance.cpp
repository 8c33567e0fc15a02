// k(x, z) = 1 / (gamma |x - z|^2 + 1), gamma = 1 / width^2
//
// Xu, Tsang and Xu, Soft margin multiple kernel learning, TNNLS 2013, section V-E. Positive
// semidefinite: 1 / (s + 1) is completely monotone in s = gamma |x - z|^2 (Schoenberg 1938).

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition inverse_square_distance() {
  return kernel_of_length("inverse_square_distance", "1 / (gamma |x - z|^2 + 1)",
                          [](const KernelFunction& function, MutableSpan values) {
                            const double gamma = function.parameters.at("gamma");
                            for (double& value : values) value = 1.0 / (gamma * value + 1.0);
                          });
}

}  // namespace kernmix::kernels
