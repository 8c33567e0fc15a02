/// \file
/// What tasks share: K(d) in single precision, which must say of each task what the bank says, and
/// dual vectors that are predicted for all of them.

#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "sharing_checks.hpp"
#include "weights/oracle.hpp"

namespace kernmix {
namespace {

using namespace testing;

/// Gaps of SVMs on the shared matrix are those of the tasks alone, up to its rounding; what is at
/// hand for the curvature is the block of each task.
void expect_own_answers(const OwnedTasks& owned) {
  const Problem problem = owned.with(Coupling::sum);
  CombinedKernel kernel(problem.bank);
  const Vector d = L1{}.initial_weights(problem.kernels());
  for (Index k = 0; k < problem.size(); ++k) {
    SvmOracle shared(problem, k, kernel);
    shared.solve(d, 1e-2, Context{});
    EXPECT_FALSE(shared.exact()) << "task " << k;
    const Problem& own = shared.problem();
    const Vector z = combined_product(own.bank, d, shared.a(), Context{});
    const double gap = loss_at(own.loss, own.bias, own.y(), z, shared.a(), own.C()).gap;
    EXPECT_NEAR(gap, shared.inner_gap(), 1e-4);
    const std::vector<Index> free = shared.free_set();
    ASSERT_FALSE(free.empty());
    const RowMatrixF S = shared.cached_hessian(d, free, Context{}).hessian;
    RowMatrix expected(S.rows(), S.cols());
    own.bank.combined(d)->matrix(free, as_span(expected), Context{});
    EXPECT_LE((S.cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-6 * expected.maxCoeff());
  }
}

TEST(SharedKernel, SaysOfEachTaskWhatTheBankSays) {
  expect_own_answers(random_tasks(71, 3, 150, 3, 1.0));
  expect_own_answers(pair_tasks(72, 400, 3, 1.0));
}

TEST(SharedKernel, PredictedDualVectorsSpareSvms) {
  const OwnedTasks owned = random_tasks(73, 3, 520, 3, 1.0);
  const Problem problem = owned.with(Coupling::sum, Lp{1.5});
  SolverOptions options;
  options.tolerance = 1e-4;
  const Answer with = solve(problem, options, Context{});
  options.without = {"predicted-dual"};
  const Answer without = solve(problem, options, Context{});
  EXPECT_EQ(with.status, Status::converged);
  EXPECT_EQ(without.status, Status::converged);
  expect_same_optimum(with.certificate, without.certificate);
  EXPECT_LE(with.inner_iterations, without.inner_iterations);
}

}  // namespace
}  // namespace kernmix
