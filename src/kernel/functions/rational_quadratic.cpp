// k(x, z) = (1 + gamma |x - z|^2 / alpha)^-alpha, gamma = 1 / (2 width^2)
//
// Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, equation 4.19: a mixture
// of Gaussian kernels of all widths, rbf(gamma) in the limit of large alpha.

#include <cmath>

#include "kernel/functions/definition.hpp"
#include "kernel/vector_math.hpp"

namespace kernmix::kernels {

KernelDefinition rational_quadratic() {
  using Range = KernelParameter::Range;
  return {.info = {.name = "rational_quadratic",
                   .formula = "(1 + gamma |x - z|^2 / alpha)^-alpha",
                   .parameters = "alpha > 0 (default 1); gamma > 0 (default 1 / columns) or "
                                 "width > 0 (gamma = 1 / (2 width^2))",
                   .on_distances = true,
                   .always_psd = true},
          .parameters = {{.name = "alpha", .range = Range::positive, .fallback = 1.0},
                         gamma_per_column()},
          .gamma_of_width = [](double width) { return 1.0 / (2.0 * width * width); },
          .comparison = Comparison::squared_distance,
          .finish =
              [](const KernelFunction& function, MutableSpan values) {
                const double alpha = function.parameters.at("alpha");
                const double rate = function.parameters.at("gamma") / alpha;
                for (double& value : values) {  // the rate may be infinite
                  value = value == 0.0 ? 0.0 : std::log1p(rate * value);
                }
                exponentials(-alpha, values);
              }};
}

}  // namespace kernmix::kernels
