#include "solver/inner/dual_newton.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear_algebra.hpp"

namespace kernmix {
namespace {

constexpr int most_steps = 100;
constexpr double to_boundary = 0.99;
constexpr double least_newton_reduction = 0.01;

using Column = Eigen::VectorXd;

/// The gain with its derivatives.
struct Smooth {
  Column slope;
  Column curvature;
};

Smooth derivatives(const Problem& problem, ConstSpan a) {
  Smooth smooth{Column::Zero(length(a)), Column::Zero(length(a))};
  std::visit(
      [&]<typename L>(const L& loss) {
        if constexpr (HasSmoothDual<L>) {
          for (std::size_t i = 0; i < a.size(); ++i) {
            const auto row = static_cast<Index>(i);
            smooth.slope[row] = loss.dual_slope(problem.y[i], a[i], problem.C[i]);
            smooth.curvature[row] = loss.dual_curvature(problem.y[i], a[i], problem.C[i]);
          }
        }
      },
      problem.loss);
  return smooth;
}

/// The factor of K + diag(curvature), and the Newton step on the held sum.
class System {
 public:
  System(std::span<const float> K, const Column& curvature, Bias bias) : bias_(bias) {
    const Index n = curvature.size();
    const Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
        single(K.data(), n, n);
    RowMatrix sum = single.cast<double>();
    if (bias == Bias::penalised) sum.array() += 1.0;
    sum.diagonal() += curvature;
    factor_.compute(sum);
    if (bias == Bias::free) ones_ = factor_.solve(Column::Ones(n));
  }

  [[nodiscard]] Column step(const Column& residual) const {
    Column step = factor_.solve(residual);
    if (bias_ == Bias::free) step -= (step.sum() / ones_.sum()) * ones_;
    return step;
  }

 private:
  Bias bias_;
  Eigen::LLT<RowMatrix> factor_;
  Column ones_;
};

double longest_step(const DualSet& set, ConstSpan a, const Column& step) {
  double t = 1.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double move = step[static_cast<Index>(i)];
    const double room = move > 0.0 ? set.upper[i] - a[i] : set.lower[i] - a[i];
    if (move != 0.0) t = std::min(t, to_boundary * room / move);
  }
  return t;
}

/// The gain needs a strictly inside a bounded box.
void move_inside(const DualSet& set, MutableSpan a) {
  constexpr double margin = 1e-10;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double width = set.upper[i] - set.lower[i];
    if (std::isfinite(width)) {
      a[i] = std::clamp(a[i], set.lower[i] + margin * width, set.upper[i] - margin * width);
    }
  }
}

}  // namespace

InnerResult dual_newton(const Problem& problem, const DualSet& set, std::span<const float> K,
                        const ExactProduct& exact, const InnerGap& gap, double gap_target,
                        MutableSpan a, MutableSpan z, const Context& context) {
  const auto objective = [&](ConstSpan at, ConstSpan product) {
    return 0.5 * std::inner_product(at.begin(), at.end(), product.begin(), 0.0) -
           dual_gain(problem.loss, problem.bias, problem.y, at, problem.C);
  };
  move_inside(set, a);
  make_feasible(set, a);
  exact(a, z);
  InnerResult result{gap(a, z), 0};
  // The gap is of second order in the error of a, but the outer gap of first: an `a` that is good
  // enough for its gap alone would never follow small changes of the weights.
  gap_target = std::min(gap_target, least_newton_reduction * result.gap);
  double value = objective(a, z);
  Vector trial(a.size());
  Vector product(a.size());
  while (result.gap > gap_target && result.iterations < most_steps && !context.should_stop()) {
    const Smooth smooth = derivatives(problem, a);
    Column residual = smooth.slope - as_vector(ConstSpan(z));
    if (problem.bias == Bias::penalised) {
      residual.array() -= std::accumulate(a.begin(), a.end(), 0.0);
    }
    const Column step = System(K, smooth.curvature, problem.bias).step(residual);
    const double decrease = step.dot(residual);
    double t = longest_step(set, a, step);
    bool moved = false;
    for (int halving = 0; halving < 30 && !moved; ++halving, t *= 0.5) {
      for (std::size_t i = 0; i < a.size(); ++i) {
        trial[i] = a[i] + t * step[static_cast<Index>(i)];
      }
      exact(trial, product);
      const double there = objective(trial, product);
      const double there_gap = gap(trial, product);
      // Near the optimum the objective cannot tell steps apart any more, but the gap can.
      if (there > value - 1e-4 * t * decrease && there_gap >= result.gap) continue;
      std::ranges::copy(trial, a.begin());
      std::ranges::copy(product, z.begin());
      moved = true;
      value = there;
      ++result.iterations;
      const bool worth = there_gap < 0.999 * result.gap || t < 1.0;
      result.gap = there_gap;
      if (!worth) return result;
    }
    if (!moved) break;
  }
  return result;
}

}  // namespace kernmix
