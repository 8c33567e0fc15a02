// k(x, z) = (gamma x . z + coef0)^degree
//
// Positive semidefinite for whole degrees, gamma > 0 and coef0 >= 0 (a polynomial of a kernel with
// coefficients >= 0). Its feature space is that of the monomials of degree `degree` in the columns
// (coef0 = 0) or of at most that degree (coef0 > 0).

#include <cmath>

#include "kernel/functions/definition.hpp"

namespace kernmix::kernels {
namespace {

double whole_power(double base, int exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent /= 2, base *= base) {
    if (exponent % 2 == 1) result *= base;
  }
  return result;
}

void finish(const KernelFunction& function, MutableSpan values) {
  const double gamma = function.parameters.at("gamma");
  const double coef0 = function.parameters.at("coef0");
  const int degree = static_cast<int>(function.parameters.at("degree"));
  for (double& value : values) value = whole_power(gamma * value + coef0, degree);
}

/// The number of monomials: binomial(columns + degree - 1, degree), with the constant as one more
/// column when coef0 > 0.
double monomials(const KernelFunction& function, double columns) {
  const double degree = function.parameters.at("degree");
  const double variables = columns + (function.parameters.at("coef0") > 0.0 ? 1.0 : 0.0);
  double count = 1.0;
  for (double k = 1.0; k <= degree; k += 1.0) count *= (variables - 1.0 + k) / k;
  return std::round(count);
}

}  // namespace

KernelDefinition poly() {
  using Range = KernelParameter::Range;
  return {
      .info = {.name = "poly",
               .formula = "(gamma x . z + coef0)^degree",
               .parameters = "degree 1, 2, ... 100; gamma > 0 (default 1); coef0 >= 0 (default 0)",
               .always_psd = true},
      .parameters = {{.name = "degree", .range = Range::whole},
                     {.name = "gamma", .range = Range::positive, .fallback = 1.0},
                     {.name = "coef0", .range = Range::nonnegative, .fallback = 0.0}},
      .comparison = Comparison::dot,
      .finish = finish,
      .rank = monomials};
}

}  // namespace kernmix::kernels
