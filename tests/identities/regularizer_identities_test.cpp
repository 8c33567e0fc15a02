// Equivalences between regularizers (methods.md section 7, items 2 to 7 and 13), each solved to a
// certified gap of 1e-7.

#include <numeric>

#include "identity.hpp"
#include "line_minimum.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {
namespace {

using testing::constant_kernel;
using testing::expect_at_most;
using testing::expect_same;
using testing::kTwoGaps;
using testing::label_kernel;
using testing::make_problem;
using testing::OwnedProblem;
using testing::random_problem;
using testing::RandomData;
using testing::solved;
using testing::value;

class RegularizerPairs : public testing::Identity {};
INSTANTIATE_TEST_SUITE_P(Sources, RegularizerPairs, testing::every_setting(),
                         testing::setting_name);

TEST_P(RegularizerPairs, SoftMarginGoesFromTheAverageToL1) {
  const OwnedProblem owned = problem();
  const double M = static_cast<double>(owned.bank->kernels());
  const double l1 = value(owned, L1{});
  const double average = value(owned, Average{});
  expect_same(value(owned, SoftMargin{1.0}), l1);
  expect_same(value(owned, SoftMargin{3.0}), l1);
  expect_same(value(owned, SoftMargin{1.0 / M}), average);
  double previous = average;
  for (const double theta : {1.5 / M, 0.2, 0.4, 0.7, 1.0}) {
    const double now = value(owned, SoftMargin{theta});
    expect_at_most(now, previous);
    previous = now;
  }
}

TEST_P(RegularizerPairs, SquaredSoftMarginGoesFromTheAverageToL1) {
  const OwnedProblem owned = problem();
  const double M = static_cast<double>(owned.bank->kernels());
  const double l1 = value(owned, L1{});
  const double average = value(owned, Average{});
  // On the simplex 1/M <= ||d||^2 <= 1.
  for (const double theta : {0.1, 1.0, 100.0, 1e6}) {
    const double squared = value(owned, SoftMarginSquared{theta});
    expect_at_most(l1 + 0.5 / (theta * M), squared);
    expect_at_most(squared, l1 + 0.5 / theta);
    expect_at_most(squared, average + 0.5 / (theta * M));
  }
  // d - 1/M = theta (q/2 - lambda), and q/2 is of the size of the objective.
  const double small = 1e-4 / average;
  const Answer even = solved(owned, SoftMarginSquared{small});
  for (const double weight : even.d) EXPECT_NEAR(weight, 1.0 / M, 1e-2 / M);
  const double constant = 0.5 / (small * M);
  EXPECT_NEAR(even.certificate.primal - constant, average, kTwoGaps * constant + 5e-3 * average);
}

TEST_P(RegularizerPairs, NamesOfTheSameRegularizerAgree) {
  const OwnedProblem owned = problem();
  expect_same(value(owned, SoftMarginSquareLoss{0.3}), value(owned, LpTikhonov{2.0, 1.0 / 0.3}));
  expect_same(value(owned, SoftMarginPower{0.3, 2.0}), value(owned, SoftMarginSquared{0.3}));
}

// A Tikhonov solution of radius t solves the ball on kernels t K, at the cost lambda t^2 / 2.
TEST_P(RegularizerPairs, TikhonovIsTheBallOfItsRadius) {
  const OwnedProblem owned = problem();
  for (const double p : {1.2, 2.0, 4.0}) {
    const LpTikhonov tikhonov{p, 0.5};
    const Answer solution = solved(owned, tikhonov);
    // The certified functions have weights of their own, the best for their norms.
    Vector s = all_forms(*owned.bank, solution.a[0], Context{});
    for (std::size_t m = 0; m < s.size(); ++m) s[m] = solution.d[m] * std::sqrt(s[m]);
    Vector weights(s.size());
    tikhonov.best_weights(s, weights);
    const double t = power_norm(weights, p);
    const OwnedProblem ball = problem_of(times(t));
    expect_same(solution.certificate.primal, value(ball, Lp{p}) + 0.25 * t * t);
  }
}

TEST_P(RegularizerPairs, ElasticNetsTendToTheirParts) {
  const OwnedProblem owned = problem();
  const double unsquared = value(owned, L1Unsquared{0.7});
  expect_same(value(owned, ElasticNet{0.7, 1e-9}), unsquared);
  expect_at_most(unsquared, value(owned, ElasticNet{0.7, 0.3}));
  expect_at_most(value(owned, ElasticNet{0.7, 0.3}), value(owned, ElasticNet{0.7, 0.6}));

  const Vector uniform(static_cast<std::size_t>(owned.bank->kernels()), 1.0 / 0.6);
  expect_same(value(owned, ElasticNet{1e-9, 0.6}), value(owned, Fixed{uniform}));

  const double l1 = value(owned, L1{});
  expect_same(value(owned, ElasticNetBach{1e-9}), l1);
  expect_at_most(l1, value(owned, ElasticNetBach{0.5}));
}

TEST_P(RegularizerPairs, SgmklGoesFromTheBallToL1) {
  const OwnedProblem owned = problem();
  expect_same(value(owned, Sgmkl{1.0 - 1e-9}), value(owned, L1{}));
  expect_same(value(owned, Sgmkl{1e-9}), value(owned, Lp{2.0}));
  double previous = value(owned, Lp{2.0});
  for (const double v : {0.2, 0.5, 0.8}) {  // d >= d^2 below 1, so that D shrinks with v
    const double now = value(owned, Sgmkl{v});
    expect_at_most(previous, now);
    previous = now;
  }
}

// lambda S + loss is 1/2 S^2 + (S* / lambda) loss at the optimal S*, up to a factor and a constant.
TEST_P(RegularizerPairs, UnsquaredIsSquaredAtAnotherC) {
  const OwnedProblem owned = problem();
  const double lambda = 0.4 * std::min(1.0, C);  // not so large that nothing is worth it
  const Answer unsquared = solved(owned, L1Unsquared{lambda});
  const double S = lambda * std::accumulate(unsquared.d.begin(), unsquared.d.end(), 0.0);
  const OwnedProblem scaled = make_problem(kernels, y, C * S / lambda);
  const Answer squared = solved(scaled, L1{});
  const double expected = S / lambda * unsquared.certificate.primal - 0.5 * S * S;
  EXPECT_NEAR(squared.certificate.primal, expected, 1e-5 * expected);
}

TEST_P(RegularizerPairs, OneKernelHasWeightOneOnASimplexOrABall) {
  const OwnedProblem one = one_kernel();
  const double svm = value(one, Average{});
  for (const Regularizer& r : {Regularizer{SoftMargin{1.0}}, Regularizer{SoftMarginSquared{0.7}},
                               Regularizer{SoftMarginPower{0.7, 3.0}}, Regularizer{Sgmkl{0.3}},
                               Regularizer{SgmklNorm{0.3}}}) {
    const double constant = visit([](const auto& x) { return x.penalty(Vector{1.0}); }, r);
    expect_same(value(one, r), svm + constant);
  }
}

// With one kernel, the weight can be searched for without any regularizer's help.
TEST_P(RegularizerPairs, OneKernelIsAOneDimensionalSearch) {
  const OwnedProblem one = one_kernel();
  const auto search = [&](const auto& r, double largest) {
    const auto at = [&](double d) {
      const Vector weight{d};
      return value(one, Fixed{weight}) + r.penalty(weight);
    };
    return testing::line_minimum(at, 0.0, largest);
  };
  const auto check = [&](const auto& r, double largest) {
    const double expected = search(r, largest);
    EXPECT_NEAR(value(one, r), expected, 1e-6 * expected) << r.text();
  };
  check(L1Unsquared{0.9}, 40.0);
  check(LpTikhonov{2.0, 0.1}, 40.0);
  check(LpTikhonov{1.5, 0.1}, 40.0);
  check(ElasticNet{0.9, 0.2}, 5.0 * (1.0 - 1e-12));
  check(ElasticNetBach{0.5}, 1.0 / 1.5);
  check(Sgmkl{0.4}, 1.0);
  check(SgmklNorm{0.4}, 1.0);
}

std::vector<Regularizer> one_of_each() {
  return {L1Unsquared{0.5},
          LpTikhonov{1.3, 0.5},
          ElasticNet{0.5, 0.2},
          ElasticNetBach{1.},
          Sgmkl{0.5},
          SgmklNorm{0.5},
          SoftMargin{0.3},
          SoftMarginSquared{1.0},
          SoftMarginPower{1.0, 3.0},
          SoftMarginSquareLoss{1.0}};
}

TEST_P(RegularizerPairs, ZeroDuplicatedConstantAndRankOneKernelsAreNoObstacle) {
  std::vector<Matrix> more = kernels;
  more.emplace_back(samples(), samples());
  more.push_back(kernels.front());
  more.push_back(constant_kernel(samples()));
  more.push_back(label_kernel(y, 1e-3));
  const OwnedProblem owned = problem_of(std::move(more));
  for (const Regularizer& regularizer : one_of_each()) EXPECT_GT(value(owned, regularizer), 0.0);
}

TEST(DegenerateKernels, OnlyZeroOnes) {
  const OwnedProblem owned = make_problem({Matrix(6, 6), Matrix(6, 6), Matrix(6, 6), Matrix(6, 6)},
                                          {1.0, -1.0, 1.0, 1.0, -1.0, 1.0}, 1.0);
  for (const Regularizer& regularizer : one_of_each()) {
    // The loss of a constant decision, and the least that Phi can be.
    const auto phi = [](const auto& r) {
      using R = std::decay_t<decltype(r)>;
      return OnSimplex<R> ? r.penalty(Vector(4, 0.25)) : 0.0;
    };
    EXPECT_NEAR(value(owned, regularizer), 4.0 + visit(phi, regularizer), 1e-6)
        << regularizer_text(regularizer);
  }
}

TEST(DegenerateKernels, HugeAndTinyC) {
  for (const double C : {1e-8, 1e6}) {
    const OwnedProblem owned = random_problem(52, 40, 3, C);
    for (const Regularizer& regularizer : one_of_each()) {
      const Answer solution = solve(owned.with(regularizer), {}, Context{});
      EXPECT_EQ(solution.status, Status::converged)
          << regularizer_text(regularizer) << " C = " << C << " gap "
          << solution.certificate.relative_gap();
    }
  }
}

TEST(ManyKernels, MoreThanAWorkingSetMayShareTheWeight) {
  constexpr Index n = 12;
  std::vector<Matrix> kernels;
  for (unsigned seed = 0; seed < 250; ++seed) {
    const RandomData data(seed, n, 2);
    for (Matrix& K : data.kernels()) kernels.push_back(std::move(K));
  }
  const double M = static_cast<double>(kernels.size());
  ASSERT_GT(M, 2000.0);
  const OwnedProblem owned = make_problem(std::move(kernels), RandomData(1, n, 2).y, 1.0);
  for (const Regularizer& regularizer :
       {Regularizer{SoftMargin{1.5 / M}}, Regularizer{SoftMargin{30.0 / M}},
        Regularizer{SoftMarginSquared{1e-4}}, Regularizer{ElasticNet{0.01, 100.0}},
        Regularizer{ElasticNetBach{1000.0}}, Regularizer{Sgmkl{0.001}}}) {
    EXPECT_GT(value(owned, regularizer), 0.0);
  }
}

}  // namespace
}  // namespace kernmix
