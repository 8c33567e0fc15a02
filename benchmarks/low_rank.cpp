/// \file
/// One inner problem on low-rank kernels: semismooth Newton steps on the factor Z of K(d) against
/// SMO on the matrix, to the same gap, cold and then warm from there after the weights have moved
/// by some 20 %. Each column of the data has a Gaussian kernel of its own, kept as a factor; times
/// include combining. Processor seconds on one thread, the best of up to three.
/// Usage: low_rank [largest n] [largest n for SMO]

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <random>

#include "bank/stored_bank.hpp"
#include "base/linear_algebra.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "svm/newton/semismooth_newton.hpp"
#include "svm/smo/dual_smo.hpp"

namespace {

using namespace kernmix;

constexpr Index pivots = 10;
constexpr double relative_gap = 1e-4;
constexpr int most_repetitions = 3;
constexpr double long_enough = 1.0;  ///< seconds: no repetition after that

/// The Gaussian kernel of width 0.7 on one column x, interpolated from ten pivots: its factor.
Matrix gaussian_factor(const Eigen::VectorXd& x) {
  const auto kernel = [](double u, double v) { return std::exp(-(u - v) * (u - v) / 0.98); };
  const auto pivot = [](Index p) { return -2.7 + 0.6 * static_cast<double>(p); };
  Eigen::MatrixXd at_pivots(pivots, pivots);
  Eigen::MatrixXd cross(x.size(), pivots);
  for (Index p = 0; p < pivots; ++p) {
    for (Index q = 0; q < pivots; ++q) at_pivots(p, q) = kernel(pivot(p), pivot(q));
    for (Index i = 0; i < x.size(); ++i) cross(i, p) = kernel(x[i], pivot(p));
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(at_pivots);
  Matrix Z(x.size(), pivots);
  as_matrix(Z) = factor.matrixL().solve(cross.transpose()).transpose();
  return Z;
}

struct Data {
  StoredBank bank;
  Vector y;

  Data(Index n, Index columns) : bank(n, columns), y(static_cast<std::size_t>(n)) {
    std::mt19937_64 engine(1);
    std::normal_distribution<double> normal;
    Eigen::VectorXd score = Eigen::VectorXd::Zero(n);
    for (Index c = 0; c < columns; ++c) {
      Eigen::VectorXd x(n);
      for (double& value : x) value = normal(engine);
      score.array() += (2.0 * x).array().sin();
      const Matrix Z = gaussian_factor(x);
      FactorFamily alone{{c}, Matrix(Z.cols, Z.rows), {}};
      as_matrix(alone.columns) = as_matrix(Z).transpose();
      bank.keep(alone, false);
    }
    for (Index i = 0; i < n; ++i) {
      const double noise = 0.3 * std::sqrt(static_cast<double>(columns)) * normal(engine);
      y[static_cast<std::size_t>(i)] = score[i] + noise > 0.0 ? 1.0 : -1.0;
    }
  }
};

struct Timed {
  double seconds = std::numeric_limits<double>::infinity();
  Index iterations = 0;
  Vector a;
};

/// Combines and solves to the relative gap, the target found on the way as an outer solver does.
template <typename Method>
Timed solve(Method& method, const Problem& problem, const Vector& d, const Vector& start) {
  const std::clock_t begin = std::clock();
  Timed run;
  run.a = start;
  Vector z(start.size());
  method.combine(d, Context{});
  const ExactProduct exact = [&](ConstSpan at, MutableSpan out) {
    std::ranges::copy(combined_product(problem.bank, d, at, Context{}), out.begin());
  };
  const InnerGap gap = [&](ConstSpan at, ConstSpan product) {
    return loss_at(problem.loss, problem.bias, problem.y(), product, at, problem.C()).gap;
  };
  double target = std::numeric_limits<double>::max();
  for (int k = 0; k < 10; ++k) {
    const InnerResult result = method.solve(exact, gap, target, run.a, z, Context{});
    run.iterations += result.iterations;
    double square = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) square += run.a[i] * z[i];
    const double lower =
        dual_gain(problem.loss, problem.bias, problem.y(), run.a, problem.C()) - 0.5 * square;
    target = relative_gap * std::abs(lower);
    if (result.gap <= target) break;
  }
  run.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return run;
}

struct ColdAndWarm {
  Timed cold, warm;
};

template <typename Method>
ColdAndWarm measure(const Problem& problem, const DualSet& set, const Vector& d,
                    const Vector& moved) {
  ColdAndWarm best;
  double total = 0.0;
  for (int k = 0; k < most_repetitions && total < long_enough; ++k) {
    TriangleCache kernels(problem.bank);
    auto method = [&] {
      if constexpr (std::is_same_v<Method, DualSmo>)
        return DualSmo(problem, set, kernels);
      else
        return Method(problem, set);
    }();
    const Timed cold = solve(method, problem, d, Vector(problem.y().size(), 0.0));
    const Timed warm = solve(method, problem, moved, cold.a);
    total += cold.seconds + warm.seconds;
    if (cold.seconds < best.cold.seconds) best.cold = cold;
    if (warm.seconds < best.warm.seconds) best.warm = warm;
  }
  return best;
}

void compare(Index n, Index columns, double C, bool with_smo) {
  const Data data(n, columns);
  const Problem problem{data.bank, Hinge{}, Sum{}, data.y, Vector(data.y.size(), C), Bias::free};
  const DualSet set = dual_set(problem.loss, problem.bias, problem.y(), problem.C());
  Vector d(static_cast<std::size_t>(columns), 1.0 / static_cast<double>(columns));
  Vector moved = d;
  for (std::size_t m = 0; m < d.size(); ++m) {
    moved[m] *= std::exp(0.2 * std::sin(7.0 * static_cast<double>(m)));
  }
  const ColdAndWarm factor = measure<SemismoothNewton>(problem, set, d, moved);
  fmt::print("| {} | {} | {} | {:.4f} | {} | {:.4f} | {} |", n, columns * pivots, C,
             factor.cold.seconds, factor.cold.iterations, factor.warm.seconds,
             factor.warm.iterations);
  if (with_smo) {
    const ColdAndWarm smo = measure<DualSmo>(problem, set, d, moved);
    fmt::print(" {:.4f} | {} | {:.4f} | {} | {:.2f} | {:.2f} |\n", smo.cold.seconds,
               smo.cold.iterations, smo.warm.seconds, smo.warm.iterations,
               smo.cold.seconds / factor.cold.seconds, smo.warm.seconds / factor.warm.seconds);
  } else {
    fmt::print(" | | | | | |\n");
  }
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const Index largest = count > 1 ? std::atol(arguments[1]) : 50000;
  const Index largest_smo = count > 2 ? std::atol(arguments[2]) : 10000;
  fmt::print(
      "| n | r | C | s factor | steps | s warm | steps warm | s SMO | moves | s warm | moves warm "
      "| "
      "SMO : factor | warm |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Index n : {500, 1000, 2000, 10000, 50000}) {
    for (const Index columns : {5, 20, 80}) {
      for (const double C : {1.0, 100.0, 1e4}) {
        if (n <= largest) compare(n, columns, C, n <= largest_smo);
      }
    }
  }
  return EXIT_SUCCESS;
}
