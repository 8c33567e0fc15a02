// With s = sqrt(2 nu gamma) |x - z|, gamma = 1 / width^2:
//   nu = 1/2: k(x, z) = exp(-s)
//   nu = 3/2: k(x, z) = (1 + s) exp(-s)
//   nu = 5/2: k(x, z) = (1 + s + s^2 / 3) exp(-s)
//
// Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, equations 4.14 to 4.17.

#include <cmath>

#include "kernel/functions/definition.hpp"
#include "kernel/vector_math.hpp"

namespace kernmix::kernels {
namespace {

double matern_polynomial(double nu, double s) {
  if (nu == 0.5) return 1.0;
  return nu == 1.5 ? 1.0 + s : 1.0 + s + s * s / 3.0;
}

void decay_with_distance(const KernelFunction& function, MutableSpan values) {
  const double nu = function.parameters.at("nu");
  const double rate = std::sqrt(2.0 * nu) * std::sqrt(function.parameters.at("gamma"));
  for (double& value : values) value = rate * std::sqrt(value);
  Vector decay(values.begin(), values.end());
  exponentials(-1.0, decay);
  for (std::size_t i = 0; i < decay.size(); ++i) {  // s may be infinite where exp(-s) is 0
    values[i] = decay[i] == 0.0 ? 0.0 : decay[i] * matern_polynomial(nu, values[i]);
  }
}

}  // namespace

KernelDefinition matern() {
  using Range = KernelParameter::Range;
  return {
      .info = {.name = "matern",
               .formula = "p(s) exp(-s), s = sqrt(2 nu gamma) |x - z|, p(s) = 1, 1 + s or "
                          "1 + s + s^2 / 3",
               .parameters = "nu 0.5, 1.5 or 2.5 (default 1.5); gamma > 0 (default 1 / "
                             "columns) or width > 0 (gamma = 1 / width^2)",
               .on_distances = true,
               .always_psd = true},
      .parameters = {{.name = "nu", .range = Range::half_odd, .fallback = 1.5}, gamma_per_column()},
      .gamma_of_width = gamma_of_length,
      .comparison = Comparison::squared_distance,
      .finish = decay_with_distance};
}

}  // namespace kernmix::kernels
