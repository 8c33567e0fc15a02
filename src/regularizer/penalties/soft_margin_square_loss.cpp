#include "regularizer/penalties/soft_margin_square_loss.hpp"

#include <fmt/format.h>

#include "base/arguments.hpp"
#include "regularizer/any.hpp"

namespace kernmix {

std::vector<RegularizerInfo> SoftMarginSquareLoss::rows() {
  return {{"soft-margin-square-loss:theta=T", "d >= 0, Phi = ||d||^2/(2T)",
           "3/2 t^2 / T, t^3 = T/2 ||s||_{4/3}^2", "soft-margin-square-loss:theta=1"}};
}

Regularizer SoftMarginSquareLoss::parse(const std::string& text) {
  return SoftMarginSquareLoss{Arguments(text, {"theta"}).positive("theta")};
}

std::string SoftMarginSquareLoss::text() const {
  return fmt::format("soft-margin-square-loss:theta={}", theta);
}

}  // namespace kernmix
