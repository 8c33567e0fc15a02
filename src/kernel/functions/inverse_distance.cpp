// k(x, z) = 1 / (sqrt(gamma) |x - z| + 1), gamma = 1 / width^2
//
// Xu, Tsang and Xu, Soft margin multiple kernel learning, TNNLS 2013, section V-E. Positive
// semidefinite: 1 / (sqrt(s) + 1) is completely monotone in s = gamma |x - z|^2 (Schoenberg 1938).

#include <cmath>

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition inverse_distance() {
  return kernel_of_length("inverse_distance", "1 / (sqrt(gamma) |x - z| + 1)",
                          [](const KernelFunction& function, MutableSpan values) {
                            const double gamma = function.parameters.at("gamma");
                            for (double& value : values) {
                              value = 1.0 / (std::sqrt(gamma * value) + 1.0);
                            }
                          });
}

}  // namespace kernmix::kernels
