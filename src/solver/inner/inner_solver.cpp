#include "solver/inner/inner_solver.hpp"

#include <algorithm>

namespace kernmix {
namespace {

std::variant<DualSmo, DualNewton> method_for(const Problem& problem, const DualSet& set) {
  return std::visit(
      [&]<typename L>(const L&) -> std::variant<DualSmo, DualNewton> {
        if constexpr (HasSmoothDual<L>) {
          return DualNewton(problem, set);
        } else {
          return DualSmo(problem, set);
        }
      },
      problem.loss);
}

}  // namespace

InnerSolver::InnerSolver(const Problem& problem, const DualSet& set)
    : problem_(problem), method_(method_for(problem, set)) {}

double InnerSolver::gap_at(ConstSpan a, ConstSpan z) const {
  return loss_at(problem_.loss, problem_.bias, problem_.y, z, a, problem_.C).gap;
}

InnerResult InnerSolver::solve(ConstSpan d, double gap_target, MutableSpan a, MutableSpan z,
                               const Context& context) {
  const ExactProduct exact = [&](ConstSpan at, MutableSpan product) {
    problem_.bank.apply(d, at, product, context);
  };
  const InnerGap gap = [&](ConstSpan at, ConstSpan product) { return gap_at(at, product); };
  return std::visit(
      [&](auto& method) {
        if (!std::ranges::equal(d, combined_for_)) {
          method.combine(d, context);
          combined_for_.assign(d.begin(), d.end());
        }
        return method.solve(exact, gap, gap_target, a, z, context);
      },
      method_);
}

}  // namespace kernmix
