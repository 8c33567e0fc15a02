// k(x, z) = exp(-sqrt(gamma) |x - z|), gamma = 1 / width^2
//
// Xu, Tsang and Xu, Soft margin multiple kernel learning, TNNLS 2013, section V-E, where it is
// called the Laplacian kernel.

#include <cmath>

#include "kernel/functions/definition.hpp"
#include "kernel/vector_math.hpp"

namespace kernmix::kernels {

KernelDefinition exponential() {
  return kernel_of_length("exponential", "exp(-sqrt(gamma) |x - z|)",
                          [](const KernelFunction& function, MutableSpan values) {
                            for (double& value : values) value = std::sqrt(value);
                            exponentials(-std::sqrt(function.parameters.at("gamma")), values);
                          });
}

}  // namespace kernmix::kernels
