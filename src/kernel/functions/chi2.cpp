// k(x, z) = exp(-gamma sum (x - z)^2 / (x + z)), gamma = 1 / width, x, z >= 0, 0/0 = 0: for
// histograms
//
// Zhang, Marszalek, Lazebnik and Schmid, Local features and kernels for classification of texture
// and object categories, IJCV 2007 (their factor 1/2 is in gamma here).

#include "kernel/functions/definition.hpp"
#include "kernel/vector_math.hpp"

namespace kernmix::kernels {

KernelDefinition chi2() {
  return {
      .info = {.name = "chi2",
               .formula = "exp(-gamma sum (x - z)^2 / (x + z))",
               .parameters = "gamma > 0 (default 1) or width > 0 (gamma = 1 / width)",
               .input = KernelInput::nonnegative,
               .always_psd = true},
      .parameters = {{.name = "gamma", .range = KernelParameter::Range::positive, .fallback = 1.0}},
      .gamma_of_width = [](double width) { return 1.0 / width; },
      .comparison = Comparison::chi2_distance,
      .finish = [](const KernelFunction& function,
                   MutableSpan values) { exponentials(-function.parameters.at("gamma"), values); }};
}

}  // namespace kernmix::kernels
