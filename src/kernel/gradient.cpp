// With the comparison c_s = c(x, z_s) and k = g(c): dk/dx_j = g'(c_s) dc_s/dx_j. Divided by
// sqrt(k(x, x) k(z, z)), with b_s = a_s / sqrt(k(x, x) k(z_s, z_s)) and F = sum_s b_s k(x, z_s):
//
//     sum_s b_s dk(x, z_s)/dx_j - F / (2 k(x, x)) dk(x, x)/dx_j

#include "kernel/gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/column_term.hpp"
#include "kernel/functions/definition.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The comparison of two samples; `slopes` receives its derivative in x.
double compared(Comparison comparison, ConstSpan x, ConstSpan z, MutableSpan slopes) {
  double value = 0.0;
  double size_x = 0.0;  // for quotients: |x|^2, or the sum of x
  double size_z = 0.0;
  const bool cosine = comparison == Comparison::cosine;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const ValueAndSlope term = column_term(comparison, x[j], z[j]);
    value += term.value;
    slopes[j] = term.slope;
    size_x += cosine ? x[j] * x[j] : x[j];
    size_z += cosine ? z[j] * z[j] : z[j];
  }
  if (!cosine && comparison != Comparison::shared_part) return value;
  // c = f value / N with N = |x| |z|, f = 1, dN/dx_j = N x_j / |x|^2; or N = sum (x + z), f = 2,
  // dN/dx_j = 1.
  const double divisor = cosine ? std::sqrt(size_x * size_z) : size_x + size_z;
  if (divisor == 0.0) {
    std::ranges::fill(slopes, 0.0);
    return 0.0;
  }
  const double ratio = (cosine ? 1.0 : 2.0) * value / divisor;
  for (std::size_t j = 0; j < x.size(); ++j) {
    slopes[j] =
        cosine ? slopes[j] / divisor - ratio * x[j] / size_x : (2.0 * slopes[j] - ratio) / divisor;
  }
  return ratio;
}

bool is_distance(Comparison comparison) {
  return comparison == Comparison::squared_distance ||
         comparison == Comparison::absolute_distance || comparison == Comparison::chi2_distance;
}

/// g(c) and g'(c).
ValueAndSlope finished(const KernelFunction& function, const KernelDefinition& kernel, double c) {
  if (kernel.finish == nullptr) return {c, 1.0};
  const auto g = [&](double at) {
    kernel.finish(function, MutableSpan(&at, 1));
    return at;
  };
  // A function of a distance may have a kink at 0 and is undefined below.
  const bool distance = is_distance(kernel.comparison);
  if (distance && c <= 0.0) return {g(0.0), 0.0};
  const auto gamma = function.parameters.find("gamma");
  const double unit = gamma == function.parameters.end() ? 1.0 : 1.0 / gamma->second;
  const double h = 1e-3 * (distance ? c : std::max(std::abs(c), unit));
  const double slope =
      (8.0 * (g(c + h) - g(c - h)) - (g(c + 2.0 * h) - g(c - 2.0 * h))) / (12.0 * h);
  return {g(c), slope};
}

}  // namespace

KernelGradient::KernelGradient(const KernelFunction& function, ConstMatrix right, bool cosine)
    : function_(function), right_(std::move(right)), cosine_(cosine) {
  const KernelDefinition& kernel = find_kernel(function.name);
  if (kernel.comparison == Comparison::given) {
    throw ParameterError(fmt::format("{} reads no features to derive it by", function.name));
  }
  Vector unused(to_size(right_.cols));
  for (Index s = 0; cosine_ && s < right_.rows; ++s) {
    const double c = compared(kernel.comparison, right_.row(s), right_.row(s), unused);
    right_diagonal_.push_back(finished(function_, kernel, c).value);
  }
}

RowMatrix KernelGradient::at(ConstSpan x, const Eigen::Ref<const RowMatrix>& a) const {
  const KernelDefinition& kernel = find_kernel(function_.name);
  Vector own_slopes(x.size());
  const ValueAndSlope own =
      finished(function_, kernel, compared(kernel.comparison, x, x, own_slopes));
  RowMatrix weights = a;
  RowMatrix slopes(right_.rows, right_.cols);
  Eigen::RowVectorXd value = Eigen::RowVectorXd::Zero(a.cols());
  for (Index s = 0; s < right_.rows; ++s) {
    const MutableSpan row(slopes.data() + s * slopes.cols(), x.size());
    const ValueAndSlope term =
        finished(function_, kernel, compared(kernel.comparison, x, right_.row(s), row));
    if (cosine_) {
      const double size = std::sqrt(own.value * right_diagonal_[to_size(s)]);
      weights.row(s) *= size > 0.0 ? 1.0 / size : 0.0;
      value += weights.row(s) * term.value;
    }
    weights.row(s) *= term.slope;
  }
  RowMatrix gradient = weights.transpose() * slopes;
  // dk(x, x)/dx_j is twice the derivative in the left sample, because kernels are symmetric.
  if (cosine_ && own.value > 0.0) {
    gradient -=
        value.transpose() * as_vector(ConstSpan(own_slopes)).transpose() * (own.slope / own.value);
  }
  return gradient;
}

}  // namespace kernmix
