// k(x, z) = exp(-gamma |x/|x| - z/|z||^2) = exp(-2 gamma (1 - x . z / (|x| |z|))), gamma = 1 / (2
// width^2): the Gaussian kernel of normalised samples, a function of their directions
//
// Up to a factor the von Mises-Fisher kernel: Mardia and Jupp, Directional Statistics, 2000,
// section 9.3.2. The zero vector has the cosine 0 with every sample; exp(2 gamma c) is positive
// semidefinite as a power series of the cosine.

#include "kernel/functions/definition.hpp"
#include "kernel/vector_math.hpp"

namespace kernmix::kernels {

KernelDefinition spherical_rbf() {
  return {
      .info = {.name = "spherical_rbf",
               .formula = "exp(-gamma |x/|x| - z/|z||^2)",
               .parameters = "gamma > 0 (default 1) or width > 0 (gamma = 1 / (2 width^2))",
               .always_psd = true},
      .parameters = {{.name = "gamma", .range = KernelParameter::Range::positive, .fallback = 1.0}},
      .gamma_of_width = [](double width) { return 1.0 / (2.0 * width * width); },
      .comparison = Comparison::cosine,
      .finish =
          [](const KernelFunction& function, MutableSpan values) {
            for (double& value : values) value = 2.0 - 2.0 * value;
            exponentials(-function.parameters.at("gamma"), values);
          }};
}

}  // namespace kernmix::kernels
