#include "kernmix/bank/build.hpp"
#include "loss/any.hpp"
#include "naive_reference.hpp"
#include "regularizer/any.hpp"
#include "sharing_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

class SharedReference : public ::testing::TestWithParam<unsigned> {};

/// Every solver against brute force.
TEST_P(SharedReference, OptimaAreThoseOfBruteForce) {
  const unsigned seed = GetParam();
  const RandomData data(seed, 16, 2);
  const Matrix first = data.gaussian(0.7, {0});
  const Matrix second = data.gaussian(0.7, {1});
  const std::vector<std::pair<Loss, TaskValue>> cases = {{Squared{}, squared_value},
                                                         {Hinge{}, hinge_value}};
  for (const auto& [loss, value] : cases) {
    OwnedTasks owned = random_tasks(seed, 3, 16, 2, 1.3, loss);
    owned.bank = dense_bank({first, second});
    for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
      const double optimum = naive_shared_optimum(first, second, owned.tasks, sharing, value);
      const Problem problem = owned.with(sharing, L1{}, loss, Bias::none);
      for (const std::string& solver : solver_names(Coupling::sum)) {
        const bool only_minimax = solver == "stochastic-approximation";
        const bool only_sum = solver == "newton" || solver == "silp" || solver == "mirror-descent";
        if (sharing == Coupling::minimax ? only_sum : only_minimax) continue;
        const bool is_slow = solver == "stochastic-approximation" || solver == "mirror-descent";
        const double tolerance = is_slow ? 0.05 : 1e-5;
        const Answer solution = expect_shared_solved(problem, solver, tolerance, 5000);
        SCOPED_TRACE(solver + ", " + loss_text(loss) + ", " + coupling_name(sharing));
        EXPECT_LE(solution.certificate.dual, optimum * (1.0 + 1e-8));
        EXPECT_GE(solution.certificate.primal, optimum * (1.0 - 1e-8));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SharedReference, ::testing::Values(1u, 2u, 3u));

}  // namespace
}  // namespace kernmix
