/// \file
/// First weights from a part of the samples: a start, of which no bound may know.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "bank/stored_bank.hpp"
#include "factor_family.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "solver_checks.hpp"
#include "svm/factor_choice.hpp"
#include "weights/strategies/part_of_samples.hpp"

namespace kernmix::testing {
namespace {

constexpr Index kEnough = 1000;

/// Gaussian kernels, dense, of which the first ones decide.
OwnedProblem enough_samples(const Vector* targets = nullptr) {
  const RandomData data(5, kEnough, 3);
  std::vector<Matrix> kernels;
  for (const Index c : {0, 1, 2}) kernels.push_back(data.gaussian(0.7, {c}));
  kernels.push_back(data.gaussian(1.0, {0, 1, 2}));
  return make_problem(std::move(kernels), targets == nullptr ? data.y : *targets, 1.0);
}

std::string first_step(const Problem& problem, double tolerance = 1e-3) {
  SolverOptions options;
  options.tolerance = tolerance;
  options.max_iterations = 1;
  return solve(problem, options, Context{}).history.front().step;
}

TEST(SamplePart, HasTheSameShareOfEachClass) {
  Vector y(4000, -1.0);
  std::fill_n(y.begin(), 1000, 1.0);  // sorted by class
  const std::vector<Index> part = part_of_samples(y, 400);
  EXPECT_EQ(length(part), 400);
  EXPECT_TRUE(std::ranges::is_sorted(part));
  EXPECT_EQ(std::ranges::count_if(part, [](Index i) { return i < 1000; }), 100);
}

TEST(SamplePart, CoversAllNumbers) {
  const Vector y = RandomData(3, 2000, 2).targets(1, 0.5);
  Vector values;
  for (const Index i : part_of_samples(y, 200)) values.push_back(y[static_cast<std::size_t>(i)]);
  Vector sorted = y;
  std::ranges::sort(sorted);
  std::ranges::sort(values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    EXPECT_GE(values[k], sorted[10 * k]);
    EXPECT_LE(values[k], sorted[10 * k + 9]);
  }
}

TEST(SamplePart, LeadsToTheSameOptimum) {
  const OwnedProblem owned = enough_samples();
  for (const char* regularizer : {"l1", "lp:p=2", "elastic-net:l1=1,l2=0.5"}) {
    const Problem problem = owned.with(parse_regularizer(regularizer));
    const Answer solution = expect_solved(problem, "newton", 1e-4);
    EXPECT_EQ(solution.history.front().step, "part-of-samples") << regularizer;
    EXPECT_LT(solution.history.front().primal, 1.1 * solution.certificate.dual) << "far off";
  }
}

TEST(SamplePart, IsTakenForNumbersToo) {
  const Vector targets = RandomData(5, kEnough, 3).targets(1, 0.2);
  EXPECT_EQ(first_step(enough_samples(&targets).with(L1{}, Epsilon{0.1})), "part-of-samples");
}

TEST(SamplePart, GivesTheSameBitsForAnyNumberOfThreads) {
  expect_same_bits(enough_samples().with(L1{}), SolverOptions{});
}

TEST(SamplePart, IsLeftOutWhereItWouldTellLittle) {
  const OwnedProblem owned = enough_samples();
  EXPECT_EQ(first_step(owned.with(L1{}, parse_loss("nu-svc:nu=0.3"))), "start") << "no sum";
  EXPECT_EQ(first_step(random_problem(5, 200, 2, 1.0).with(L1{})), "start") << "few samples";
  Vector rare(kEnough, -1.0);
  std::fill_n(rare.begin(), 30, 1.0);
  EXPECT_EQ(first_step(enough_samples(&rare).with(L1{})), "start") << "three of a class";
}

/// Their SVMs cost as much as samples: a part gains nothing that closed-form steps do not.
TEST(SamplePart, IsLeftOutForShortFactors) {
  const RandomData data(5, kEnough, 4);
  StoredBank bank(kEnough, 4);
  for (Index c = 0; c < 4; ++c) {
    Matrix Z(kEnough, 1);
    for (Index i = 0; i < kEnough; ++i) Z(i, 0) = data.X(i, c);
    bank.keep(alone(c, Z), false);
  }
  const Problem problem{bank, Hinge{}, L1{}, data.y, Vector(data.y.size(), 1.0)};
  EXPECT_EQ(first_step(problem), "start");
}

/// Where they have so many columns that K(d) is written, a part costs the square of its share.
TEST(SamplePart, IsTakenForFactorsOfManyColumns) {
  constexpr Index kSamples = 3000;
  constexpr Index kPowers = 8;
  const RandomData data(5, kSamples, 60);
  StoredBank bank(kSamples, data.X.cols);
  for (Index c = 0; c < data.X.cols; ++c) {
    Matrix Z(kSamples, kPowers);
    for (Index i = 0; i < kSamples; ++i) {
      for (Index k = 0; k < kPowers; ++k) {
        Z(i, k) =
            std::cos(static_cast<double>(k) + 0.5 * static_cast<double>(k + 1) * data.X(i, c));
      }
    }
    bank.keep(alone(c, Z), false);
  }
  const Problem problem{bank, Hinge{}, L1{}, data.y, Vector(data.y.size(), 1.0)};
  EXPECT_EQ(first_step(problem), "part-of-samples");
}

/// Without a part if there are so many kernels that it finds other weights than all samples do.
TEST(SamplePart, IsTakenForFewSolversOnManyColumns) {
  constexpr Index kSamples = 8800;
  constexpr Index kColumns = 520;
  for (const Index kernels : {Index{2}, Index{20}}) {
    const RandomData data(5, kSamples, kernels);
    StoredBank bank(kSamples, kernels);
    for (Index c = 0; c < kernels; ++c) {
      Matrix Z(kSamples, kColumns / kernels);
      for (Index i = 0; i < kSamples; ++i) {
        for (Index k = 0; k < Z.cols; ++k) {
          Z(i, k) = std::cos(static_cast<double>(k) + 0.02 * static_cast<double>(k) * data.X(i, c));
        }
      }
      bank.keep(alone(c, Z), false);
    }
    const Vector equal(to_size(kernels), 1.0 / static_cast<double>(kernels));
    const Problem problem{bank, Hinge{}, L1{}, data.y, Vector(data.y.size(), 1e-4)};
    ASSERT_TRUE(prefers_factor(problem, equal, 0, Context{}));
    ASSERT_GT(bank.combined(equal)->columns(), 512);
    EXPECT_EQ(first_step(problem, 1e-2), kernels == 2 ? "part-of-samples" : "start");
  }
}

TEST(SamplePart, EndsWithTheRun) {
  const OwnedProblem owned = enough_samples();
  std::atomic<bool> cancelled = true;
  Context context;
  context.cancelled = &cancelled;
  const Answer solution = solve(owned.with(L1{}), SolverOptions{}, context);
  EXPECT_EQ(solution.status, Status::interrupted);
  EXPECT_EQ(length(solution.history), 1);
}

}  // namespace
}  // namespace kernmix::testing
