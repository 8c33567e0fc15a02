/// \file
/// The curvature of J against differences of its gradient -q/2, for losses whose samples are all
/// free, so that H is the Hessian everywhere.

#include "weights/curvature.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"
#include "weights/objective.hpp"

namespace kernmix {
namespace {

using testing::bias_rules;
using testing::OwnedProblem;
using testing::random_problem_for;

/// J and its model at fixed weights, where the outer gap is zero and the SVM is solved exactly.
struct Evaluated {
  Vector q;
  WeightModel model;

  Evaluated(const OwnedProblem& owned, const Loss& loss, Bias rule, const Vector& d) {
    const Problem problem = owned.with(Fixed{d}, loss, rule);
    SolverOptions options;
    options.tolerance = 1e-15;
    const Context context;
    Objective run("newton", problem, options, context);
    const Point point = run.evaluate(d, "start");
    q = point.q;
    std::vector<Index> all(d.size());
    std::iota(all.begin(), all.end(), Index{0});
    model = run.model(point, all, {point.free, {}}).quadratic;
  }

  /// H_mk = B_m . B_k
  [[nodiscard]] double hessian(Index m, Index k) const {
    double sum = 0.0;
    for (Index i = 0; i < model.B.cols; ++i) sum += model.B(m, i) * model.B(k, i);
    return sum;
  }
};

/// What SMO holds of K(d) in single precision serves as curvature where it measured its gap on
/// that.
TEST(Curvature, OfFreeSamplesIsWhatSmoHoldsWhereThatIsAccurateEnough) {
  const OwnedProblem owned = random_problem_for(SquaredHinge{}, 21, 520, 2, 1.0);
  const Context context;
  for (const Bias rule : bias_rules(SquaredHinge{})) {
    const Problem problem = owned.with(L1{}, SquaredHinge{}, rule);
    SvmOracle oracle(problem);
    const Vector d = L1{}.initial_weights(problem.kernels());
    oracle.solve(d, 1.0, context);
    ASSERT_FALSE(oracle.exact());
    const std::vector<Index> free = oracle.free_set();
    const RowMatrixF S = oracle.cached_hessian(d, free, context).hessian;
    ASSERT_EQ(S.rows(), length(free));
    RowMatrix expected(S.rows(), S.cols());
    problem.bank.combined(d)->matrix(free, as_span(expected), context);
    const Vector curvature = dual_curvature(problem.loss, problem.y(), oracle.a(), problem.C());
    for (Index r = 0; r < S.rows(); ++r) {
      expected(r, r) += curvature[static_cast<std::size_t>(free[static_cast<std::size_t>(r)])];
    }
    if (rule == Bias::penalised) expected.array() += 1.0;
    const RowMatrix error = (S.cast<double>() - expected).triangularView<Eigen::Lower>();
    EXPECT_LE(error.cwiseAbs().maxCoeff(), 1e-6 * expected.cwiseAbs().maxCoeff());

    const Vector other(d.size(), 0.25);
    EXPECT_EQ(oracle.cached_hessian(other, free, context).hessian.size(), 0)
        << "it belongs to other weights";
    oracle.solve(d, 1e-12, context);
    EXPECT_EQ(oracle.cached_hessian(d, free, context).hessian.size(), 0)
        << "the gap has more digits than it";
  }
}

void expect_hessian(const Loss& loss, Bias rule, unsigned seed) {
  const OwnedProblem owned = random_problem_for(loss, seed, 20, 2, 1.0);
  const Index M = owned.bank->kernels();
  Vector d(static_cast<std::size_t>(M));
  for (std::size_t m = 0; m < d.size(); ++m) d[m] = 0.1 + 0.05 * static_cast<double>(m);
  const Evaluated at(owned, loss, rule, d);
  double largest = 0.0;
  for (Index m = 0; m < M; ++m) largest = std::max(largest, at.hessian(m, m));
  constexpr double h = 1e-4;
  for (Index k = 0; k < M; ++k) {
    Vector less = d;
    Vector more = d;
    less[static_cast<std::size_t>(k)] -= h;
    more[static_cast<std::size_t>(k)] += h;
    const Evaluated below(owned, loss, rule, less);
    const Evaluated above(owned, loss, rule, more);
    for (std::size_t m = 0; m < d.size(); ++m) {
      const double difference = -0.5 * (above.q[m] - below.q[m]) / (2.0 * h);
      EXPECT_NEAR(at.hessian(static_cast<Index>(m), k), difference, 1e-5 * largest)
          << loss_text(loss) << ", bias " << bias_name(rule) << ", m = " << m << ", k = " << k;
    }
  }
}

TEST(Curvature, IsTheHessianWhereAllSamplesAreFree) {
  for (const Loss& loss : {Loss{Squared{}}, Loss{Logistic{}}}) {
    for (const Bias rule : bias_rules(loss)) {
      for (const unsigned seed : {1u, 2u, 3u}) expect_hessian(loss, rule, seed);
    }
  }
}

}  // namespace
}  // namespace kernmix
