/// \file
/// Every loss with every bias rule on sparse, dense and fixed weights: certified to 1e-6, and two
/// solvers that agree.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::bias_rules;
using testing::is_taken;
using testing::OwnedProblem;
using testing::random_problem_for;
using testing::RandomData;

struct LossCell {
  std::string loss;
  std::string regularizer;
};

std::vector<LossCell> loss_cells() {
  std::vector<LossCell> cells;
  for (const LossInfo& row : losses()) {
    for (const char* regularizer : {"l1", "lp:p=2", "average"}) {
      const bool taken = is_taken(parse_loss(row.example), parse_regularizer(regularizer));
      if (taken) cells.push_back({row.example, regularizer});
    }
  }
  return cells;
}

/// C where the loss has one.
Vector weights_of(const Loss& loss) {
  if (!takes_cost(loss)) return {1.0};
  return {0.1, 1.0, 10.0, 100.0};
}

Answer solve_with(const Problem& problem, const std::string& solver, double tolerance) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = 300;
  return solve(problem, options, Context{});
}

class EveryLossCell : public ::testing::TestWithParam<LossCell> {};

INSTANTIATE_TEST_SUITE_P(Losses, EveryLossCell, ::testing::ValuesIn(loss_cells()),
                         [](const auto& cell) {
                           std::string name = cell.param.loss + "_" + cell.param.regularizer;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

TEST_P(EveryLossCell, NewtonReachesItsGap) {
  const Loss loss = parse_loss(GetParam().loss);
  const Regularizer regularizer = parse_regularizer(GetParam().regularizer);
  for (const Bias rule : bias_rules(loss)) {
    for (const double C : weights_of(loss)) {
      const OwnedProblem owned = random_problem_for(loss, 11, 40, 4, C);
      const Problem problem = owned.with(regularizer, loss, rule);
      const Answer solution = solve_with(problem, "newton", 1e-6);
      EXPECT_EQ(solution.status, Status::converged) << bias_name(rule) << ", C = " << C;
      Certificate again = certify(problem, solution.d, solution.a, Context{}).certificate;
      if (!solution.witness.empty()) again.raise_dual(certify_dual(problem, solution.witness, {}));
      const double scale = std::abs(solution.certificate.dual);
      EXPECT_LE(again.relative_gap(), 1.001e-6) << bias_name(rule) << ", C = " << C;
      EXPECT_NEAR(again.primal, solution.certificate.primal, 1e-9 * scale);
      EXPECT_NEAR(again.dual, solution.certificate.dual, 1e-9 * scale);
    }
  }
}

/// The tail of closed-form steps is long where weights go to zero: 1e-2 there, else 1e-6.
TEST_P(EveryLossCell, AlternatingAgrees) {
  const Loss loss = parse_loss(GetParam().loss);
  const Regularizer regularizer = parse_regularizer(GetParam().regularizer);
  if (!is_taken(loss, regularizer, "alternating")) GTEST_SKIP() << "alternating does not take it";
  const double tolerance = GetParam().regularizer == "l1" ? 1e-2 : 1e-6;
  for (const Bias rule : bias_rules(loss)) {
    for (const double C : weights_of(loss)) {
      const OwnedProblem owned = random_problem_for(loss, 12, 40, 4, C);
      const Problem problem = owned.with(regularizer, loss, rule);
      const Answer alternating = solve_with(problem, "alternating", tolerance);
      const Answer newton = solve_with(problem, "newton", 1e-6);
      EXPECT_EQ(alternating.status, Status::converged) << bias_name(rule) << ", C = " << C;
      const double slack = 1e-9 * std::abs(newton.certificate.dual);
      EXPECT_LE(newton.certificate.dual, alternating.certificate.primal + slack);
      EXPECT_GE(newton.certificate.primal, alternating.certificate.dual - slack);
    }
  }
}

double newton_value(const Problem& problem) {
  const Answer solution = solve_with(problem, "newton", 1e-7);
  EXPECT_EQ(solution.status, Status::converged);
  return solution.certificate.primal;
}

/// Losses that are limits or special cases of each other have the same optimal value.
TEST(LossIdentities, HuberWithALargeDeltaIsSquared) {
  const OwnedProblem owned = random_problem_for(Squared{}, 13, 40, 4, 2.0);
  const double squared = newton_value(owned.with(L1{}, Squared{}));
  EXPECT_NEAR(newton_value(owned.with(L1{}, Huber{1e3})), squared, 1e-6 * squared);
  EXPECT_NEAR(newton_value(owned.with(L1{}, SquaredEpsilon{0.0})), squared, 1e-6 * squared);
}

TEST(LossIdentities, PinballAtTheMedianIsHalfTheAbsoluteLoss) {
  const OwnedProblem owned = random_problem_for(Squared{}, 13, 40, 4, 2.0);
  OwnedProblem half = random_problem_for(Squared{}, 13, 40, 4, 1.0);
  const double pinball = newton_value(owned.with(L1{}, Pinball{0.5}));
  EXPECT_NEAR(newton_value(half.with(L1{}, Epsilon{0.0})), pinball, 1e-6 * pinball);
}

TEST(LossIdentities, NarrowHuberHingeIsHinge) {
  const OwnedProblem owned = random_problem_for(Hinge{}, 13, 40, 4, 2.0);
  const double hinge = newton_value(owned.with(Lp{2.0}, Hinge{}));
  EXPECT_NEAR(newton_value(owned.with(Lp{2.0}, HuberHinge{1e-7})), hinge, 1e-6 * hinge);
}

/// On labels the squared loss also punishes margins above 1.
TEST(LossIdentities, SquaredHingeIsAtMostSquared) {
  const OwnedProblem owned = random_problem_for(Hinge{}, 13, 40, 4, 100.0);
  const double squared = newton_value(owned.with(L1{}, Squared{}));
  EXPECT_LE(newton_value(owned.with(L1{}, SquaredHinge{})), squared * (1.0 + 1e-7));
}

/// nu-SVC is C-SVC at C / rho: its decision function divided by the margin is the SVM's.
TEST(LossIdentities, NuSvcIsAScaledSvm) {
  const Loss nu_svc = NuSvc{0.4};
  const OwnedProblem owned = random_problem_for(nu_svc, 13, 40, 4, 1.0);
  const Problem problem = owned.with(Average{}, nu_svc);
  const Answer nu = solve_with(problem, "newton", 1e-9);
  const CertifiedPoint point = certify(problem, nu.d, nu.a, Context{});
  // The margin: the value of y f at the samples strictly between their bounds.
  double rho = 0.0;
  int free = 0;
  for (std::size_t i = 0; i < nu.a[0].size(); ++i) {
    const double alpha = problem.y()[i] * nu.a[0][i];
    if (alpha < 1e-6 * problem.C()[i] || alpha > (1.0 - 1e-6) * problem.C()[i]) continue;
    rho += problem.y()[i] * (point.Z.row(0)[i] + point.certificate.only_bias());
    ++free;
  }
  ASSERT_GT(free, 0);
  rho /= free;
  OwnedProblem plain = random_problem_for(Hinge{}, 13, 40, 4, problem.C()[0] / rho);
  const Answer svm = solve_with(plain.with(Average{}, Hinge{}), "newton", 1e-9);
  for (std::size_t i = 0; i < nu.a[0].size(); ++i) {
    EXPECT_NEAR(nu.a[0][i] / rho, svm.a[0][i], 1e-3 * plain.C[0]);
  }
  EXPECT_NEAR(point.certificate.only_bias() / rho, svm.certificate.only_bias(), 1e-3);
}

/// Where SMO measures gaps on kernels in single precision, C times the rounding errors of decision
/// values may be more than the tolerance: then it must not.
TEST(LossIdentities, RoundedKernelsDoNotHideTheGapOfALargeCost) {
  RandomData data(14, 150, 3);
  data.tell_apart(3, 1.5);
  for (const double C : {1e3, 1e5, 1e7}) {
    const OwnedProblem owned = testing::make_problem(data.kernels(), data.y, C);
    for (const Regularizer& regularizer : std::vector<Regularizer>{Average{}, L1{}, Lp{2.0}}) {
      const Answer solution = solve_with(owned.with(regularizer, Hinge{}), "newton", 1e-3);
      EXPECT_EQ(solution.status, Status::converged)
          << regularizer_text(regularizer) << ", C = " << C;
    }
  }
}

/// A penalised bias is one more kernel of ones without a bias.
TEST(LossIdentities, PenalisedBiasIsAKernelOfOnes) {
  for (const LossInfo& row : losses()) {
    const Loss loss = parse_loss(row.example);
    if (bias_rules(loss).size() < 3) continue;
    const testing::RandomData data(14, 40, 3);
    const OwnedProblem sample = random_problem_for(loss, 14, 40, 3, 1.0);
    std::vector<Matrix> kernels = data.kernels();
    const OwnedProblem penalised = testing::make_problem(kernels, sample.y, 1.0);
    for (Matrix& K : kernels) {
      for (double& entry : K.values) entry += 1.0;
    }
    // With weights that sum to 1, ones in every kernel are ones in their sum.
    const OwnedProblem none = testing::make_problem(kernels, sample.y, 1.0);
    const double value = newton_value(penalised.with(Average{}, loss, Bias::penalised));
    EXPECT_NEAR(newton_value(none.with(Average{}, loss, Bias::none)), value, 1e-6 * value)
        << row.example;
  }
}

/// Fewer samples than kernels, duplicates, and one sample of a class.
TEST(LossDegenerate, SmallAndRepeatedData) {
  for (const LossInfo& row : losses()) {
    const Loss loss = parse_loss(row.example);
    const bool no_cost = !takes_cost(loss);
    for (const Index n : {2, 3, 8}) {
      const testing::RandomData data(15, n, 4);
      std::vector<Matrix> kernels = data.kernels();
      Matrix ones(n, n);
      for (double& entry : ones.values) entry = 1.0;
      kernels.push_back(ones);
      kernels.emplace_back(n, n);
      Vector y(data.y.size(), -1.0);
      y[0] = 1.0;
      if (loss_target(loss) == Target::none) y.assign(y.size(), 0.0);
      if (joins_classes(loss)) y = testing::class_numbers(y);
      const double C = no_cost ? 0.7 : 5.0;
      const OwnedProblem owned = testing::make_problem(kernels, y, C);
      for (const Bias rule : bias_rules(loss)) {
        for (const char* regularizer : {"l1", "lp:p=2", "average"}) {
          if (!is_taken(loss, parse_regularizer(regularizer))) continue;
          const Problem problem = owned.with(parse_regularizer(regularizer), loss, rule);
          const Answer solution = solve_with(problem, "newton", 1e-6);
          EXPECT_EQ(solution.status, Status::converged)
              << row.example << ", n = " << n << ", " << regularizer << ", " << bias_name(rule)
              << ", gap " << solution.certificate.relative_gap();
        }
      }
    }
  }
}

TEST(LossDegenerate, LabelsThatAreAllEqualCostNothing) {
  for (const LossInfo& row : losses()) {
    const Loss loss = parse_loss(row.example);
    if (bias_rules(loss).size() < 3) continue;
    const testing::RandomData data(16, 12, 3);
    const OwnedProblem owned = testing::make_problem(data.kernels(), Vector(12, 1.0), 5.0);
    for (const char* regularizer : {"l1", "lp:p=2", "average"}) {
      const Problem problem = owned.with(parse_regularizer(regularizer), loss);
      const Answer solution = solve_with(problem, "newton", 1e-6);
      EXPECT_EQ(solution.status, Status::converged) << row.example << ", " << regularizer;
      EXPECT_EQ(solution.certificate.primal, 0.0);
      EXPECT_EQ(solution.a[0], Vector(12, 0.0));
    }
  }
}

}  // namespace
}  // namespace kernmix
