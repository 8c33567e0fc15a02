#pragma once
/// \file
/// The definition of a kernel function, one file for each: a comparison of two samples, and a
/// function of the number that it gives.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// The number that compares two samples x and z.
enum class Comparison {
  dot,                ///< x . z
  cosine,             ///< x . z / (|x| |z|), 0 when either is the zero vector
  squared_distance,   ///< |x - z|^2; for a given distance matrix d: d^2
  absolute_distance,  ///< |x - z|_1; for a given distance matrix d: d
  chi2_distance,      ///< sum (x - z)^2 / (x + z)
  harmonic_sum,       ///< sum 2 x z / (x + z)
  minimum_sum,        ///< sum min(x, z)
  shared_part,        ///< 2 sum min(x, z) / sum (x + z), 0/0 = 0
  given               ///< the entry of a given Gram matrix
};

/// A parameter of a kernel function.
struct KernelParameter {
  enum class Range { any, nonnegative, positive, whole, half_odd };
  std::string name;
  Range range = Range::any;
  std::optional<double> fallback = {};  ///< default value
  bool per_column = false;              ///< the default of the kernel language is 1 / columns
};

/// gamma > 0, by default 1 / columns.
[[nodiscard]] inline KernelParameter gamma_per_column() {
  return {.name = "gamma", .range = KernelParameter::Range::positive, .per_column = true};
}

/// gamma for functions of gamma |x - z|^2 = (|x - z| / width)^2.
[[nodiscard]] inline double gamma_of_length(double width) { return 1.0 / (width * width); }

struct KernelDefinition {
  KernelFunctionInfo info;
  std::vector<KernelParameter> parameters = {};
  double (*gamma_of_width)(double) = nullptr;  ///< for kernels that accept `width` instead of gamma
  Comparison comparison = Comparison::dot;
  /// values[i] = k of the comparison values[i]; null if the comparison is the kernel.
  void (*finish)(const KernelFunction& function, MutableSpan values) = nullptr;
  /// A bound on the rank of the kernel of a view with this number of columns; null if there is
  /// none.
  double (*rank)(const KernelFunction& function, double columns) = nullptr;
};

/// A function of gamma |x - z|^2 = (|x - z| / width)^2 that is positive semidefinite.
[[nodiscard]] inline KernelDefinition kernel_of_length(
    const char* name, const char* formula,
    void (*finish)(const KernelFunction& function, MutableSpan values)) {
  return {
      .info = {.name = name,
               .formula = formula,
               .parameters = "gamma > 0 (default 1 / columns) or width > 0 (gamma = 1 / width^2)",
               .on_distances = true,
               .always_psd = true},
      .parameters = {gamma_per_column()},
      .gamma_of_width = gamma_of_length,
      .comparison = Comparison::squared_distance,
      .finish = finish};
}

/// One function in a file of its own for each kernel.
namespace kernels {
KernelDefinition linear();
KernelDefinition poly();
KernelDefinition rbf();
KernelDefinition laplacian();
KernelDefinition exponential();
KernelDefinition inverse_distance();
KernelDefinition inverse_square_distance();
KernelDefinition matern();
KernelDefinition rational_quadratic();
KernelDefinition chi2();
KernelDefinition additive_chi2();
KernelDefinition intersection();
KernelDefinition bray_curtis();
KernelDefinition minmax();
KernelDefinition sigmoid();
KernelDefinition cosine();
KernelDefinition spherical_rbf();
KernelDefinition precomputed();
}  // namespace kernels

/// Every kernel in the order of `kernmix list`.
[[nodiscard]] const std::vector<KernelDefinition>& kernel_definitions();

/// Other names that the kernel language accepts.
[[nodiscard]] std::span<const OtherName> kernel_synonyms();

/// \throws ParameterError "unknown kernel 'rfb', did you mean 'rbf'?"
[[nodiscard]] const KernelDefinition& find_kernel(std::string_view name);

/// As `function.text()`, with width=`width` instead of gamma unless `width` is empty.
[[nodiscard]] std::string text_with_width(const KernelFunction& function, const std::string& width);

/// \throws ParameterError if the kernel has no parameter of this name, or the value is out of range
void check_kernel_parameter(const KernelDefinition& kernel, const std::string& name);
void check_kernel_parameter(const KernelDefinition& kernel, const std::string& name, double value);

}  // namespace kernmix
