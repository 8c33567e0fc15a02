/// \file
/// Weights that nothing can change: the SVM of every task has to reach the tolerance by itself,
/// whatever C is, and however far from the optimum a = 0 is.

#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "sharing_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

const std::vector<double> kCosts = {0.1, 10.0, 1e3, 1e5};

void expect_trained(const OwnedTasks& owned, Coupling sharing, const Regularizer& regularizer,
                    Bias bias) {
  for (const double tolerance : {1e-3, 1e-6}) {
    SCOPED_TRACE(coupling_name(sharing) + ", " + regularizer_text(regularizer) + ", " +
                 bias_name(bias));
    SolverOptions options;
    options.tolerance = tolerance;
    const Problem problem = owned.with(sharing, regularizer, Hinge{}, bias);
    const Answer solution = solve(problem, options, {});
    EXPECT_EQ(solution.status, Status::converged);
    const Certificate again = certified_anew(problem, solution);
    EXPECT_LE(again.relative_gap(), tolerance);
    for (std::size_t k = 0; k < problem.tasks.size(); ++k) {
      EXPECT_LE(again.task_gap[k], tolerance * std::abs(again.task_primal[k])) << "task " << k;
    }
  }
}

/// Labels that kernels can fit: the optimum hardly grows with C, the value of a = 0 does.
TEST(SharedFixedWeights, ReachTheToleranceForAnyCost) {
  Vector fixed(20, 0.0);
  for (std::size_t m = 0; m < fixed.size(); m += 3) fixed[m] = 0.1 * static_cast<double>(m + 1);
  for (const Index T : {3, 5}) {
    for (const double C : kCosts) {
      const OwnedTasks owned = random_tasks(61, T, 40, 3, C);
      fixed.resize(static_cast<std::size_t>(owned.bank->kernels()));
      SCOPED_TRACE(C);
      for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
        for (const Regularizer& regularizer :
             std::vector<Regularizer>{Average{}, Sum{}, Fixed{fixed}}) {
          for (const Bias bias : {Bias::free, Bias::none}) {
            expect_trained(owned, sharing, regularizer, bias);
          }
        }
      }
    }
  }
}

TEST(SharedFixedWeights, ReachTheToleranceOnPairs) {
  for (const double C : kCosts) {
    const OwnedTasks pairs = pair_tasks(62, 60, 3, C);
    SCOPED_TRACE(C);
    for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
      expect_trained(pairs, sharing, Average{}, Bias::free);
    }
  }
}

}  // namespace
}  // namespace kernmix
