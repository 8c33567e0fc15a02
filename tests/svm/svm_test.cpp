#include "kernmix/svm/svm.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kernmix/error.hpp"
#include "problems.hpp"

namespace kernmix::test {
namespace {

TEST(TrainSvm, ReportsBoundsThatAnIndependentCheckConfirms) {
  const Owned problem = clouds(250, 5.0, 31);
  const SvmResult result = train_svm(problem.K, problem.y, problem.C, 1e-5, Context{});
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.relative_gap, 1e-5);
  EXPECT_NEAR(result.relative_gap, relative_gap(problem, result.a, result.z), 1e-12);
  EXPECT_NEAR(result.dual, dual_objective(problem, result.a), 1e-10 * result.dual);
}

TEST(TrainSvm, IsTheSameForAnyNumberOfThreads) {
  const Owned problem = clouds(2500, 1.0, 33);
  Context context;
  const Vector one = train_svm(problem.K, problem.y, problem.C, 1e-2, context).z;
  context.threads = 3;
  EXPECT_EQ(train_svm(problem.K, problem.y, problem.C, 1e-2, context).z, one);
}

TEST(TrainSvm, StartsFromAnyVector) {
  const Owned problem = clouds(100, 1.0, 35);
  const SvmResult cold = train_svm(problem.K, problem.y, problem.C, 1e-6, Context{});
  const SvmResult same = train_svm(problem.K, problem.y, problem.C, 1e-5, Context{}, cold.a);
  EXPECT_EQ(same.iterations, 0);
  const SvmResult wild =
      train_svm(problem.K, problem.y, problem.C, 1e-6, Context{}, Vector(100, 7.0));
  EXPECT_NEAR(wild.dual, cold.dual, 2e-6 * cold.dual);
}

TEST(TrainSvm, RefusesWhatDoesNotFit) {
  const Owned problem = clouds(4, 1.0, 37);
  const std::vector<float> short_K(15, 0.0F);
  const Vector zero_one = {0.0, 1.0, 1.0, -1.0};
  const Vector negative_C = {1.0, 1.0, -1.0, 1.0};
  const Vector infinite_C = {1.0, 1.0, std::numeric_limits<double>::infinity(), 1.0};
  const Context context;
  EXPECT_THROW((void)train_svm(short_K, problem.y, problem.C, 1e-3, context), ParameterError);
  EXPECT_THROW((void)train_svm(problem.K, zero_one, problem.C, 1e-3, context), ParameterError);
  EXPECT_THROW((void)train_svm(problem.K, problem.y, negative_C, 1e-3, context), ParameterError);
  EXPECT_THROW((void)train_svm(problem.K, problem.y, infinite_C, 1e-3, context), ParameterError);
  EXPECT_THROW((void)train_svm(problem.K, problem.y, Vector(3, 1.0), 1e-3, context),
               ParameterError);
  EXPECT_THROW((void)train_svm(problem.K, problem.y, problem.C, 0.0, context), ParameterError);
  EXPECT_THROW((void)train_svm(problem.K, problem.y, problem.C, 1e-3, context, Vector(5)),
               ParameterError);
}

}  // namespace
}  // namespace kernmix::test
