#include "regularizer/points/two_stage.hpp"

#include <fmt/format.h>

#include "base/arguments.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {

std::vector<RegularizerInfo> TwoStage::rows() {
  return {{"alignment", "d ~ alignment of each kernel with y", "1/2 sum s^2/d", "alignment"},
          {"alignf", "d >= 0, ||d||_2 = 1 of largest alignment with y", "1/2 sum s^2/d", "alignf"},
          {"easy:lambda=L", "d ~ a'K_m a at KOMD on sum K, ||d||_2 = 1", "1/2 sum s^2/d",
           "easy:lambda=0.1"}};
}

Regularizer TwoStage::parse(const std::string& text) {
  if (name_of(text) == "easy") {
    const double lambda = Arguments(text, {"lambda"}, Easy{}.text()).number("lambda");
    if (!(lambda >= 0.0 && lambda < 1.0)) {
      throw ParameterError(fmt::format("easy: lambda must be >= 0 and < 1, got {}", lambda));
    }
    return TwoStage{Easy{lambda}, {}};
  }
  expect_no_arguments(text);
  return TwoStage{Alignment{name_of(text) == "alignf"}, {}};
}

std::string Easy::text() const { return fmt::format("easy:lambda={}", lambda); }

std::string TwoStage::text() const {
  return std::visit([](const auto& r) { return r.text(); }, rule);
}

void TwoStage::check(Index M) const {
  require_kernels(M);
  if (known()) chosen.check(M);
}

Vector TwoStage::initial_weights(Index M) const {
  if (known()) return chosen.initial_weights(M);
  throw ParameterError(fmt::format(
      "{}: the weights follow from kernels and targets, choose_weights() finds them", text()));
}

}  // namespace kernmix
