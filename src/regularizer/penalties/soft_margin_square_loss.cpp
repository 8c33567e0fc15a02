#include "regularizer/penalties/soft_margin_square_loss.hpp"

#include <fmt/format.h>

#include "base/arguments.hpp"
#include "regularizer/any.hpp"

namespace kernmix {

Regularizer SoftMarginSquareLoss::parse(const std::string& text) {
  return SoftMarginSquareLoss{Arguments(text, {"theta"}, info().example).positive("theta")};
}

std::string SoftMarginSquareLoss::text() const {
  return fmt::format("soft-margin-square-loss:theta={}", theta);
}

}  // namespace kernmix
