#include "kernmix/regularizer/two_stage.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"
#include "kernmix/regularizer/norms.hpp"

namespace kernmix {

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
