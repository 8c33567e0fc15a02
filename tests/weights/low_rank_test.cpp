/// \file
/// The whole path on kernels kept as factors: the same optimum as on the matrices Z_m Z_m'.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "bank/stored_bank.hpp"
#include "factor_family.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"
#include "svm/factor_choice.hpp"
#include "weights/curvature.hpp"

namespace kernmix::testing {
namespace {

/// One kernel for each column x and frequency w: the features cos(w k x), sin(w k x), k = 1, 2, 3.
std::vector<Matrix> wave_factors(const Matrix& X) {
  std::vector<Matrix> factors;
  for (Index c = 0; c < X.cols; ++c) {
    for (const double frequency : {0.5, 1.5}) {
      Matrix Z(X.rows, 6);
      for (Index i = 0; i < X.rows; ++i) {
        for (Index k = 0; k < 3; ++k) {
          const double angle = frequency * static_cast<double>(k + 1) * X(i, c);
          Z(i, 2 * k) = std::cos(angle) / static_cast<double>(k + 1);
          Z(i, 2 * k + 1) = std::sin(angle) / static_cast<double>(k + 1);
        }
      }
      factors.push_back(std::move(Z));
    }
  }
  return factors;
}

Matrix gram(const Matrix& Z) {
  Matrix K(Z.rows, Z.rows);
  for (Index i = 0; i < Z.rows; ++i) {
    for (Index j = 0; j <= i; ++j) {
      K(i, j) = std::inner_product(Z.row(i).begin(), Z.row(i).end(), Z.row(j).begin(), 0.0);
      K(j, i) = K(i, j);
    }
  }
  return K;
}

/// The same kernels as factors and as matrices.
struct BothBanks {
  StoredBank factors;
  OwnedProblem matrices;

  explicit BothBanks(const RandomData& data) : factors(data.X.rows, 2 * data.X.cols) {
    std::vector<Matrix> grams;
    for (const Matrix& Z : wave_factors(data.X)) {
      factors.keep(alone(length(grams), Z), false);
      grams.push_back(gram(Z));
    }
    matrices = make_problem(std::move(grams), data.y, 1.0);
  }
};

/// Intervals [dual, primal] that are both proved to hold the optimal value must meet.
void expect_same_optimum(const Answer& one, const Answer& other, const std::string& what) {
  const double rounding = 1e-10 * std::abs(one.certificate.primal);
  EXPECT_LE(one.certificate.dual, other.certificate.primal + rounding) << what;
  EXPECT_LE(other.certificate.dual, one.certificate.primal + rounding) << what;
}

TEST(LowRank, ReachesTheOptimumOfTheMatricesOnManySamples) {
  const RandomData data(3, 1200, 3);
  const BothBanks banks(data);
  const Vector C(data.y.size(), 10.0);
  const Vector ones(static_cast<std::size_t>(banks.factors.kernels()), 1.0);
  for (const char* text : {"l1", "lp:p=1.5"}) {
    const Regularizer regularizer = parse_regularizer(text);
    const Problem low{banks.factors, Hinge{}, regularizer, data.y, C, Bias::free};
    const Problem dense{*banks.matrices.bank, Hinge{}, regularizer, data.y, C, Bias::free};
    ASSERT_TRUE(prefers_factor(low, ones, 0, Context{}));
    SolverOptions options;
    options.tolerance = 1e-3;
    const Answer reference = solve(dense, options, Context{});
    EXPECT_EQ(reference.status, Status::converged);
    for (const double tolerance : {1e-3, 1e-6}) {
      options.tolerance = tolerance;
      const Answer solution = solve(low, options, Context{});
      EXPECT_EQ(solution.status, Status::converged) << text;
      EXPECT_LE(solution.certificate.relative_gap(), tolerance) << text;
      const Certificate exact = certify(dense, solution.d, solution.a, Context{}).certificate;
      EXPECT_LE(exact.relative_gap(), 1.01 * tolerance) << text;
      expect_same_optimum(solution, reference, text);
    }
  }
}

/// A budget that the matrix does not fit in sends every loss to the factor.
TEST(LowRank, EveryLossReachesTheOptimumOfTheMatrices) {
  const Index n = 150;
  for (const LossInfo& row : losses()) {
    const Loss loss = parse_loss(row.example);
    if (on_distances(loss) || joins_classes(loss)) continue;  // these have matrices only
    const RandomData data(3, n, 2);
    const BothBanks banks(data);
    const OwnedProblem samples = random_problem_for(loss, 3, n, 2, 2.0);
    for (const char* text : {"l1", "lp:p=2", "average"}) {
      const Regularizer regularizer = parse_regularizer(text);
      const Problem low{banks.factors, loss, regularizer, samples.y, samples.C, Bias::free};
      const Problem dense{
          *banks.matrices.bank, loss, regularizer, samples.y, samples.C, Bias::free};
      Context tight;
      tight.memory_bytes = banks.factors.bytes() + 1;
      SolverOptions options;
      options.tolerance = 1e-5;
      const Answer solution = solve(low, options, tight);
      const Answer reference = solve(dense, options, Context{});
      const std::string what = row.example + ", " + text;
      EXPECT_LE(solution.certificate.relative_gap(), 1e-5) << what;
      expect_same_optimum(solution, reference, what);
    }
  }
}

/// H does not depend on how its square root was found.
TEST(LowRank, NewtonModelIsThatOfTheMatrices) {
  const Index n = 150;
  const RandomData data(3, n, 2);
  const BothBanks banks(data);
  for (const char* text : {"squared", "logistic", "squared-hinge", "hinge", "epsilon:eps=0.01"}) {
    const Loss loss = parse_loss(text);
    const OwnedProblem samples = random_problem_for(loss, 3, n, 2, 100.0);
    for (const Bias bias : bias_rules(loss)) {
      const SolverOptions options;
      const Context context;
      const Problem low{banks.factors, loss, L1{}, samples.y, samples.C, bias};
      const Problem dense{*banks.matrices.bank, loss, L1{}, samples.y, samples.C, bias};
      kernmix::Objective run("dense", dense, options, context);
      const Vector d(static_cast<std::size_t>(low.kernels()), 0.25);
      const Point point = run.evaluate(d, "start");
      std::vector<Index> all(d.size());
      std::iota(all.begin(), all.end(), Index{0});
      const auto model = [&](const Problem& problem) {
        const Eigen::MatrixXd root = curvature_root(
            run.dual_set(), point.free,
            FreeBlockFactor::of(problem, point, {point.free, {}}, {}, context).value(),
            free_products(problem, point.a, all, point.free, context));
        return Eigen::MatrixXd(root.transpose() * root);
      };
      const Eigen::MatrixXd right = model(dense);
      ASSERT_GT(right.maxCoeff(), 0.0) << text;
      EXPECT_LE((model(low) - right).cwiseAbs().maxCoeff(), 1e-5 * right.maxCoeff())
          << text << ", bias " << bias_name(bias) << ", free " << point.free.size();
    }
  }
}

/// The inner solver's factor spares the outer one its own.
TEST(LowRank, NewtonModelIsTheSameByTheFactorAtHand) {
  const Index n = 150;
  const BothBanks banks(RandomData(3, n, 2));
  const OwnedProblem samples = random_problem_for(SquaredHinge{}, 3, n, 2, 100.0);
  Context tight;  // no room for a matrix
  tight.memory_bytes = banks.factors.bytes() + 1;
  for (const Bias bias : bias_rules(SquaredHinge{})) {
    const Problem low{banks.factors, SquaredHinge{}, L1{}, samples.y, samples.C, bias};
    const Vector d(static_cast<std::size_t>(low.kernels()), 0.25);
    SvmOracle oracle(low);
    oracle.solve(d, 1e-6, tight);
    const std::vector<Index> free = oracle.free_set();
    // Of other weights it takes the place of the last one.
    const double constant = bias == Bias::penalised ? static_cast<double>(n) : 0.0;
    const auto trace = [&](double weight) {
      const Vector weights(d.size(), weight);
      const WeightedColumns* factor = oracle.cached_hessian(weights, free, tight).factor;
      double squares = -constant;
      for (Index i = 0; factor != nullptr && i < n; ++i) squares += factor->squared_norm(i);
      return squares;
    };
    EXPECT_NEAR(trace(0.5), 2.0 * trace(0.25), 1e-9 * trace(0.25)) << bias_name(bias);
    const CachedHessian known = oracle.cached_hessian(d, free, tight);
    ASSERT_NE(known.factor, nullptr);
    ASSERT_LT(known.factor->cols(), length(free));
    Point point;
    point.d = d;
    point.a = oracle.a();
    point.free = free;
    const auto form = [&](CachedHessian at_hand) {
      Eigen::MatrixXd ones = Eigen::MatrixXd::Ones(length(free), 1);
      const FreeBlockFactor whitening =
          FreeBlockFactor::of(low, point, {free, {}}, std::move(at_hand), tight).value();
      const double half = whitening.solve(ones).sum();
      whitening.apply(ones);
      EXPECT_NEAR(ones.squaredNorm(), half, 1e-9 * half) << bias_name(bias);
      return ones.squaredNorm();
    };
    const double want = form({});
    EXPECT_NEAR(form(known), want, 1e-9 * want) << bias_name(bias);
  }
}

}  // namespace
}  // namespace kernmix::testing
