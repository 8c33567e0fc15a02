#include "kernmix/regularizer/two_stage.hpp"

#include <fmt/format.h>

#include "arguments.hpp"
#include "kernmix/error.hpp"
#include "kernmix/regularizer/norms.hpp"
#include "kernmix/regularizer/regularizer.hpp"

namespace kernmix {

std::vector<RegularizerInfo> TwoStage::rows() {
  return {{"alignment", "d ~ alignment of each kernel with y", "1/2 sum s^2/d", "alignment"},
          {"alignf", "d >= 0, ||d||_2 = 1 of largest alignment with y", "1/2 sum s^2/d", "alignf"}};
}

Regularizer TwoStage::parse(const std::string& text) {
  expect_no_arguments(text);
  return TwoStage{Alignment{name_of(text) == "alignf"}, {}};
}

std::string TwoStage::text() const {
  return std::visit([](const auto& r) { return r.text(); }, rule);
}

void TwoStage::check(Index M) const {
  require_kernels(M);
  if (known()) chosen.check(M);
}

const Fixed& TwoStage::weights() const {
  if (known()) return chosen;
  throw ParameterError(fmt::format(
      "{}: the weights follow from kernels and targets, choose_weights() finds them", text()));
}

}  // namespace kernmix
