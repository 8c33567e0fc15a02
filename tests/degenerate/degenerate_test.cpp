// Degenerate problems (methods.md 4.1) for every registered loss and regularizer: the answer is
// finite and certified, whatever the input lacks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/error.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::make_problem;
using testing::OwnedProblem;
using testing::RandomData;

constexpr double kTolerance = 1e-4;

/// The regularizer of a row with parameters and groups that suit M kernels.
Regularizer regularizer_for(const RegularizerInfo& row, Index M) {
  std::vector<Index> group(static_cast<std::size_t>(M));
  for (std::size_t m = 0; m < group.size(); ++m) group[m] = static_cast<Index>(m) * 2 / M;
  return with_groups(parse_regularizer(row.example), group);
}

bool suits(const Regularizer& regularizer, Index M) {
  try {
    check_regularizer(regularizer, M);
  } catch (const ParameterError&) {
    return false;
  }
  return true;
}

Vector targets(const Loss& loss, const Vector& labels) {
  Vector y = joins_classes(loss) ? testing::class_numbers(labels) : labels;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (loss_target(loss) == Target::numbers) y[i] += 0.3 * std::sin(3.0 * static_cast<double>(i));
    if (loss_target(loss) == Target::none) y[i] = 0.0;
  }
  return y;
}

Vector costs(const Loss& loss, double C, std::size_t n) {
  return Vector(n, loss_weight(loss, takes_cost(loss) ? C : 1.0, static_cast<Index>(n)));
}

void expect_finite(const Answer& solution) {
  for (const double weight : solution.d) EXPECT_TRUE(std::isfinite(weight) && weight >= 0.0);
  for (const double a : solution.a[0]) EXPECT_TRUE(std::isfinite(a));
  EXPECT_TRUE(std::isfinite(solution.certificate.primal));
  EXPECT_TRUE(std::isfinite(solution.certificate.dual));
  EXPECT_TRUE(std::isfinite(solution.certificate.only_bias()));
}

/// What is left out where every kernel is singular: saddle-newton asks for SVMs more exact than SMO
/// finds in reasonable time there (docs/reference/solvers/smo.md), and svdd, whose kernels are
/// distances, is a one-class loss without its floor on these.
enum class Singular { no, yes };

bool is_saddle(const Regularizer& regularizer) {
  return visit([]<typename R>(const R&) { return HasSaddleWeights<R>; }, regularizer);
}

/// Solves every pair of loss and regularizer on these kernels; `check` sees each answer.
template <typename Check>
void for_every_pair(const std::vector<Matrix>& kernels, const Vector& labels, double C, Check check,
                    Singular singular = Singular::no) {
  const OwnedProblem owned = make_problem(kernels, labels, C);
  const Index M = owned.bank->kernels();
  for (const LossInfo& loss_row : losses()) {
    const Loss loss = parse_loss(loss_row.example);
    for (const RegularizerInfo& row : regularizers()) {
      const Regularizer regularizer = regularizer_for(row, M);
      if (singular == Singular::yes && (is_saddle(regularizer) || on_distances(loss))) continue;
      if (!suits(regularizer, M) || !testing::is_taken(loss, regularizer)) continue;
      SCOPED_TRACE(loss_row.example + ", " + row.example);
      const Problem problem{
          *owned.bank, loss, regularizer, targets(loss, labels), costs(loss, C, labels.size()),
          Bias::free};
      SolverOptions options;
      options.tolerance = kTolerance;
      const Answer solution = solve(problem, options, {});
      expect_finite(solution);
      check(problem, solution);
    }
  }
}

void expect_converged(const Problem& /*problem*/, const Answer& solution) {
  EXPECT_LE(solution.certificate.relative_gap(), kTolerance) << solution.solver;
}

/// D is a simplex, perhaps capped, and Phi = 0: weight on a kernel of zeros is wasted.
bool wastes_no_weight(const Regularizer& regularizer) {
  return visit([]<typename R>(const R&) { return OnSimplex<R> && !HasPenaltySlope<R>; },
               regularizer);
}

TEST(Degenerate, AKernelOfZerosAmongOthers) {
  const RandomData data(31, 24, 3);
  std::vector<Matrix> kernels = data.kernels();
  kernels[1] = Matrix(24, 24);
  int without_weight = 0;
  for_every_pair(kernels, data.y, 1.0, [&](const Problem& problem, const Answer& solution) {
    expect_converged(problem, solution);
    if (!wastes_no_weight(problem.regularizer)) return;
    EXPECT_EQ(solution.d[1], 0.0) << solution.solver;
    ++without_weight;
  });
  EXPECT_GT(without_weight, 0);
}

// Invisible beside a free bias: a'11'a = 0, but not for one-class, whose sum of a is 1.
TEST(Degenerate, AConstantKernelAmongOthers) {
  const RandomData data(41, 24, 3);
  std::vector<Matrix> kernels = data.kernels();
  std::ranges::fill(kernels[1].values, 1.0);
  for_every_pair(kernels, data.y, 1.0, [](const Problem& problem, const Answer& solution) {
    if (!is<OneClass>(problem.loss)) expect_converged(problem, solution);
  });
}

TEST(Degenerate, DuplicatedKernels) {
  const RandomData data(32, 24, 2);
  std::vector<Matrix> kernels = data.kernels();
  const std::vector<Matrix> copy = kernels;
  kernels.insert(kernels.end(), copy.begin(), copy.end());
  for_every_pair(kernels, data.y, 1.0, expect_converged);
}

TEST(Degenerate, RankOneKernelsOnly) {
  const RandomData data(33, 24, 4);
  for_every_pair(data.lines(), data.y, 1.0, expect_converged, Singular::yes);
}

TEST(Degenerate, OneKernel) {
  const RandomData data(34, 24, 3);
  for_every_pair({data.gaussian(1.0, {0, 1, 2})}, data.y, 1.0, expect_converged);
}

TEST(Degenerate, FewerSamplesThanKernels) {
  const RandomData data(35, 6, 5);
  for_every_pair(data.kernels(), data.y, 1.0, expect_converged);
}

TEST(Degenerate, OneSampleOfOneClass) {
  const RandomData data(36, 16, 3);
  Vector y(16, -1.0);
  y[3] = 1.0;
  const OwnedProblem owned = make_problem(data.kernels(), y, 1.0);
  for (const RegularizerInfo& row : regularizers()) {
    const Regularizer regularizer = regularizer_for(row, owned.bank->kernels());
    if (!suits(regularizer, owned.bank->kernels())) continue;
    SolverOptions options;
    options.tolerance = kTolerance;
    for (const Loss& loss : {Loss{Hinge{}}, Loss{Logistic{}}}) {
      SCOPED_TRACE(row.example + ", " + loss_text(loss));
      if (!testing::is_taken(loss, regularizer)) continue;
      const Problem problem = owned.with(regularizer, loss);
      expect_converged(problem, solve(problem, options, {}));
    }
  }
}

// With a free bias the constant function is optimal: a = 0, and the objective is the least Phi(d).
TEST(Degenerate, AllLabelsEqual) {
  const RandomData data(37, 16, 3);
  const OwnedProblem owned = make_problem(data.kernels(), Vector(16, 1.0), 1.0);
  for (const RegularizerInfo& row : regularizers()) {
    const Regularizer regularizer = regularizer_for(row, owned.bank->kernels());
    if (!suits(regularizer, owned.bank->kernels())) continue;
    if (is<TwoStage>(regularizer)) continue;  // refuses: nothing to align with
    SCOPED_TRACE(row.example);
    const Answer solution = solve(owned.with(regularizer), {}, {});
    expect_finite(solution);
    EXPECT_EQ(solution.status, Status::converged);
    const Vector no_forms(static_cast<std::size_t>(owned.bank->kernels()), 0.0);
    const double least_penalty = -conjugate(regularizer, no_forms);
    EXPECT_NEAR(solution.certificate.primal, least_penalty, 1e-12);
    EXPECT_EQ(solution.a[0], Vector(16, 0.0));
    EXPECT_GE(solution.certificate.only_bias(), 1.0 - 1e-12);
  }
}

TEST(Degenerate, TinyAndHugeCost) {
  const RandomData data(38, 20, 3);
  for (const double C : {1e-5, 1e5}) {
    SCOPED_TRACE(C);
    for_every_pair(data.kernels(), data.y, C, [](const Problem&, const Answer& solution) {
      EXPECT_LE(solution.certificate.relative_gap(), 1e-3) << solution.solver;
    });
  }
}

TEST(Degenerate, InfeasibleSoftMarginIsRefusedBeforeWork) {
  const RandomData data(39, 12, 2);
  const OwnedProblem owned = make_problem(data.kernels(), data.y, 1.0);
  EXPECT_THROW(
      static_cast<void>(solve(owned.with(parse_regularizer("soft-margin:theta=0.01")), {}, {})),
      ParameterError);
}

TEST(Degenerate, JustAboveOneIsNearlyL1) {
  const RandomData data(40, 30, 3);
  const OwnedProblem owned = make_problem(data.kernels(), data.y, 1.0);
  const double l1 = testing::solve_tightly(owned.with(L1{})).certificate.primal;
  SolverOptions options;
  options.tolerance = kTolerance;
  for (const double p : {1.0 + 1e-6, 1.0001, 1.01}) {
    const Answer solution = solve(owned.with(Lp{p}), options, {});
    EXPECT_LE(solution.certificate.relative_gap(), kTolerance) << p;
    EXPECT_NEAR(solution.certificate.primal, l1, 0.05 * l1);
  }
}

}  // namespace
}  // namespace kernmix
