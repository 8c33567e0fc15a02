#include "kernmix/two_stage.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/blas_threads.hpp"
#include "kernmix/classical/alignment.hpp"
#include "kernmix/error.hpp"
#include "kernmix/solve.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

Vector apply_rule(const Alignment& rule, const Problem& problem, const Context& context) {
  const AlignmentWeights found = rule.of_the_sum ? alignf(problem.bank, problem.y(), context)
                                                 : align(problem.bank, problem.y(), context);
  if (rule.of_the_sum) {
    context.tell(fmt::format("alignf: weights with a relative gap of {:.1e}", found.relative_gap));
  }
  return found.weights;
}

/// d ~ a' K_m a, ||d||_2 = 1, for the solution a of KOMD on sum_m K_m.
Vector apply_rule(const Easy& rule, const Problem& problem, const Context& context) {
  constexpr double kAccuracy = 1e-9;
  const Problem komd{problem.bank, Komd{rule.lambda}, Sum{}, problem.y(),
                     Vector(problem.y().size(), 1.0)};
  SolverOptions options;
  options.tolerance = kAccuracy;
  const Answer solution = solve(komd, options, context);
  Vector d = all_forms(problem.bank, solution.a.front(), context);
  const double size = std::sqrt(std::inner_product(d.begin(), d.end(), d.begin(), 0.0));
  if (!(size > 0.0)) {
    throw DataError("easy: no kernel separates the means of the two classes; its weights are 0");
  }
  for (double& weight : d) weight /= size;
  context.tell(fmt::format("easy: KOMD on the sum of the kernels with a relative gap of {:.1e}",
                           solution.certificate.relative_gap()));
  return d;
}

}  // namespace

Regularizer choose_weights(const Problem& problem, const Context& context) {
  const SerialBlas serial;
  const auto* two_stage = get_if<TwoStage>(problem.regularizer);
  if (two_stage == nullptr || two_stage->known()) return problem.regularizer;
  TwoStage result = *two_stage;
  result.chosen.w =
      std::visit([&](const auto& rule) { return apply_rule(rule, problem, context); }, result.rule);
  return result;
}

}  // namespace kernmix
