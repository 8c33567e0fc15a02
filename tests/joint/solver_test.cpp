#include <fmt/format.h>

#include <atomic>

#include "kernmix/bank/build.hpp"
#include "loss/any.hpp"
#include "random_classes.hpp"
#include "regularizer/any.hpp"

namespace kernmix::testing {
namespace {

TEST(JointSolver, ReachesItsTolerance) {
  for (const Index classes : {3, 6}) {
    for (const double C : {0.1, 10.0, 1000.0}) {
      const OwnedClasses owned = random_classes(11, classes, 60, 3, C);
      for (const Bias bias : {Bias::free, Bias::none}) {
        SCOPED_TRACE(C);
        expect_joint_solved(owned.with(L1{}, bias), 1e-6);
      }
    }
  }
}

TEST(JointSolver, TakesEveryConvexSetOfWeights) {
  const OwnedClasses owned = random_classes(12, 4, 50, 3, 2.0);
  for (const Regularizer& regularizer :
       std::vector<Regularizer>{L1{}, Lp{1.2}, Lp{2.0}, Average{}, Sum{}, ElasticNet{0.3, 0.2},
                                ElasticNetBach{0.5}, Sgmkl{0.5}, SoftMargin{0.4},
                                SoftMarginSquared{1.0}, LpTikhonov{1.5, 1.0}, L1Unsquared{0.2}}) {
    SCOPED_TRACE(regularizer_text(regularizer));
    expect_joint_solved(owned.with(regularizer), 1e-5);
  }
}

TEST(JointSolver, NeedsFewSteps) {
  const OwnedClasses owned = random_classes(13, 5, 120, 4, 1.0);
  const Answer solution = expect_joint_solved(owned.with(L1{}), 1e-4);
  EXPECT_LT(solution.history.size(), 30u);
}

/// Two classes are the binary hinge at 2 C (docs/explanation/joint.md), whatever the weights.
TEST(JointSolver, OfTwoClassesHasTheBinaryAnswer) {
  const OwnedClasses owned = random_classes(14, 2, 60, 3, 1.0);
  for (const Regularizer& regularizer : std::vector<Regularizer>{L1{}, Lp{1.5}, SoftMargin{0.4}}) {
    for (const Bias bias : {Bias::free, Bias::none}) {
      Vector y;
      Vector C;
      for (std::size_t i = 0; i < owned.y.size(); ++i) {
        y.push_back(owned.y[i] == 0 ? 1.0 : -1.0);
        C.push_back(2.0 * owned.C[i]);
      }
      const Problem binary{*owned.bank, Hinge{}, regularizer, y, C, bias};
      const Answer alone = solve_tightly(binary);
      const Answer joint = expect_joint_solved(owned.with(regularizer, bias), 1e-7);
      EXPECT_NEAR(2.0 * joint.certificate.primal, alone.certificate.primal,
                  1e-6 * alone.certificate.primal);
      for (std::size_t m = 0; m < joint.d.size(); ++m) {
        EXPECT_NEAR(joint.d[m], alone.d[m], 2e-3) << regularizer_text(regularizer);
      }
    }
  }
}

/// The kernels of the answer, averaged with its weights, are one kernel: the same SVM.
TEST(JointSolver, FixedWeightsAreTheSvmOfTheirCombination) {
  const RandomData data(15, 50, 3);
  const OwnedClasses owned = random_classes(15, 4, 50, 3, 2.0);
  const std::vector<Matrix> kernels = data.kernels();
  Matrix mean(50, 50);
  for (const Matrix& K : kernels) {
    for (std::size_t e = 0; e < mean.values.size(); ++e) {
      mean.values[e] += K.values[e] / static_cast<double>(kernels.size());
    }
  }
  OwnedClasses single{dense_bank({mean}), owned.y, owned.classes, owned.C};
  const Answer average = expect_joint_solved(owned.with(Average{}), 1e-7);
  const Answer alone = expect_joint_solved(single.with(L1{}), 1e-7);
  EXPECT_EQ(average.solver, "svm");
  expect_bounds_overlap(average.certificate, alone.certificate);
  const Answer fixed = expect_joint_solved(owned.with(Fixed{average.d}), 1e-7);
  expect_bounds_overlap(average.certificate, fixed.certificate);
}

/// Decision values are of size 1 and sums of numbers of size C: their rounding errors must not
/// reach the answer by way of long steps.
TEST(JointSolver, FixedWeightsReachTheToleranceForAnyCost) {
  for (const Index classes : {3, 5}) {
    for (const double C : {0.1, 10.0, 1e3, 1e5}) {
      const OwnedClasses owned = random_classes(17, classes, 60, 3, C);
      Vector fixed(static_cast<std::size_t>(owned.bank->kernels()), 0.0);
      for (std::size_t m = 0; m < fixed.size(); m += 2) fixed[m] = 0.5;
      for (const Regularizer& regularizer :
           std::vector<Regularizer>{Average{}, Sum{}, Fixed{fixed}}) {
        for (const Bias bias : {Bias::none, Bias::free}) {
          SCOPED_TRACE(fmt::format("{} classes, C = {}, {}, {}", classes, C,
                                   regularizer_text(regularizer), bias_name(bias)));
          for (const double tolerance : {1e-3, 1e-6}) {
            expect_joint_solved(owned.with(regularizer, bias), tolerance);
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

/// With a free bias, a class of large costs has no larger duals than the other classes balance.
TEST(JointSolver, CostsOfOneClassMayBeOfAnySize) {
  for (const Index classes : {2, 3, 5}) {
    for (const double factor : {1e-4, 1e-2, 1e2, 1e4, 1e6}) {
      OwnedClasses owned = random_classes(19, classes, 60, 2, 10.0);
      for (std::size_t i = 0; i < owned.C.size(); ++i) {
        if (owned.y[i] == 0) owned.C[i] *= factor;
      }
      for (const Regularizer& regularizer : std::vector<Regularizer>{L1{}, Lp{2.0}, Average{}}) {
        SCOPED_TRACE(fmt::format("{} classes, factor {}, {}", classes, factor,
                                 regularizer_text(regularizer)));
        expect_joint_solved(owned.with(regularizer), 1e-4);
      }
    }
  }
}

/// Of a sample twice and of a class with twice the weight the same.
TEST(JointSolver, CopiesOfSamplesAreWeights) {
  const RandomData data(16, 30, 2);
  const OwnedClasses owned = random_classes(16, 3, 30, 2, 1.0);
  std::vector<Matrix> twice;
  for (const Matrix& K : data.kernels()) {
    Matrix both(60, 60);
    for (Index i = 0; i < 60; ++i) {
      for (Index j = 0; j < 60; ++j) both(i, j) = K(i % 30, j % 30);
    }
    twice.push_back(std::move(both));
  }
  OwnedClasses copies{dense_bank(std::move(twice)), owned.y, 3, owned.C};
  copies.y.insert(copies.y.end(), owned.y.begin(), owned.y.end());
  copies.C.insert(copies.C.end(), owned.C.begin(), owned.C.end());
  OwnedClasses heavy{dense_bank(data.kernels()), owned.y, 3, owned.C};
  for (double& C : heavy.C) C *= 2.0;
  expect_bounds_overlap(expect_joint_solved(copies.with(L1{}), 1e-6).certificate,
                        expect_joint_solved(heavy.with(L1{}), 1e-6).certificate);
}

TEST(JointSolver, HasTheSameBitsForAnyNumberOfThreads) {
  const OwnedClasses owned = random_classes(17, 4, 300, 2, 1.0);
  const Problem problem = owned.with(L1{});
  const Answer one = solve(problem, {}, Context{});
  Context several;
  several.threads = 3;
  const Answer other = solve(problem, {}, several);
  EXPECT_EQ(one.d, other.d);
  EXPECT_EQ(one.a, other.a);
  EXPECT_EQ(one.certificate.gap, other.certificate.gap);
}

TEST(JointSolver, ACancelledRunHasACertifiedAnswer) {
  const OwnedClasses owned = random_classes(18, 4, 80, 3, 10.0);
  const Problem problem = owned.with(L1{});
  std::atomic<bool> cancelled = false;
  Context context;
  context.cancelled = &cancelled;
  int reports = 0;
  context.progress = [&](const Progress& moment) {
    EXPECT_EQ(moment.stage, "solve");
    if (++reports == 2) cancelled = true;
  };
  SolverOptions options;
  options.tolerance = 1e-8;
  const Answer solution = solve(problem, options, context);
  EXPECT_EQ(solution.status, Status::interrupted);
  EXPECT_EQ(solution.history.size(), 2u);
  EXPECT_LE(solution.certificate.dual, solution.certificate.primal);
  EXPECT_LT(solution.certificate.relative_gap(), 1.0);
}

TEST(JointSolver, StopsAtItsLimitOfIterations) {
  const OwnedClasses owned = random_classes(19, 4, 60, 3, 10.0);
  SolverOptions options;
  options.tolerance = 1e-8;
  options.max_iterations = 2;
  const Answer solution = solve(owned.with(L1{}), options, {});
  EXPECT_EQ(solution.status, Status::iteration_limit);
  EXPECT_EQ(solution.history.size(), 2u);
}

std::string refusal_to_solve(const Problem& problem, const SolverOptions& options,
                             const Context& context = {}) {
  try {
    static_cast<void>(solve(problem, options, context));
  } catch (const Error& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(JointSolver, RefusesWhatDoesNotFit) {
  const OwnedClasses owned = random_classes(20, 3, 20, 2, 1.0);
  SolverOptions options;
  options.solver = "silp";
  EXPECT_EQ(refusal_to_solve(owned.with(L1{}), options),
            "solver silp does not take loss crammer-singer: it cannot train classes together; use "
            "newton");
  options.solver = "auto";
  EXPECT_NE(refusal_to_solve(owned.with(MixedNormSaddle{4.0, {}}), options), "");
  EXPECT_NE(refusal_to_solve(owned.with(parse_regularizer("alignf")), options), "");
  options.tolerance = 2.0;
  EXPECT_NE(refusal_to_solve(owned.with(L1{}), options), "");
  Context small;
  small.memory_bytes = owned.bank->bytes() + 1000;
  EXPECT_NE(refusal_to_solve(owned.with(L1{}), {}, small), "");
}

}  // namespace
}  // namespace kernmix::testing
