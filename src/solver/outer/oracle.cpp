#include "solver/outer/oracle.hpp"

#include <numeric>

namespace kernmix {

Oracle::Oracle(const Problem& problem, const Context& context)
    : problem_(problem),
      context_(context),
      set_(kernmix::dual_set(problem.loss, problem.bias, problem.y, problem.C)),
      inner_(problem, set_),
      a_(problem.y.size(), 0.0),
      z_(problem.y.size(), 0.0) {
  make_feasible(set_, a_);
  gap_ = inner_.gap_at(a_, z_);
}

void Oracle::combine(ConstSpan d) {
  if (std::equal(d.begin(), d.end(), combined_for_.begin(), combined_for_.end())) return;
  problem_.bank.combine(d, inner_.kernel(), context_);
  inner_.kernel_is_ready();
  combined_for_.assign(d.begin(), d.end());
}

void Oracle::start_from(Vector a) {
  a_ = std::move(a);
  make_feasible(set_, a_);
}

void Oracle::solve(ConstSpan d, double gap_target) {
  combine(d);
  const auto exact = [&](ConstSpan a, MutableSpan z) { problem_.bank.apply(d, a, z, context_); };
  const InnerResult result = inner_.solve(exact, gap_target, a_, z_, context_);
  gap_ = result.gap;
  iterations_ += result.iterations;
}

double Oracle::gain() const {
  return dual_gain(problem_.loss, problem_.bias, problem_.y, a_, problem_.C);
}

double Oracle::upper_value() const {
  const double quadratic = std::inner_product(a_.begin(), a_.end(), z_.begin(), 0.0);
  return gain() - 0.5 * quadratic + gap_;
}

std::vector<Index> Oracle::free_set() const {
  return free_samples(problem_.loss, set_, problem_.y, a_, problem_.C);
}

}  // namespace kernmix
