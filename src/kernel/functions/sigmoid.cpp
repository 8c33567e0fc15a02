// k(x, z) = tanh(gamma x . z + coef0)
//
// Not positive semidefinite in general (Schoelkopf and Smola, Learning with Kernels, 2002).

#include <cmath>

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {

KernelDefinition sigmoid() {
  using Range = KernelParameter::Range;
  return {.info = {.name = "sigmoid",
                   .formula = "tanh(gamma x . z + coef0)",
                   .parameters = "gamma > 0 (default 1 / columns); coef0 (default 0)"},
          .parameters = {{.name = "gamma", .range = Range::positive, .per_column = true},
                         {.name = "coef0", .range = Range::any, .fallback = 0.0}},
          .comparison = Comparison::dot,
          .finish = [](const KernelFunction& function, MutableSpan values) {
            const double gamma = function.parameters.at("gamma");
            const double coef0 = function.parameters.at("coef0");
            for (double& value : values) value = std::tanh(gamma * value + coef0);
          }};
}

}  // namespace kernmix::kernels
