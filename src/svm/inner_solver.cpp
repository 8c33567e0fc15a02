#include "svm/inner_solver.hpp"

#include <algorithm>

#include "problem/without_end.hpp"
#include "svm/factor_choice.hpp"

namespace kernmix {

InnerSolver::InnerSolver(const Problem& problem, const DualSet& set)
    : problem_(problem), set_(set), triangles_(problem.bank) {}

RowMatrixF InnerSolver::hessian_block(ConstSpan d, std::span<const Index> index) const {
  const DualSmo* smo = method_ ? std::get_if<DualSmo>(&*method_) : nullptr;
  if (smo == nullptr || !std::ranges::equal(d, combined_for_)) return {};
  return smo->hessian_block(index);
}

const WeightedColumns* InnerSolver::factor(ConstSpan d, const Context& context) {
  auto* newton = method_ ? std::get_if<SemismoothNewton>(&*method_) : nullptr;
  if (newton == nullptr) return nullptr;
  if (!std::ranges::equal(d, combined_for_)) {
    combined_for_.clear();
    newton->combine(d, context);
    combined_for_.assign(d.begin(), d.end());
  }
  return &newton->factor();
}

bool InnerSolver::is_combined_for(ConstSpan d) const {
  const auto* newton = method_ ? std::get_if<DualNewton>(&*method_) : nullptr;
  return std::ranges::equal(d, combined_for_) && (newton == nullptr || !newton->is_lost());
}

/// Chooses the method for K(d), replacing the last one if it is no longer suitable, and computes
/// its kernel.
void InnerSolver::combine(ConstSpan d, const Context& context) {
  combined_for_.clear();
  if (prefers_factor(problem_, d, moves_, context)) {
    if (!method_ || !std::holds_alternative<SemismoothNewton>(*method_)) {
      method_.emplace(std::in_place_type<SemismoothNewton>, problem_, set_);
    }
  } else if (!method_ || std::holds_alternative<SemismoothNewton>(*method_)) {
    if (has_smooth_dual(problem_.loss)) {
      method_.emplace(std::in_place_type<DualNewton>, problem_, set_);
    } else {
      method_.emplace(std::in_place_type<DualSmo>, problem_, set_, triangles_);
    }
  }
  if (auto* smo = std::get_if<DualSmo>(&*method_)) {
    smo->limit_moves(moves_worth_a_factor(problem_, d));
    moves_ = 0;
  }
  std::visit([&](auto& method) { method.combine(d, context); }, *method_);
  combined_for_.assign(d.begin(), d.end());
}

InnerResult InnerSolver::method_gives(const ExactProduct& exact, const InnerGap& gap,
                                      double gap_target, MutableSpan a, MutableSpan z,
                                      const Context& context) {
  return std::visit(
      [&](auto& method) { return method.solve(exact, gap, gap_target, a, z, context); }, *method_);
}

InnerResult InnerSolver::solve(ConstSpan d, double gap_target, MutableSpan a, MutableSpan z,
                               const Context& context, const Context& forming) {
  const ExactProduct exact = [&](ConstSpan at, MutableSpan product) {
    std::ranges::copy(combined_product(problem_.bank, d, at, context), product.begin());
  };
  const InnerGap gap = [&](ConstSpan at, ConstSpan product) {
    return loss_at(problem_.loss, problem_.bias, problem_.y(), product, at, problem_.C()).gap;
  };
  if (!is_combined_for(d)) combine(d, forming);
  const InnerResult result = method_gives(exact, gap, gap_target, a, z, context);
  if (!std::holds_alternative<DualSmo>(*method_)) return result;
  moves_ += result.iterations;
  const Index limit = moves_worth_a_factor(problem_, d);
  if (limit == 0 || result.iterations < limit || context.should_stop()) return result;
  // Now the factor, if the model of time prefers it.
  if (!finished_in_time(context, [&] { combine(d, forming); })) return result;
  InnerResult more = method_gives(exact, gap, gap_target, a, z, context);
  more.iterations += result.iterations;
  return more;
}

}  // namespace kernmix
