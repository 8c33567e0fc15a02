#pragma once
/// \file
/// How the bias b of a decision value sum_m f_m(x) + b enters the problem.

#include <string>

namespace kernmix {

enum class Bias {
  free,      ///< not penalised; holds sum a = 0 in the dual
  none,      ///< b = 0
  penalised  ///< 1/2 b^2 is added to (P): the kernel 1 1' with weight 1, b = sum a
};

[[nodiscard]] std::string bias_name(Bias bias);
/// \throws ParameterError naming the known rules
[[nodiscard]] Bias parse_bias(const std::string& text);

}  // namespace kernmix
