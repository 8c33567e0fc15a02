#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "sharing_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

const std::vector<Regularizer> kSummed = {L1{},
                                          Lp{1.5},
                                          Lp{3.0},
                                          ElasticNet{0.5, 0.5},
                                          SoftMargin{0.4},
                                          L1Unsquared{0.5},
                                          LpTikhonov{2.0, 1.0}};

TEST(SharedNewton, ReachesItsGapForEveryForm) {
  for (const Loss& loss : std::vector<Loss>{Hinge{}, SquaredHinge{}, Logistic{}, Squared{},
                                            Epsilon{0.1}, Huber{0.5}}) {
    const OwnedTasks owned = random_tasks(31, 5, 40, 3, 1.0, loss);
    for (const Regularizer& regularizer : kSummed) {
      SCOPED_TRACE(loss_text(loss) + ", " + regularizer_text(regularizer));
      expect_shared_solved(owned.with(Coupling::sum, regularizer, loss), "newton", 1e-4);
    }
  }
}

TEST(SharedNewton, OneTaskIsAnOrdinaryProblem) {
  const OwnedTasks owned = random_tasks(32, 1, 50, 3, 5.0);
  for (const Regularizer& regularizer : kSummed) {
    for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
      const Answer reference = solve_tightly(owned.alone(0, regularizer, Hinge{}, bias));
      const Answer shared = expect_shared_solved(
          owned.with(Coupling::sum, regularizer, Hinge{}, bias), "newton", 1e-6);
      expect_same_optimum(shared.certificate, reference.certificate);
    }
  }
}

TEST(SharedNewton, CopiesOfATaskHaveItsWeightsAndAddUp) {
  OwnedTasks owned = random_tasks(33, 1, 50, 3, 5.0);
  const Answer reference = solve_tightly(owned.alone(0, Lp{1.5}));
  owned.tasks.resize(4, owned.tasks[0]);
  const Answer shared = expect_shared_solved(owned.with(Coupling::sum, Lp{1.5}), "newton", 1e-6);
  EXPECT_NEAR(shared.certificate.primal, 4.0 * reference.certificate.primal,
              1e-5 * shared.certificate.primal);
  for (std::size_t m = 0; m < shared.d.size(); ++m) {
    EXPECT_NEAR(shared.d[m], reference.d[m], 1e-3);
  }
}

TEST(SharedNewton, AgreesWithTheBundle) {
  const OwnedTasks owned = random_tasks(34, 6, 60, 4, 2.0);
  const OwnedTasks pairs = pair_tasks(35, 60, 3, 1.0);
  for (const OwnedTasks* tasks : {&owned, &pairs}) {
    for (const Regularizer& regularizer : std::vector<Regularizer>{L1{}, ElasticNet{0.3, 0.2}}) {
      const Problem problem = tasks->with(Coupling::sum, regularizer);
      const Answer by_newton = expect_shared_solved(problem, "newton", 1e-5);
      const Answer by_cuts = expect_shared_solved(problem, "lazy-bundle", 1e-3);
      expect_same_optimum(by_newton.certificate, by_cuts.certificate);
    }
  }
}

TEST(SharedNewton, NeedsFewSteps) {
  const OwnedTasks owned = random_tasks(36, 10, 100, 4, 1.0);
  const Answer solution = expect_shared_solved(owned.with(Coupling::sum), "newton", 1e-4);
  EXPECT_LT(solution.history.size(), 40u);
}

TEST(SharedNewton, HasTheSameBitsForAnyNumberOfThreads) {
  const OwnedTasks owned = random_tasks(37, 4, 30, 2, 1.0);
  const Problem problem = owned.with(Coupling::sum);
  const Answer one = solve(problem, {}, Context{});
  EXPECT_EQ(one.solver, "newton");
  for (const int threads : {2, 3}) {
    Context several;
    several.threads = threads;
    const Answer other = solve(problem, {}, several);
    EXPECT_EQ(one.d, other.d);
    EXPECT_EQ(one.a, other.a);
    EXPECT_EQ(one.certificate.gap, other.certificate.gap);
  }
}

}  // namespace
}  // namespace kernmix
