#include "loss/classes/nu_svc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernmix/error.hpp"
#include "loss/threshold.hpp"

namespace kernmix {
namespace {

/// Sum of the dual variables of a class.
constexpr double class_share = 0.5;

}  // namespace

void NuSvc::check(ConstSpan y, ConstSpan C) const {
  constexpr double rounding = 1e-11;
  double positive = 0.0;
  double negative = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) (y[i] > 0.0 ? positive : negative) += C[i];
  const double least = std::min(positive, negative);
  if (least == 0.0) throw ParameterError("nu-svc: both classes must occur");
  if (least >= class_share * (1.0 - rounding)) return;
  throw ParameterError(
      fmt::format("nu-svc: nu must be <= {:.12g} for these labels and weights, got {}",
                  nu * least / class_share, nu));
}

LossPoint NuSvc::at(ConstSpan y, ConstSpan z, ConstSpan a, ConstSpan C) const {
  const std::array<ClassMargins, 2> classes = margins_by_class(y, z, a, C);
  const Threshold positive = best_threshold(classes[0], class_share);
  const Threshold negative = best_threshold(classes[1], class_share);
  return {positive.value + negative.value,
          positive.gap + negative.gap,
          positive.size + negative.size,
          {0.5 * (negative.r - positive.r)}};
}

DualSet NuSvc::dual_set(ConstSpan y, ConstSpan C) const { return two_class_set(y, C, class_share); }

}  // namespace kernmix
