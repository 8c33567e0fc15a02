#include "solver/outer/ufo.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "parallel.hpp"

namespace kernmix {
namespace {

constexpr Index kernels_per_task = 8;

/// argmax_a gain(a) - a z over the box, which is minus a slope of C loss at z.
double steepest_dual(const Loss& loss, double y, double z, double C) {
  return std::visit(
      [&]<typename L>(const L& l) {
        double a = 0.0;
        if constexpr (HasQuadraticDual<L> && IsSeparableLoss<L>) {
          const QuadraticTerm term = l.quadratic_term(y, C);
          const DualBounds box = l.dual_bounds(y, C);
          const double pull = term.linear - z;
          const double beyond_kink = std::max(std::abs(pull) - term.kink, 0.0);
          if (beyond_kink > 0.0) {
            const double far = term.diagonal > 0.0 ? beyond_kink / term.diagonal
                                                   : std::numeric_limits<double>::infinity();
            a = std::clamp(pull > 0.0 ? far : -far, box.lower, box.upper);
          }
        }
        return a;
      },
      loss);
}

/// theta as its coefficients A on the samples, with ||theta_m||^2 kept up to date.
class Theta {
 public:
  Theta(const Problem& problem, const Context& context)
      : problem_(problem),
        context_(context),
        A_(problem.y.size(), 0.0),
        seen_(problem.y.size(), false),
        squares_(static_cast<std::size_t>(problem.kernels()), 0.0),
        q_(squares_),
        d_(squares_),
        products_(squares_),
        diagonals_(squares_) {}

  /// One step with sample i.
  void visit(Index i, const WeightRule& maximizing_weights) {
    read_row(i);
    const double z = decision(maximizing_weights);
    const auto sample = static_cast<std::size_t>(i);
    const double change = steepest_dual(problem_.loss, problem_.y[sample], z, problem_.C[sample]);
    ++steps_;
    if (change == 0.0) return;
    if (!seen_[sample]) support_.push_back(i);
    seen_[sample] = true;
    A_[sample] += change;
    for (std::size_t m = 0; m < squares_.size(); ++m) {
      squares_[m] += change * (2.0 * products_[m] + change * diagonals_[m]);
    }
  }

  /// (n / t) A
  [[nodiscard]] Vector dual_vector() const {
    Vector a = A_;
    for (double& value : a) value *= scale();
    return a;
  }

  /// Replaces the updated norms, which drift, by those of a fresh pass: q of dual_vector().
  void refresh(ConstSpan q) {
    for (std::size_t m = 0; m < q.size(); ++m) squares_[m] = q[m] / (scale() * scale());
  }

 private:
  [[nodiscard]] double scale() const {
    return static_cast<double>(problem_.samples()) / static_cast<double>(steps_);
  }

  /// <theta_m, phi_m(x_i)> and K_m(x_i, x_i) for all kernels.
  void read_row(Index i) {
    std::vector<Index> columns = support_;
    columns.push_back(i);
    const Index M = problem_.kernels();
    parallel_for(context_, (M + kernels_per_task - 1) / kernels_per_task, [&](Index task) {
      Vector row(columns.size());
      const Index end = std::min((task + 1) * kernels_per_task, M);
      for (Index m = task * kernels_per_task; m < end; ++m) {
        problem_.bank.block(m, {&i, 1}, columns, row);
        double sum = 0.0;
        for (std::size_t k = 0; k < support_.size(); ++k) {
          sum += row[k] * A_[static_cast<std::size_t>(support_[k])];
        }
        products_[static_cast<std::size_t>(m)] = sum;
        diagonals_[static_cast<std::size_t>(m)] = row.back();
      }
    });
  }

  /// f(x_i) for f = grad Omega*(theta / t); 0 before the first step.
  double decision(const WeightRule& maximizing_weights) {
    if (steps_ == 0) return 0.0;
    for (std::size_t m = 0; m < q_.size(); ++m) {
      q_[m] = std::max(squares_[m], 0.0) * scale() * scale();
    }
    maximizing_weights(q_, d_);
    return scale() * std::inner_product(d_.begin(), d_.end(), products_.begin(), 0.0);
  }

  const Problem& problem_;
  const Context& context_;
  Vector A_;
  std::vector<Index> support_;  ///< in the order of their first change
  std::vector<bool> seen_;
  Vector squares_;  ///< ||theta_m||^2
  Vector q_, d_, products_, diagonals_;
  Index steps_ = 0;
};

/// Fisher and Yates, the same on every platform.
void shuffle_samples(std::vector<Index>& order, std::mt19937_64& engine) {
  for (std::size_t k = order.size(); k > 1; --k) {
    std::swap(order[k - 1], order[static_cast<std::size_t>(engine() % k)]);
  }
}

}  // namespace

void ufo(Vector start, const WeightRule& maximizing_weights, Run& run) {
  const Problem& problem = run.problem();
  run.certify_zero(std::move(start));
  std::mt19937_64 engine(run.context().seed);
  std::vector<Index> order(problem.y.size());
  std::iota(order.begin(), order.end(), Index{0});
  Theta theta(problem, run.context());
  while (!run.finished()) {
    shuffle_samples(order, engine);
    for (const Index i : order) {
      if (run.context().should_stop()) return;
      theta.visit(i, maximizing_weights);
    }
    run.count_inner(length(order));
    Vector a = theta.dual_vector();
    make_feasible(run.dual_set(), a);
    Vector q = run.forms(a);
    Vector d(q.size());
    maximizing_weights(q, d);
    theta.refresh(q);
    run.certify_pair(std::move(d), std::move(a), std::move(q), "epoch");
  }
}

}  // namespace kernmix
