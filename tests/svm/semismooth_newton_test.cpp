/// \file
/// The inner problem on a factor, for every loss with every bias rule: proved optimal by the gap
/// that the definitions give for K = Z Z', and against SMO and Newton's method on that matrix.

#include "svm/newton/semismooth_newton.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "factor_problem.hpp"
#include "svm/factor_choice.hpp"
#include "svm/inner_solver.hpp"

namespace kernmix::testing {
namespace {

struct NamedFactor {
  const char* name;
  Matrix Z;
};

Matrix in_pairs(Matrix Z) {
  for (Index i = 1; i < Z.rows; i += 2) std::ranges::copy(Z.row(i - 1), Z.row(i).begin());
  return Z;
}

/// Samples 0, 2, 4, ... only, so that the others have a kernel of zero.
Matrix half_zero(Matrix Z) {
  for (Index i = 1; i < Z.rows; i += 2) std::ranges::fill(Z.row(i), 0.0);
  return Z;
}

std::vector<NamedFactor> factors(Index n) {
  return {{"rank one", random_factor(1, n, 1)},
          {"rank six", random_factor(2, n, 6)},
          {"decaying", random_factor(3, n, 12, 0.4)},
          {"pairs", in_pairs(random_factor(4, n, 8))},
          {"half zero", half_zero(random_factor(5, n, 4))},
          {"wide", random_factor(6, n, 2 * n)},
          {"zero", Matrix(n, 2)},
          {"no columns", Matrix(n, 0)}};
}

/// With a column that tells the classes apart (or a constant one): losses that learn a threshold
/// have the optimal value 0 without a margin, and no gap is relative to that.
Matrix with_margin(const Matrix& Z, const Vector& y) {
  Matrix wider(Z.rows, Z.cols + 1);
  for (Index i = 0; i < Z.rows; ++i) {
    std::ranges::copy(Z.row(i), wider.row(i).begin());
    const double label = y[static_cast<std::size_t>(i)];
    wider(i, Z.cols) = label == 0.0 ? 1.0 : label;
  }
  return wider;
}

/// What a matrix in single precision may add to a gap: one rounding of the largest term of each
/// (K a)_i, in which the loss is Lipschitz with the width of the box of a_i. Boxes without end are
/// left out.
double single_precision_gap(const FactorProblem& owned, const Matrix& K, ConstSpan a) {
  constexpr double epsilon = 0x1p-24;
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double width = owned.set.upper[i] - owned.set.lower[i];
    if (!std::isfinite(width)) continue;
    double largest = 0.0;
    const ConstSpan row = K.row(static_cast<Index>(i));
    for (std::size_t j = 0; j < a.size(); ++j) largest = std::max(largest, std::abs(row[j] * a[j]));
    sum += width * epsilon * largest;
  }
  return sum;
}

constexpr Index factor_samples = 40;

class EveryLossOnAFactor : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> losses_of_kernels() {
  std::vector<std::string> texts;
  for (const LossInfo& row : losses()) {
    const Loss loss = parse_loss(row.example);
    if (!on_distances(loss) && !joins_classes(loss)) texts.push_back(row.example);
  }
  return texts;
}

std::string name_of_loss(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

INSTANTIATE_TEST_SUITE_P(Losses, EveryLossOnAFactor, ::testing::ValuesIn(losses_of_kernels()),
                         [](const auto& entry) { return name_of_loss(entry.param); });

TEST_P(EveryLossOnAFactor, ReachesASmallGap) {
  const Loss loss = parse_loss(GetParam());
  const bool no_cost = !takes_cost(loss);
  for (const auto& [name, factor] : factors(factor_samples)) {
    const OwnedProblem labels = random_problem_for(loss, 5, factor_samples, 3, 1.0);
    const Matrix Z = no_cost ? with_margin(factor, labels.y) : factor;
    const Matrix K = product(Z);
    for (const Bias rule : bias_rules(loss)) {
      for (const double C : {1e-4, 0.1, 1.0, 10.0, 100.0, 1e4}) {
        if (no_cost && C != 1.0) continue;
        // The gap of a narrow tube is C times the rounding errors of the decision values, which are
        // of the size of 1 and whose equations have a condition of a thousand or more.
        const double tolerance = std::max(1e-9, 5e-12 * C);
        const OwnedProblem data = random_problem_for(loss, 5, factor_samples, 3, C);
        const double rounding = 1e-12 * std::accumulate(data.C.begin(), data.C.end(), 0.0);
        const FactorProblem owned(Z, loss, rule, data.y, data.C);
        const FactorSolved run = solve_on_factor(owned, K, tolerance);
        EXPECT_LE(run.gap, tolerance * run.scale + rounding)
            << name << ", bias " << bias_name(rule) << ", C " << C << ", steps " << run.iterations;
      }
    }
  }
}

/// Both routes find the same optimal value, within what their gaps leave.
TEST_P(EveryLossOnAFactor, AgreesWithTheMatrix) {
  const Loss loss = parse_loss(GetParam());
  const OwnedProblem data = random_problem_for(loss, 9, 120, 3, 2.0);
  const Matrix Z = with_margin(random_factor(7, 120, 9, 0.8), data.y);
  const Matrix K = product(Z);
  for (const Bias rule : bias_rules(loss)) {
    const FactorProblem owned(Z, loss, rule, data.y, data.C);
    const FactorSolved run = solve_on_factor(owned, K, 1e-8);
    OwnedProblem dense = make_problem({K}, data.y, 1.0);
    dense.C = data.C;
    const Problem problem = dense.with(Sum{}, loss, rule);
    InnerSolver matrix(problem, owned.set);
    Vector a(data.y.size(), 0.0);
    make_feasible(owned.set, a);
    Vector z(a.size());
    matrix.solve(Vector{1.0}, 1e-8 * run.scale, a, z, Context{});
    const FactorSolved reference = examined(owned, K, a, z, 0);
    EXPECT_LE(reference.gap, 1e-5 * run.scale + single_precision_gap(owned, K, a));
    EXPECT_LE(run.lower, reference.lower + reference.gap + 1e-12 * run.scale);
    EXPECT_LE(reference.lower, run.lower + run.gap + 1e-12 * run.scale);
  }
}

TEST_P(EveryLossOnAFactor, IsTheSameForAnyNumberOfThreads) {
  const Loss loss = parse_loss(GetParam());
  const Matrix Z = random_factor(8, 3000, 20, 0.8);
  const OwnedProblem data = random_problem_for(loss, 9, 60, 3, 2.0);
  Vector y;
  Vector C;
  for (Index i = 0; i < Z.rows; ++i) {
    y.push_back(data.y[static_cast<std::size_t>(i % 60)]);
    C.push_back(data.C[static_cast<std::size_t>(i % 60)]);
  }
  const FactorProblem owned(Z, loss, Bias::free, y, C);
  const auto answer = [&](int threads) {
    Context context;
    context.threads = threads;
    SemismoothNewton method(owned.problem, owned.set);
    method.combine(Vector{1.0}, context);
    const ExactProduct exact = [&](ConstSpan at, MutableSpan out) {
      std::ranges::copy(combined_product(owned.bank, Vector{1.0}, at, context), out.begin());
    };
    const InnerGap gap = [&](ConstSpan at, ConstSpan z) {
      return loss_at(loss, Bias::free, y, z, at, C).gap;
    };
    Vector a(y.size(), 0.0);
    make_feasible(owned.set, a);
    Vector z(a.size());
    const InnerResult result = method.solve(exact, gap, 1e-3, a, z, context);
    EXPECT_LE(result.gap, 1e-3);
    return a;
  };
  const Vector one = answer(1);
  EXPECT_EQ(one, answer(2));
  EXPECT_EQ(one, answer(5));
}

TEST_P(EveryLossOnAFactor, StopsAtAFeasiblePointWhenAsked) {
  const Loss loss = parse_loss(GetParam());
  const Matrix Z = random_factor(8, 200, 5);
  const Matrix K = product(Z);
  const OwnedProblem data = random_problem_for(loss, 9, Z.rows, 3, 2.0);
  const FactorProblem owned(Z, loss, Bias::free, data.y, data.C);
  const std::atomic<bool> cancelled = true;
  Context context;
  context.cancelled = &cancelled;
  Vector start(data.y.size(), 0.0);
  make_feasible(owned.set, start);
  Vector z = combined_product(owned.bank, Vector{1.0}, start, Context{});
  const FactorSolved before = examined(owned, K, start, z, 0);
  const FactorSolved run = solve_on_factor(owned, K, 1e-9, context);
  EXPECT_LE(run.gap, before.gap * (1.0 + 1e-12));
  EXPECT_LE(run.iterations, 6);  // of six calls, none goes on
}

/// Samples at a bound are exactly there, as SMO leaves them: what is free is what the optimum says.
TEST(SemismoothNewtonHinge, LeavesTheFreeSamplesOfTheMatrixRoute) {
  const Matrix Z = random_factor(11, 400, 10, 0.8);
  const Matrix K = product(Z);
  const RandomData data(5, Z.rows, 3);
  const Vector C(data.y.size(), 1.0);
  const FactorProblem owned(Z, Hinge{}, Bias::free, data.y, C);
  const FactorSolved run = solve_on_factor(owned, K, 1e-10);
  const auto free = free_samples(owned.problem.loss, owned.set, data.y, run.a, C);
  EXPECT_GE(free.size(), 2U);
  EXPECT_LE(free.size(), 11U);  // r + 1: more would need decision values of exactly +-1 by chance
  const double bias = loss_at(owned.problem.loss, Bias::free, data.y, run.z, run.a, C).bias[0];
  for (const Index i : free) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(data.y[at] * (run.z[at] + bias), 1.0, 1e-4);
  }
}

/// Weights of the samples that differ by twelve orders of magnitude.
TEST(SemismoothNewtonHinge, TakesWeightsOfAnySizeTogether) {
  const Matrix Z = random_factor(11, 100, 6);
  const RandomData data(5, Z.rows, 3);
  Vector C(data.y.size());
  for (std::size_t i = 0; i < C.size(); ++i) C[i] = i % 2 == 0 ? 1e-6 : 1e6;
  const FactorProblem owned(Z, Hinge{}, Bias::free, data.y, C);
  const FactorSolved run = solve_on_factor(owned, product(Z), 1e-9);
  EXPECT_LE(run.gap, 1e-9 * run.scale);
}

TEST(SemismoothNewtonHinge, LabelsThatAreAllEqualCostNothing) {
  const Matrix Z = random_factor(11, 50, 6);
  const Vector C(50, 10.0);
  const FactorProblem owned(Z, Hinge{}, Bias::free, Vector(50, 1.0), C);
  const FactorSolved run = solve_on_factor(owned, product(Z), 1e-9);
  EXPECT_EQ(run.a, Vector(50, 0.0));
  EXPECT_EQ(run.gap, 0.0);
}

/// What rounding alone can leave of the gap of a hinge: sum_i C_i |error of (Z Z'a)_i|, each a sum
/// of n r products (Higham 2002, section 3.1).
double rounding_of_gap(const FactorProblem& owned, const Matrix& Z, ConstSpan a) {
  Vector sizes(static_cast<std::size_t>(Z.cols), 0.0);  // |Z|'|a|
  for (Index j = 0; j < Z.rows; ++j) {
    for (Index c = 0; c < Z.cols; ++c) {
      sizes[static_cast<std::size_t>(c)] += std::abs(Z(j, c) * a[static_cast<std::size_t>(j)]);
    }
  }
  double sum = 0.0;
  for (Index i = 0; i < Z.rows; ++i) {
    for (Index c = 0; c < Z.cols; ++c) {
      sum += owned.problem.C()[static_cast<std::size_t>(i)] * std::abs(Z(i, c)) *
             sizes[static_cast<std::size_t>(c)];
    }
  }
  return static_cast<double>(Z.rows + Z.cols) * 0x1p-53 * sum;
}

/// Hardly any of the samples is free and C is without effect: steps in widths of the box are long,
/// and multiply the errors of the decision values until these are all that is left of w - Z'a.
TEST(SemismoothNewtonHinge, OneSampleOfAClass) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Matrix Z = random_factor(seed, 50, 6);
    Vector y(50, -1.0);
    y[seed % 50] = 1.0;
    for (const double weight : {0.1, 10.0, 1e3, 1e5, 1e7}) {
      const FactorProblem owned(Z, Hinge{}, Bias::free, y, Vector(50, weight));
      const FactorSolved run = solve_on_factor(owned, product(Z), 1e-9);
      EXPECT_LE(run.gap, 1e-9 * run.scale + rounding_of_gap(owned, Z, run.a))
          << weight << ", seed " << seed << ", steps " << run.iterations;
    }
  }
}

/// The quadratic has no bounds: the first step is the whole way.
TEST(SemismoothNewtonSquared, TakesOneStep) {
  const Matrix Z = random_factor(11, 60, 6);
  for (const double C : {1e-4, 1.0, 1e6}) {
    const OwnedProblem data = random_problem_for(Squared{}, 5, Z.rows, 3, C);
    const FactorProblem owned(Z, Squared{}, Bias::free, data.y, data.C);
    const FactorSolved run = solve_on_factor(owned, product(Z), 1e-12);
    EXPECT_LE(run.gap, 1e-12 * run.scale);
    EXPECT_LE(run.iterations, 3) << C;
  }
}

/// Z only steers: where the exact kernel differs, its optimum is reached.
TEST(SemismoothNewton, ReachesTheOptimumOfTheExactKernel) {
  const Matrix Z = random_factor(12, 150, 8);
  Matrix near = Z;
  for (double& value : near.values) value *= 1.0 + 1e-4 * std::sin(1e6 * value);
  const Matrix K = product(near);
  for (const char* text : {"hinge", "epsilon:eps=0.1", "squared", "logistic"}) {
    const Loss loss = parse_loss(text);
    const OwnedProblem data = random_problem_for(loss, 9, Z.rows, 3, 1.0);
    const FactorProblem owned(Z, loss, Bias::free, data.y, data.C);
    const FactorProblem other(near, loss, Bias::free, data.y, data.C);
    SemismoothNewton method(owned.problem, owned.set);
    method.combine(Vector{1.0}, Context{});
    const ExactProduct exact = [&](ConstSpan at, MutableSpan out) {
      std::ranges::copy(combined_product(other.bank, Vector{1.0}, at, Context{}), out.begin());
    };
    const InnerGap gap = [&](ConstSpan at, ConstSpan z) {
      return loss_at(loss, Bias::free, data.y, z, at, data.C).gap;
    };
    Vector a(data.y.size(), 0.0);
    Vector z(a.size());
    method.solve(exact, gap, 1e-9, a, z, Context{});
    const FactorSolved run = examined(other, K, a, z, 0);
    EXPECT_LE(run.gap, 1e-8 * run.scale) << text;
  }
}

TEST(FactorChoice, TakesTheFactorWhereItPaysAndWhereTheMatrixDoesNotFit) {
  const auto chosen = [](Index n, Index r, std::size_t memory, Index moves = 0) {
    const FactorProblem owned(Matrix(n, r), Hinge{}, Bias::free,
                              Vector(static_cast<std::size_t>(n), 1.0),
                              Vector(static_cast<std::size_t>(n), 1.0));
    Context context;
    context.memory_bytes = memory;
    return prefers_factor(owned.problem, Vector{1.0}, moves, context);
  };
  EXPECT_TRUE(chosen(20000, 20, 0));
  EXPECT_FALSE(chosen(500, 200, 0));
  EXPECT_TRUE(chosen(500, 200, 0, 100'000));  // SMO crawls
  EXPECT_FALSE(chosen(500, 200, 3'000'000));
  EXPECT_TRUE(chosen(500, 200, 2'000'000));  // the factor 0.8 MB, the matrix 1 MB and half of it
}

/// A matrix on which SMO needs hundreds of thousands of moves: it is left after some thousands, and
/// the answer is as good as was asked for.
TEST(FactorChoice, LeavesSmoWhereItCrawls) {
  const Matrix Z = random_factor(13, 400, 60, 0.95);
  const RandomData data(5, Z.rows, 3);
  const Vector C(data.y.size(), 1e4);
  const FactorProblem owned(Z, Hinge{}, Bias::free, data.y, C);
  ASSERT_FALSE(prefers_factor(owned.problem, Vector{1.0}, 0, Context{}));
  InnerSolver inner(owned.problem, owned.set);
  Vector a(data.y.size(), 0.0);
  Vector z(a.size());
  const double scale = solve_on_factor(owned, product(Z), 1e-6).scale;
  const InnerResult result = inner.solve(Vector{1.0}, 1e-4 * scale, a, z, Context{});
  EXPECT_LE(result.gap, 1e-4 * scale);
  EXPECT_LE(result.iterations, 2 * moves_worth_a_factor(owned.problem, Vector{1.0}));
  examined(owned, product(Z), a, z, 0);

  TriangleCache kernels(owned.problem.bank);
  DualSmo smo(owned.problem, owned.set, kernels);
  smo.combine(Vector{1.0}, Context{});
  const ExactProduct exact = [&](ConstSpan at, MutableSpan out) {
    std::ranges::copy(combined_product(owned.bank, Vector{1.0}, at, Context{}), out.begin());
  };
  const Problem& problem = owned.problem;
  const InnerGap gap = [&](ConstSpan at, ConstSpan out) {
    return loss_at(problem.loss, problem.bias, problem.y(), out, at, problem.C()).gap;
  };
  std::ranges::fill(a, 0.0);
  EXPECT_GT(smo.solve(exact, gap, 1e-4 * scale, a, z, Context{}).iterations, 4 * result.iterations);
}

TEST(FactorChoice, NeedsAFactor) {
  const OwnedProblem owned = random_problem(5, 30, 2, 1.0);
  Context context;
  context.memory_bytes = 1;
  const Vector d(static_cast<std::size_t>(owned.bank->kernels()), 1.0);
  EXPECT_EQ(owned.bank->combined(d)->columns(), -1);
  EXPECT_FALSE(prefers_factor(owned.with(Sum{}), d, 0, context));
}

}  // namespace
}  // namespace kernmix::testing
