/// \file
/// The inner problem of every loss with every bias rule, on one kernel: proved optimal by the gap
/// that the definitions give, and against closed forms and limits.

#include "svm/inner_solver.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/linear_algebra.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix::testing {
namespace {

constexpr Index samples = 60;

struct NamedKernel {
  const char* name;
  Matrix K;
};

Matrix rank_one(Index n) {
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      K(i, j) = std::sin(static_cast<double>(i)) * std::sin(static_cast<double>(j));
    }
  }
  return K;
}

/// The kernel of samples that come in pairs.
Matrix duplicated(const Matrix& K) {
  Matrix pairs(K.rows, K.rows);
  for (Index i = 0; i < K.rows; ++i) {
    for (Index j = 0; j < K.rows; ++j) pairs(i, j) = K(i / 2, j / 2);
  }
  return pairs;
}

std::vector<NamedKernel> kernels() {
  const RandomData data(5, samples, 3);
  const Matrix smooth = data.gaussian(1.0, {0, 1, 2});
  return {{"smooth", smooth},
          {"local", data.gaussian(0.2, {0, 1, 2})},
          {"rank one", rank_one(samples)},
          {"duplicates", duplicated(smooth)},
          {"zero", Matrix(samples, samples)}};
}

struct Solved {
  Vector a;
  double gap;
  double scale;  ///< the larger of the bounds' absolute values
  Index iterations;
};

/// Solves to a gap of `tolerance` relative to the objective, and takes the gap, K a and the bounds
/// from the definitions.
Solved solve_inner(const Matrix& K, const Loss& loss, Bias rule, const Vector& y, const Vector& C,
                   double tolerance) {
  OwnedProblem owned = make_problem({K}, y, 1.0);
  owned.C = C;
  const Problem problem = owned.with(Sum{}, loss, rule);
  const DualSet set = dual_set(loss, rule, y, C);
  InnerSolver inner(problem, set);
  Solved run{Vector(y.size(), 0.0), 0.0, 0.0, 0};
  make_feasible(set, run.a);
  Vector z(y.size());
  double target = std::numeric_limits<double>::max();
  for (int k = 0; k < 6; ++k) {
    run.iterations += inner.solve(Vector{1.0}, target, run.a, z, Context{}).iterations;
    for (Index i = 0; i < K.rows; ++i) {
      double product = 0.0;
      double size = 0.0;
      for (Index j = 0; j < K.rows; ++j) {
        product += K(i, j) * run.a[j];
        size += std::abs(K(i, j) * run.a[j]);
      }
      EXPECT_NEAR(z[i], product, 1e-13 * (size + 1.0));
      z[i] = product;
    }
    run.gap = loss_at(loss, rule, y, z, run.a, C).gap;
    const double lower = dual_gain(loss, rule, y, run.a, C) -
                         0.5 * std::inner_product(run.a.begin(), run.a.end(), z.begin(), 0.0);
    run.scale = std::max(std::abs(lower), std::abs(lower + run.gap));
    target = tolerance * run.scale;
    if (run.gap <= target) break;
  }
  for (std::size_t i = 0; i < run.a.size(); ++i) {
    EXPECT_GE(run.a[i], set.lower[i]);
    EXPECT_LE(run.a[i], set.upper[i]);
  }
  return run;
}

Solved solve_example(const Matrix& K, const Loss& loss, Bias rule, double C, double tolerance) {
  const OwnedProblem owned = random_problem_for(loss, 5, samples, 3, C);
  return solve_inner(K, loss, rule, owned.y, owned.C, tolerance);
}

class EveryInnerProblem : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> examples() {
  std::vector<std::string> texts;
  for (const LossInfo& row : losses()) {
    if (!joins_classes(parse_loss(row.example))) texts.push_back(row.example);
  }
  return texts;
}

std::string name_of_example(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

INSTANTIATE_TEST_SUITE_P(Losses, EveryInnerProblem, ::testing::ValuesIn(examples()),
                         [](const auto& entry) { return name_of_example(entry.param); });

TEST_P(EveryInnerProblem, ReachesASmallGap) {
  const Loss loss = parse_loss(GetParam());
  const bool no_cost = !takes_cost(loss);
  for (const auto& [name, K] : kernels()) {
    // Homogeneous losses on a kernel without margin: the optimal value is 0, no gap is relative.
    if (no_cost && std::string(name) == "rank one") continue;
    for (const Bias rule : bias_rules(loss)) {
      for (const double C : {1e-4, 0.1, 1.0, 10.0, 100.0}) {
        const Solved run = solve_example(K, loss, rule, C, 1e-9);
        EXPECT_LE(run.gap, 1e-9 * run.scale) << name << ", bias " << bias_name(rule) << ", C " << C;
      }
    }
  }
}

TEST_P(EveryInnerProblem, LabelsThatAreAllEqualCostNothing) {
  const Loss loss = parse_loss(GetParam());
  if (loss_target(loss) == Target::none || !takes_cost(loss)) return;
  const Matrix K = kernels().front().K;
  const Vector C(static_cast<std::size_t>(samples), 10.0);
  const Solved run = solve_inner(K, loss, Bias::free, Vector(C.size(), 1.0), C, 1e-9);
  EXPECT_EQ(run.a, Vector(C.size(), 0.0));
  EXPECT_EQ(run.gap, 0.0);
}

TEST_P(EveryInnerProblem, OneSampleOfAClass) {
  const Loss loss = parse_loss(GetParam());
  if (loss_target(loss) != Target::classes) return;
  const Matrix K = kernels().front().K;
  Vector y(static_cast<std::size_t>(samples), -1.0);
  y[3] = 1.0;
  const bool no_cost = !takes_cost(loss);
  for (const double weight : {0.1, 10.0}) {
    const Vector C(y.size(), no_cost ? 5.0 * weight : weight);
    const Solved run = solve_inner(K, loss, Bias::free, y, C, 1e-9);
    EXPECT_LE(run.gap, 1e-9 * run.scale);
  }
}

TEST_P(EveryInnerProblem, TwoSamples) {
  const Loss loss = parse_loss(GetParam());
  Matrix K(2, 2);
  K.values = {1.0, 0.3, 0.3, 2.0};
  const Vector y = loss_target(loss) == Target::none ? Vector{0.0, 0.0} : Vector{1.0, -1.0};
  for (const Bias rule : bias_rules(loss)) {
    const Solved run = solve_inner(K, loss, rule, y, Vector(2, 1.0), 1e-9);
    EXPECT_LE(run.gap, 1e-9 * run.scale) << bias_name(rule);
  }
}

/// Targets far from 0 cost no accuracy with a free bias.
TEST_P(EveryInnerProblem, ShiftedTargetsShiftTheBiasOnly) {
  const Loss loss = parse_loss(GetParam());
  if (loss_target(loss) != Target::numbers) return;
  const Matrix K = kernels().front().K;
  const OwnedProblem owned = random_problem_for(loss, 5, samples, 3, 1.0);
  Vector shifted = owned.y;
  for (double& value : shifted) value += 1e5;
  const Solved plain = solve_inner(K, loss, Bias::free, owned.y, owned.C, 1e-9);
  const Solved moved = solve_inner(K, loss, Bias::free, shifted, owned.C, 1e-9);
  EXPECT_LE(moved.gap, 1e-9 * moved.scale);
  for (std::size_t i = 0; i < plain.a.size(); ++i) EXPECT_NEAR(plain.a[i], moved.a[i], 1e-3);
}

/// a = (K + I / C)^{-1} (y - b 1), b from 1'a = 0, 0, or 1'a.
TEST(InnerSquared, IsTheClosedForm) {
  const Squared loss;
  for (const auto& [name, kernel] : kernels()) {
    for (const double C : {1e-4, 1.0, 1e6}) {
      const OwnedProblem owned = random_problem_for(loss, 5, samples, 3, C);
      Eigen::MatrixXd S(samples, samples);
      for (Index i = 0; i < samples; ++i) {
        for (Index j = 0; j < samples; ++j) S(i, j) = kernel(i, j) + (i == j ? 1.0 / C : 0.0);
      }
      const Eigen::Map<const Eigen::VectorXd> y(owned.y.data(), samples);
      const Eigen::VectorXd ones = Eigen::VectorXd::Ones(samples);
      for (const Bias rule : bias_rules(loss)) {
        if (rule == Bias::penalised) S.array() += 1.0;
        const Eigen::LDLT<Eigen::MatrixXd> factor(S);
        Eigen::VectorXd a = factor.solve(y);
        if (rule == Bias::free) {
          const Eigen::VectorXd e = factor.solve(ones);
          a -= a.sum() / e.sum() * e;
        }
        const Solved run = solve_inner(kernel, loss, rule, owned.y, owned.C, 1e-12);
        const double size = a.lpNorm<Eigen::Infinity>();
        for (Index i = 0; i < samples; ++i) {
          EXPECT_NEAR(run.a[i], a[i], 1e-6 * size) << name << ", " << bias_name(rule) << ", " << C;
        }
        EXPECT_LE(run.iterations, 3);
      }
    }
  }
}

/// Every weight of the loss, every kernel: few Newton steps, and a stays inside its open box.
TEST(InnerLogistic, IsSolvedInFewStepsForAnyC) {
  const Logistic loss;
  for (const auto& [name, K] : kernels()) {
    for (const Bias rule : bias_rules(loss)) {
      for (const double C : {1e-8, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6, 1e8}) {
        const Solved run = solve_example(K, loss, rule, C, 1e-10);
        EXPECT_LE(run.gap, 1e-10 * run.scale) << name << ", " << bias_name(rule) << ", " << C;
        EXPECT_LE(run.iterations, 25) << name << ", " << bias_name(rule) << ", " << C;
        for (const double value : run.a) EXPECT_TRUE(value != 0.0 && std::abs(value) < C);
      }
    }
  }
}

TEST(InnerLogistic, TakesWeightsOfAnySizeTogether) {
  const Logistic loss;
  const Matrix K = kernels().front().K;
  const OwnedProblem owned = random_problem_for(loss, 5, samples, 3, 1.0);
  Vector C = owned.C;
  for (std::size_t i = 0; i < C.size(); ++i) C[i] = i % 2 == 0 ? 1e-6 : 1e6;
  const Solved run = solve_inner(K, loss, Bias::free, owned.y, C, 1e-9);
  EXPECT_LE(run.gap, 1e-9 * run.scale);
}

/// The optimality condition a_i = -l'(z_i + b), which is a_i = C y_i / (1 + exp(y_i f_i)).
TEST(InnerLogistic, DualVectorIsTheDerivative) {
  const Logistic loss;
  const Matrix K = kernels().front().K;
  const OwnedProblem owned = random_problem_for(loss, 5, samples, 3, 3.0);
  const Solved run = solve_inner(K, loss, Bias::none, owned.y, owned.C, 1e-13);
  for (Index i = 0; i < samples; ++i) {
    const double f = std::inner_product(run.a.begin(), run.a.end(), K.row(i).begin(), 0.0);
    EXPECT_NEAR(run.a[i], 3.0 * owned.y[i] / (1.0 + std::exp(owned.y[i] * f)), 1e-6);
  }
}

/// The dual vector follows a change of weights although its gap is below the target already.
TEST(InnerSolver, FollowsTheWeightsBelowTheTarget) {
  for (const char* text : {"hinge", "squared", "logistic", "epsilon:eps=0.1"}) {
    const Loss loss = parse_loss(text);
    const OwnedProblem one = random_problem_for(loss, 5, samples, 3, 1.0);
    const Problem problem = one.with(L1{}, loss);
    const DualSet set = dual_set(loss, Bias::free, problem.y(), problem.C());
    InnerSolver inner(problem, set);
    Vector a(problem.y().size(), 0.0);
    Vector z(problem.y().size());
    Vector d(static_cast<std::size_t>(problem.kernels()), 1.0);
    static_cast<void>(inner.solve(d, 1e-9, a, z, Context{}));
    const Vector before = a;
    d[0] = 1.01;
    const double opened = [&] {
      z = combined_product(problem.bank, d, a, Context{});
      return loss_at(problem.loss, problem.bias, problem.y(), z, a, problem.C()).gap;
    }();
    const InnerResult result = inner.solve(d, 1e3, a, z, Context{});
    EXPECT_NE(a, before) << text;
    EXPECT_LE(result.gap, 0.051 * opened) << text;
  }
}

}  // namespace
}  // namespace kernmix::testing
