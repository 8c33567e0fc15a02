#include "weights/oracle.hpp"

#include <numeric>

namespace kernmix {

Oracle::Oracle(const Problem& problem, const Context& context)
    : problem_(problem),
      context_(context),
      set_(kernmix::dual_set(problem.loss, problem.bias, problem.y(), problem.C())),
      inner_(problem, set_),
      a_(problem.y().size(), 0.0),
      z_(problem.y().size(), 0.0) {
  make_feasible(set_, a_);
}

void Oracle::start_from(Vector a) {
  a_ = std::move(a);
  make_feasible(set_, a_);
}

void Oracle::solve(ConstSpan d, double gap_target) {
  const InnerResult result = inner_.solve(d, gap_target, a_, z_, context_);
  gap_ = result.gap;
  exact_ = result.exact;
  must_learn_ = false;
  single_ = !result.exact;
  iterations_ += result.iterations;
}

bool Oracle::solve_part(ConstSpan d, const KnownProduct& known, double gap_target) {
  const auto result = inner_.solve_part(d, known, gap_target, a_, z_, context_);
  if (!result) return false;
  gap_ = result->gap;
  exact_ = false;
  must_learn_ = true;
  single_ = true;
  iterations_ += result->iterations;
  return true;
}

void Oracle::learn(Vector z) {
  z_ = std::move(z);
  gap_ = inner_.gap_at(a_, z_);
  exact_ = true;
  must_learn_ = false;
}

double Oracle::gain() const {
  return dual_gain(problem_.loss, problem_.bias, problem_.y(), a_, problem_.C());
}

double Oracle::lower_value() const {
  return gain() - 0.5 * std::inner_product(a_.begin(), a_.end(), z_.begin(), 0.0);
}

std::vector<Index> Oracle::free_set() const {
  return free_samples(problem_.loss, set_, problem_.y(), a_, problem_.C());
}

KernelAtHand Oracle::kernel_at_hand(ConstSpan d, std::span<const Index> free) const {
  return {single_ ? inner_.hessian_block(d, free) : RowMatrixF{}, inner_.factor(d)};
}

}  // namespace kernmix
