#include "kernmix/certificate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/two_stage.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::OwnedProblem;
using testing::random_problem;

double number(double low, double high) {
  return low + (high - low) * static_cast<double>(*rc::gen::inRange(0, 100001)) / 100000.0;
}

Vector random_weights(Index M) {
  Vector d(static_cast<std::size_t>(M));
  for (double& weight : d) weight = *rc::gen::inRange(0, 3) == 0 ? 0.0 : number(0.0, 1.0);
  d[0] += 0.1;
  const double sum = std::accumulate(d.begin(), d.end(), 0.0);
  for (double& weight : d) weight /= sum;
  return d;
}

/// A feasible dual vector for any loss, and for any rule of the bias.
Vector random_dual(const Problem& problem) {
  const DualSet set = dual_set(problem.loss, problem.bias, problem.y(), problem.C());
  Vector a(problem.y().size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double C = problem.C()[i];
    a[i] = number(std::max(set.lower[i], -3.0 * C), std::min(set.upper[i], 3.0 * C));
  }
  make_feasible(set, a);
  return a;
}

bool is_solvable(const Problem& problem) {
  try {
    check_loss(problem.loss, problem.bias, problem.y(), problem.C());
    check_solver({problem.loss, problem.regularizer, problem.bias}, {});
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The optimum lies between the bounds of every random point, for every loss and regularizer.
RC_GTEST_PROP(Certificate, BracketsTheOptimumWhateverThePoint, ()) {
  const Loss loss = parse_loss((*rc::gen::elementOf(losses())).example);
  RC_PRE(!joins_classes(loss));  // JointCertificate has it
  const Bias rule = *rc::gen::elementOf(testing::bias_rules(loss));
  const OwnedProblem owned = testing::random_problem_for(loss, *rc::gen::inRange(1u, 1000u), 14, 3,
                                                         *rc::gen::element(0.01, 1.0, 100.0));
  for (const RegularizerInfo& row : regularizers()) {
    if (row.example.starts_with("fixed")) continue;
    Problem problem = owned.with(parse_regularizer(row.example), loss, rule);
    if (!is_solvable(problem)) continue;
    problem.regularizer = choose_weights(problem, Context{});
    const Answer best = testing::solve_tightly(problem);
    Vector d = random_weights(problem.kernels());
    // Of the simplex, but D may have bounds: with a loss of distances no other point has a primal.
    visit(
        [&]<typename R>(const R& r) {
          if constexpr (OnSimplex<R>) r.project(d);
        },
        problem.regularizer);
    const bool one_point =
        visit([]<typename R>(const R&) { return HasFixedWeights<R>; }, problem.regularizer);
    if (one_point) d = best.d;
    const Certificate c = certify(problem, d, {random_dual(problem)}, Context{}).certificate;
    const double slack = 1e-9 * std::abs(best.certificate.primal);
    RC_ASSERT(c.dual <= best.certificate.primal + slack);
    RC_ASSERT(c.primal >= best.certificate.dual - slack);
    RC_ASSERT(c.gap >= 0.0);
    RC_ASSERT(c.inner_gap >= 0.0);
    RC_ASSERT(c.outer_gap >= 0.0);
    RC_ASSERT(std::abs(c.inner_gap + c.outer_gap - c.gap) <= 1e-12 * c.gap);
  }
}

// What a dual vector proves does not depend on the weights, and averages prove at least the
// average.
RC_GTEST_PROP(Certificate, ADualVectorProvesItsBoundAlone, ()) {
  const OwnedProblem owned = random_problem(*rc::gen::inRange(1u, 1000u), 14, 3, 1.0);
  const Problem problem = owned.with(L1{});
  const Vector one = random_dual(problem);
  const Vector other = random_dual(problem);
  const double bound = certify_dual(problem, {one}, Context{});
  Certificate c = certify(problem, random_weights(problem.kernels()), {one}, Context{}).certificate;
  RC_ASSERT(std::abs(bound - c.dual) <= 1e-12 * std::abs(c.primal));

  const double share = number(0.0, 1.0);
  Vector average(one.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    average[i] = share * one[i] + (1.0 - share) * other[i];
  }
  const auto unscaled = [&](const Vector& a) {
    Vector q = all_forms(problem.bank, a, Context{});
    double gain = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) gain += a[i] * owned.y[i];
    return gain - L1{}.conjugate(q);
  };
  const double mean = share * unscaled(one) + (1.0 - share) * unscaled(other);
  RC_ASSERT(certify_dual(problem, {average}, Context{}) >= mean - 1e-9 * std::abs(mean));

  c.raise_dual(c.dual + 0.25 * c.gap);
  RC_ASSERT(std::abs(c.inner_gap + c.outer_gap - c.gap) <= 1e-12 * c.gap);
  RC_ASSERT(std::abs(c.primal - c.dual - c.gap) <= 1e-12 * std::abs(c.primal));
  RC_ASSERT(c.inner_gap >= 0.0);
  RC_ASSERT(c.outer_gap >= 0.0);
}

// P and G written out naively: no clever summation, no rescaling.
TEST(Certificate, IsWhatTheFormulasSay) {
  const OwnedProblem owned = random_problem(7, 12, 2, 1.0);
  const Problem problem = owned.with(L1{});
  const Answer best = testing::solve_tightly(problem);
  const CertifiedPoint point = certify(problem, best.d, best.a, Context{});
  Vector q = all_forms(problem.bank, best.a[0], Context{});
  double norms = 0.0;
  for (std::size_t m = 0; m < q.size(); ++m) norms += best.d[m] * std::sqrt(q[m]);
  double loss = 0.0;
  double gain = 0.0;
  for (std::size_t i = 0; i < owned.y.size(); ++i) {
    loss += std::max(0.0, 1.0 - owned.y[i] * (point.Z.row(0)[i] + point.certificate.only_bias()));
    gain += std::abs(best.a[0][i]);
  }
  const double dual = gain - 0.5 * *std::max_element(q.begin(), q.end());
  EXPECT_NEAR(point.certificate.primal, loss + 0.5 * norms * norms, 1e-12);
  EXPECT_GE(point.certificate.dual, dual - 1e-12);
  EXPECT_NEAR(point.certificate.dual, dual, 1e-6);
  EXPECT_NEAR(point.certificate.gap, point.certificate.primal - point.certificate.dual, 1e-12);
}

TEST(Certificate, RepairsAnUnbalancedDualVector) {
  const OwnedProblem owned = random_problem(3, 10, 2, 1.0);
  const Problem problem = owned.with(Average{});
  const Vector d = Average{}.initial_weights(problem.kernels());
  Vector a(owned.y.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = owned.y[i] > 0.0 ? 1.0 : -0.1;
  const Certificate c = certify(problem, d, {a}, Context{}).certificate;
  EXPECT_LE(c.dual, c.primal);
  EXPECT_TRUE(std::isfinite(c.gap));
}

TEST(Certificate, AtZeroTheDualBoundIsZero) {
  const OwnedProblem owned = random_problem(5, 10, 2, 2.0);
  const Problem problem = owned.with(L1{});
  const Vector d = L1{}.initial_weights(problem.kernels());
  const Certificate c = certify(problem, d, {Vector(10, 0.0)}, Context{}).certificate;
  EXPECT_EQ(c.dual, 0.0);
  const auto positive = static_cast<double>(std::count(owned.y.begin(), owned.y.end(), 1.0));
  EXPECT_NEAR(c.primal, 2.0 * 2.0 * std::min(positive, 10.0 - positive), 1e-12);
}

TEST(Certificate, RefusesWhatIsNoDualVector) {
  const OwnedProblem owned = random_problem(5, 10, 2, 1.0);
  const Problem problem = owned.with(L1{});
  const Vector d = L1{}.initial_weights(problem.kernels());
  Vector outside(10, 0.0);
  outside[0] = 2.0;
  EXPECT_THROW(static_cast<void>(certify(problem, d, {outside}, Context{})), ParameterError);
  EXPECT_THROW(static_cast<void>(certify(problem, d, {Vector(9, 0.0)}, Context{})), ParameterError);
  EXPECT_THROW(static_cast<void>(certify(problem, Vector(2, 0.5), {Vector(10, 0.0)}, Context{})),
               ParameterError);
}

// Larger weights have a smaller objective, of distances, below the optimum.
TEST(Certificate, RefusesWeightsOutsideTheirSetWhereDistancesHaveNoOtherPrimal) {
  const Loss loss = parse_loss("svdd:nu=0.5");
  const OwnedProblem owned = testing::random_problem_for(loss, 5, 14, 2, 1.0);
  const Problem problem = owned.with(L1{}, loss, testing::bias_rules(loss).front());
  const Answer best = testing::solve_tightly(problem);
  Vector doubled = best.d;
  for (double& weight : doubled) weight *= 2.0;
  EXPECT_THROW(static_cast<void>(certify(problem, doubled, best.a, Context{})), ParameterError);
}

}  // namespace
}  // namespace kernmix
