#include "solver/inner/inner_solver.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "solver/inner/dual_newton.hpp"

namespace kernmix {

InnerSolver::InnerSolver(const Problem& problem, const DualSet& set)
    : problem_(problem),
      set_(set),
      lower_(set.lower),
      upper_(set.upper),
      block_(set.block),
      slack_(!set.balanced()),
      constant_(problem.bias == Bias::penalised ? 1.0 : 0.0) {
  read_quadratic_terms();
}

void InnerSolver::read_quadratic_terms() {
  std::visit(
      [&]<typename L>(const L& loss) {
        if constexpr (HasQuadraticDual<L>) {
          quadratic_ = true;
          for (std::size_t i = 0; i < problem_.y.size(); ++i) {
            const QuadraticTerm term = loss.quadratic_term(problem_.y[i], problem_.C[i]);
            linear_.push_back(term.linear);
            diagonal_.push_back(term.diagonal);
            kink_.push_back(term.kink);
          }
        }
      },
      problem_.loss);
  if (quadratic_ && slack_) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    linear_.push_back(0.0);
    diagonal_.push_back(0.0);
    kink_.push_back(0.0);
    lower_.push_back(-infinity);
    upper_.push_back(infinity);
  }
  if (std::ranges::all_of(kink_, [](double kink) { return kink == 0.0; })) kink_.clear();
}

std::span<float> InnerSolver::kernel() {
  const std::size_t size = problem_.y.size() + (quadratic_ && slack_ ? 1 : 0);
  K_.resize(size * size);
  return std::span(K_).first(problem_.y.size() * problem_.y.size());
}

/// K + constant 1 1' + diag, with a row and a column of zeros for the slack variable.
void InnerSolver::kernel_is_ready() {
  if (!quadratic_) return;
  const Index n = length(problem_.y);
  const Index size = n + (slack_ ? 1 : 0);
  const auto row = [&](Index i, Index stride) { return K_.begin() + i * stride; };
  for (Index i = n; i-- > 0;) {
    if (slack_) {
      std::copy_backward(row(i, n), row(i, n) + n, row(i, size) + n);
      row(i, size)[n] = 0.0F;
    }
    if (constant_ != 0.0) {
      std::for_each_n(row(i, size), n,
                      [&](float& entry) { entry += static_cast<float>(constant_); });
    }
    row(i, size)[i] += static_cast<float>(diagonal_[static_cast<std::size_t>(i)]);
  }
  if (slack_) std::fill_n(row(n, size), size, 0.0F);
}

double InnerSolver::gap_at(ConstSpan a, ConstSpan z) const {
  return loss_at(problem_.loss, problem_.bias, problem_.y, z, a, problem_.C).gap;
}

InnerResult InnerSolver::solve(const ExactProduct& exact, double gap_target, MutableSpan a,
                               MutableSpan z, const Context& context) {
  if (quadratic_) return solve_by_smo(exact, gap_target, a, z, context);
  const InnerGap gap = [&](ConstSpan at, ConstSpan product) { return gap_at(at, product); };
  return dual_newton(problem_, set_, kernel(), exact, gap, gap_target, a, z, context);
}

InnerResult InnerSolver::solve_by_smo(const ExactProduct& exact, double gap_target, MutableSpan a,
                                      MutableSpan z, const Context& context) {
  const std::size_t n = a.size();
  const std::size_t size = linear_.size();
  Vector plain(n);  // K a without the loss's diagonal and the penalised bias
  // SMO's product is that of its own kernel: K a, the diagonal, the constant, 0 for the slack.
  const ExactProduct product = [&](ConstSpan at, MutableSpan out) {
    exact(at.first(n), out.first(n));
    const double bias = constant_ * std::accumulate(at.begin(), at.begin() + length(a), 0.0);
    for (std::size_t i = 0; i < n; ++i) out[i] += bias + diagonal_[i] * at[i];
    if (slack_) out[n] = 0.0;
  };
  const auto strip = [&](ConstSpan at, ConstSpan out) {
    const double bias = constant_ * std::accumulate(at.begin(), at.begin() + length(a), 0.0);
    for (std::size_t i = 0; i < n; ++i) plain[i] = out[i] - bias - diagonal_[i] * at[i];
  };
  const InnerGap gap = [&](ConstSpan at, ConstSpan out) {
    strip(at, out);
    return gap_at(at.first(n), plain);
  };
  Vector variables(a.begin(), a.end());
  Vector products(size, 0.0);
  if (slack_) variables.push_back(-std::accumulate(a.begin(), a.end(), 0.0));

  const BoxProblem box{length(variables), K_, linear_, lower_, upper_, kink_, block_};
  SmoOptions options;
  options.gap_target = gap_target;
  const SmoResult result = solve_smo(box, product, gap, options, variables, products, context);
  std::copy_n(variables.begin(), n, a.begin());
  strip(variables, products);
  std::ranges::copy(plain, z.begin());
  return {result.gap, result.iterations};
}

}  // namespace kernmix
