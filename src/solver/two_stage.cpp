#include "kernmix/solver/two_stage.hpp"

#include <fmt/format.h>

#include "blas_threads.hpp"
#include "kernmix/solver/alignment.hpp"

namespace kernmix {
namespace {

Vector apply_rule(const Alignment& rule, const Problem& problem, const Context& context) {
  const AlignmentWeights found = rule.of_the_sum ? alignf(problem.bank, problem.y, context)
                                                 : align(problem.bank, problem.y, context);
  if (rule.of_the_sum) {
    context.tell(fmt::format("alignf: weights to a relative gap of {:.1e}", found.relative_gap));
  }
  return found.weights;
}

}  // namespace

Regularizer choose_weights(const Problem& problem, const Context& context) {
  const SerialBlas serial;
  const auto* two_stage = std::get_if<TwoStage>(&problem.regularizer);
  if (two_stage == nullptr || two_stage->known()) return problem.regularizer;
  TwoStage result = *two_stage;
  result.chosen.w =
      std::visit([&](const auto& rule) { return apply_rule(rule, problem, context); }, result.rule);
  return result;
}

}  // namespace kernmix
