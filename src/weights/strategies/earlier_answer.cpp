/// \file
/// Weights from the answer to a problem with other settings: the weights of its functions under the
/// current regularizer, d = argmin_{d in D} 1/2 sum_m ||f_m||^2 / d_m + Phi(d). They lie in D even
/// if the earlier answer had a different regularizer.

#include <algorithm>

#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

Vector weights_of_answer(const WeightRules& rules, Objective& J) {
  const StartingPoint& known = J.options().start;
  if (length(known.norms) != J.kernels() || std::ranges::max(known.norms) <= 0.0) return {};
  if (J.is_single() && length(known.a) == J.samples()) J.start_from(known.a);
  return rules.best_weights(known.norms);
}

}  // namespace

const Strategy strategy::earlier_answer{
    .name = "earlier-answer",
    .what = "starts from the weights of an answer to other settings, if the caller provides one",
    .start = weights_of_answer};

}  // namespace kernmix
