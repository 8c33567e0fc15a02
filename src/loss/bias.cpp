#include "kernmix/loss/bias.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"

namespace kernmix {

std::string bias_name(Bias bias) {
  switch (bias) {
    case Bias::free:
      return "free";
    case Bias::none:
      return "none";
    case Bias::penalised:
      return "penalised";
  }
  return "unknown";
}

Bias parse_bias(const std::string& text) {
  for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
    if (text == bias_name(bias)) return bias;
  }
  throw ParameterError(
      fmt::format("unknown bias rule '{}', known are free, none, penalised", text));
}

}  // namespace kernmix
