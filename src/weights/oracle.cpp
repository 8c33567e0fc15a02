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
  iterations_ += result.iterations;
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
  return {exact_ ? RowMatrixF{} : inner_.hessian_block(d, free), inner_.factor(d)};
}

}  // namespace kernmix
