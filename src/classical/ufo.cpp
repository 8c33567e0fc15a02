#include "classical/ufo.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/simd.hpp"
#include "classical/kernel_rows.hpp"
#include "loss/any.hpp"

namespace kernmix {
namespace {

constexpr Index kernels_per_task = 8;

/// Minus the slope of C loss at z: the a of the box where gain(a) - a z is largest. Without a
/// derivative the loss is piecewise linear, and a is 0 inside a tube or an end of the box.
double steepest_dual(const Loss& loss, double y, double z, double C) {
  return visit(
      [&]<typename L>(const L& l) {
        if constexpr (HasSlope<L>) {
          return -l.slope(y, z, C).first;
        } else if constexpr (HasQuadraticDual<L> && HasBoundedSlope<L>) {
          const QuadraticTerm term = l.quadratic_term(y, C);
          const DualBounds box = l.dual_bounds(y, C);
          const double pull = term.linear - z;
          if (std::abs(pull) <= term.kink) return 0.0;
          return pull > 0.0 ? box.upper : box.lower;
        } else {
          return 0.0;
        }
      },
      loss);
}

/// theta as coefficients A on the samples, with updated ||theta_m||^2.
class Theta {
 public:
  Theta(const Problem& problem, Index rows, const Context& context)
      : problem_(problem),
        context_(context),
        rows_(problem.bank, rows, context),
        A_(problem.y().size(), 0.0),
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
    const double change =
        steepest_dual(problem_.loss, problem_.y()[sample], z, problem_.C()[sample]);
    ++steps_;
    if (change == 0.0) return;
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

  /// Replaces the updated norms, which drift, by recomputed ones: q of dual_vector().
  void refresh(ConstSpan q) {
    for (std::size_t m = 0; m < q.size(); ++m) squares_[m] = q[m] / (scale() * scale());
  }

 private:
  [[nodiscard]] double scale() const {
    return static_cast<double>(problem_.samples()) / static_cast<double>(steps_);
  }

  /// <theta_m, phi_m(x_i)> and K_m(x_i, x_i) for all kernels.
  void read_row(Index i) {
    const Matrix& rows = rows_.of(i);
    const Index M = problem_.kernels();
    parallel_blocks(context_, M, kernels_per_task, [&](Index, Index begin, Index end) {
      for (Index m = begin; m < end; ++m) {
        products_[static_cast<std::size_t>(m)] =
            simd::dot(rows.row(m).data(), A_.data(), length(A_));
        diagonals_[static_cast<std::size_t>(m)] = rows(m, i);
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
  KernelRows rows_;
  Vector A_;
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

void ufo(Vector start, const WeightRule& maximizing_weights, Objective& run) {
  const Problem& problem = run.problem();
  const Index rows =
      KernelRows::fitting(problem.bank, 0, "solver ufo keeps rows of every kernel", run.context());
  run.certify_zero(std::move(start));
  std::mt19937_64 engine(run.context().seed);
  std::vector<Index> order = index_range(0, length(problem.y()));
  Theta theta(problem, rows, run.context());
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
