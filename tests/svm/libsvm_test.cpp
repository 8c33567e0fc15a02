/// \file
/// The same optimum as LIBSVM on the same precomputed kernel.

#include "libsvm.hpp"

#include <gtest/gtest.h>

#include "kernmix/svm/svm.hpp"
#include "problems.hpp"

namespace kernmix::test {
namespace {

/// Signed dual variables of C-SVC, the weights of the two classes times C.
Vector c_svc_dual(const Owned& problem, double C, double positive, double negative) {
  int labels[] = {1, -1};
  double weights[] = {positive, negative};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.C = C;
  parameter.nr_weight = 2;
  parameter.weight_label = labels;
  parameter.weight = weights;
  const auto entry = [&](Index i, Index j) { return double{problem.K[i * problem.n() + j]}; };
  return libsvm_dual(problem.n(), entry, problem.y, parameter);
}

TEST(SmoLibsvm, SameOptimumForManySizesAndWeights) {
  for (const Index n : {2, 20, 101, 300}) {
    for (const double C : {0.01, 1.0, 100.0}) {
      for (const double negative : {1.0, 3.5}) {
        Owned problem = clouds(n, C, 21);
        Vector weights(problem.y.size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
          weights[i] = problem.y[i] > 0.0 ? C : negative * C;
        }
        problem.set_weights(weights);
        const SvmResult ours = train_svm(problem.K, problem.y, problem.C, 1e-8, Context{});
        const double theirs = dual_objective(problem, c_svc_dual(problem, C, 1.0, negative));
        EXPECT_TRUE(ours.converged);
        EXPECT_NEAR(ours.dual, theirs, 1e-6 * theirs) << "n = " << n << ", C = " << C;
        EXPECT_NEAR(ours.dual, dual_objective(problem, ours.a), 1e-10 * theirs);
      }
    }
  }
}

/// LIBSVM has no weights for samples: a sample of weight 2 C must act as two samples of weight C.
TEST(SmoLibsvm, WeightOfASampleCountsAsItsMultiplicity) {
  const Owned doubled = clouds(120, 1.0, 23);
  Owned repeated = doubled;
  const Index n = doubled.n();
  Owned weighted = doubled;
  Vector weights(120, 1.0);
  for (std::size_t i = 0; i < 30; ++i) weights[i] = 2.0;
  weighted.set_weights(weights);
  const Index all = n + 30;
  repeated.K.resize(static_cast<std::size_t>(all * all));
  repeated.y.resize(static_cast<std::size_t>(all));
  for (Index i = 0; i < all; ++i) {
    repeated.y[i] = doubled.y[i % n];
    for (Index j = 0; j < all; ++j) repeated.K[i * all + j] = doubled.K[(i % n) * n + j % n];
  }
  repeated.set_weights(Vector(repeated.y.size(), 1.0));
  const double theirs = dual_objective(repeated, c_svc_dual(repeated, 1.0, 1.0, 1.0));
  const SvmResult ours = train_svm(weighted.K, weighted.y, weighted.C, 1e-8, Context{});
  EXPECT_NEAR(ours.dual, theirs, 1e-6 * theirs);
}

}  // namespace
}  // namespace kernmix::test
