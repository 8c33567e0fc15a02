#include "solver/outer/oracle.hpp"

#include <numeric>

#include "kernmix/solver/inner/smo.hpp"

namespace kernmix {

Oracle::Oracle(const Problem& problem, const Context& context)
    : problem_(problem),
      context_(context),
      box_(dual_box(problem.loss, problem.y, problem.C)),
      a_(problem.y.size(), 0.0),
      z_(problem.y.size(), 0.0),
      combined_(problem.y.size() * problem.y.size()) {
  gap_ = gap_at(a_, z_);
}

void Oracle::combine(ConstSpan d) {
  if (std::equal(d.begin(), d.end(), combined_for_.begin(), combined_for_.end())) return;
  problem_.bank.combine(d, combined_, context_);
  combined_for_.assign(d.begin(), d.end());
}

void Oracle::start_from(Vector a) {
  a_ = std::move(a);
  make_feasible(box_.lower, box_.upper, a_);
}

void Oracle::solve(ConstSpan d, double gap_target) {
  combine(d);
  const BoxProblem box{problem_.samples(), combined_, problem_.y, box_.lower, box_.upper};
  const auto exact = [&](ConstSpan a, MutableSpan z) { problem_.bank.apply(d, a, z, context_); };
  const auto gap = [&](ConstSpan a, ConstSpan z) { return gap_at(a, z); };
  SmoOptions options;
  options.gap_target = gap_target;
  const SmoResult result = solve_smo(box, exact, gap, options, a_, z_, context_);
  gap_ = result.gap;
  iterations_ += result.iterations;
}

double Oracle::gap_at(ConstSpan a, ConstSpan z) const {
  return std::visit(
      [&](const auto& loss) {
        const double bias = loss.best_bias(problem_.y, z, problem_.C);
        double sum = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) {
          sum += loss.fenchel_young(problem_.y[i], z[i] + bias, a[i], problem_.C[i]);
        }
        return sum;
      },
      problem_.loss);
}

double Oracle::gain() const {
  return std::visit(
      [&](const auto& loss) {
        double sum = 0.0;
        for (std::size_t i = 0; i < a_.size(); ++i) {
          sum += loss.dual_value(problem_.y[i], a_[i], problem_.C[i]);
        }
        return sum;
      },
      problem_.loss);
}

double Oracle::upper_value() const {
  const double quadratic = std::inner_product(a_.begin(), a_.end(), z_.begin(), 0.0);
  return gain() - 0.5 * quadratic + gap_;
}

std::vector<Index> Oracle::free_set() const {
  std::vector<Index> free;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    if (a_[i] > box_.lower[i] && a_[i] < box_.upper[i]) free.push_back(static_cast<Index>(i));
  }
  return free;
}

}  // namespace kernmix
