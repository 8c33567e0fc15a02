/// \file
/// The same optimum as LIBSVM on the same precomputed kernel.

#include <gtest/gtest.h>
#include <libsvm/svm.h>

#include "kernmix/solver/inner/svm.hpp"
#include "problems.hpp"

namespace kernmix::test {
namespace {

/// Signed dual variables of C-SVC at eps = 1e-8, the weights of the two classes times C.
Vector libsvm_dual(const Owned& problem, double C, double positive, double negative) {
  const Index n = problem.n();
  std::vector<svm_node> nodes(static_cast<std::size_t>(n * (n + 2)));
  std::vector<svm_node*> rows;
  for (Index i = 0; i < n; ++i) {
    svm_node* row = nodes.data() + i * (n + 2);
    row[0] = {0, static_cast<double>(i + 1)};
    for (Index j = 0; j < n; ++j) row[j + 1] = {static_cast<int>(j + 1), problem.K[i * n + j]};
    row[n + 1] = {-1, 0.0};
    rows.push_back(row);
  }
  Vector y = problem.y;
  int labels[] = {1, -1};
  double weights[] = {positive, negative};
  const svm_problem data{static_cast<int>(n), y.data(), rows.data()};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = PRECOMPUTED;
  parameter.cache_size = 100;
  parameter.eps = 1e-8;
  parameter.C = C;
  parameter.nr_weight = 2;
  parameter.weight_label = labels;
  parameter.weight = weights;
  parameter.shrinking = 1;
  svm_set_print_string_function([](const char*) {});
  svm_model* model = svm_train(&data, &parameter);
  Vector a(problem.y.size(), 0.0);
  for (int k = 0; k < model->l; ++k) a[model->sv_indices[k] - 1] = model->sv_coef[0][k];
  svm_free_and_destroy_model(&model);
  return a;
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
        const double theirs = dual_objective(problem, libsvm_dual(problem, C, 1.0, negative));
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
  const double theirs = dual_objective(repeated, libsvm_dual(repeated, 1.0, 1.0, 1.0));
  const SvmResult ours = train_svm(weighted.K, weighted.y, weighted.C, 1e-8, Context{});
  EXPECT_NEAR(ours.dual, theirs, 1e-6 * theirs);
}

}  // namespace
}  // namespace kernmix::test
