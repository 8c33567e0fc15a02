#pragma once
/// \file
/// The range of parameters (docs/explanation/problem.md): the objectives contain products such
/// as C^2 K_ij and a^2 / C, and double precision represents numbers from 1e-308 to 1e308.

namespace kernmix {

inline constexpr double smallest_parameter = 1e-50;
inline constexpr double largest_parameter = 1e50;

/// True for numbers from smallest_parameter to largest_parameter.
[[nodiscard]] constexpr bool in_parameter_range(double value) {
  return value >= smallest_parameter && value <= largest_parameter;
}

/// True also for 0.
[[nodiscard]] constexpr bool zero_or_in_parameter_range(double value) {
  return value == 0.0 || in_parameter_range(value);
}

}  // namespace kernmix
