#include "kernmix/regularizer/soft_margin_square_loss.hpp"

#include <fmt/format.h>

namespace kernmix {

std::string SoftMarginSquareLoss::text() const {
  return fmt::format("soft-margin-square-loss:theta={}", theta);
}

}  // namespace kernmix
