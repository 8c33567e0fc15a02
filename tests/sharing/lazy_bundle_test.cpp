#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "sharing_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

const std::vector<Regularizer> kShared = {L1{}, Lp{1.5}, ElasticNet{0.5, 0.5}, SoftMargin{0.4}};
const std::vector<Loss> kLosses = {Hinge{}, SquaredHinge{}, Logistic{}, Squared{}};

TEST(LazyBundle, ReachesItsGapForEveryForm) {
  for (const Loss& loss : kLosses) {
    const OwnedTasks owned = random_tasks(11, 6, 40, 3, 1.0, loss);
    for (const Regularizer& regularizer : kShared) {
      for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
        SCOPED_TRACE(loss_text(loss) + ", " + regularizer_text(regularizer) + ", " +
                     coupling_name(sharing));
        expect_shared_solved(owned.with(sharing, regularizer, loss), "lazy-bundle", 1e-3);
      }
    }
  }
}

TEST(LazyBundle, TakesEveryRuleForTheBiasAndTasksOnSomeSamples) {
  for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
    const OwnedTasks owned = random_tasks(12, 4, 40, 3, 3.0);
    for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
      expect_shared_solved(owned.with(sharing, L1{}, Hinge{}, bias), "lazy-bundle", 1e-3);
    }
    const OwnedTasks pairs = pair_tasks(13, 60, 3, 1.0);
    expect_shared_solved(pairs.with(sharing), "lazy-bundle", 1e-3);
  }
}

TEST(LazyBundle, OneTaskIsAnOrdinaryProblem) {
  const OwnedTasks owned = random_tasks(14, 1, 50, 3, 2.0);
  for (const Regularizer& regularizer : kShared) {
    for (const Bias bias : {Bias::free, Bias::none}) {
      const Problem alone = owned.alone(0, regularizer, Hinge{}, bias);
      const Answer reference = solve_tightly(alone);
      for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
        const Answer shared = expect_shared_solved(owned.with(sharing, regularizer, Hinge{}, bias),
                                                   "lazy-bundle", 1e-4);
        expect_same_optimum(shared.certificate, reference.certificate);
      }
    }
  }
}

TEST(LazyBundle, CopiesOfATaskHaveItsWeights) {
  OwnedTasks owned = random_tasks(15, 1, 50, 3, 2.0);
  const Answer reference = solve_tightly(owned.alone(0, Lp{2.0}));
  owned.tasks = {owned.tasks[0], owned.tasks[0], owned.tasks[0]};
  // The sum of the objectives is 3 J, but Phi and D are there once.
  const Answer worst =
      expect_shared_solved(owned.with(Coupling::minimax, Lp{2.0}), "lazy-bundle", 1e-5);
  expect_same_optimum(worst.certificate, reference.certificate);
  const Answer sum = expect_shared_solved(owned.with(Coupling::sum, Lp{2.0}), "lazy-bundle", 1e-5);
  EXPECT_NEAR(sum.certificate.primal, 3.0 * reference.certificate.primal,
              2e-5 * sum.certificate.primal);
  for (std::size_t m = 0; m < sum.d.size(); ++m) {
    EXPECT_NEAR(worst.d[m], reference.d[m], 2e-2);
    EXPECT_NEAR(sum.d[m], reference.d[m], 2e-2);
  }
}

TEST(LazyBundle, TaskWeightsGatherOnThePlantedHardTask) {
  OwnedTasks owned = random_tasks(16, 5, 60, 4, 1.0);
  std::mt19937 engine(1);
  for (double& label : owned.tasks[3].y) label = engine() % 2 == 0 ? 1.0 : -1.0;
  const Answer shared = expect_shared_solved(owned.with(Coupling::minimax), "lazy-bundle", 1e-4);
  EXPECT_GT(shared.gamma[3], 0.99);
  const Answer alone = solve_tightly(owned.alone(3));
  expect_same_optimum(shared.certificate, alone.certificate);
}

/// The gap is never below the true one, by a reference of 1e-8.
TEST(LazyBundle, ItsGapIsAboveTheTrueOne) {
  const OwnedTasks owned = random_tasks(17, 4, 40, 3, 1.0, SquaredHinge{});
  for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
    const Problem problem = owned.with(sharing, L1{}, SquaredHinge{});
    const Answer tight = solve_shared_to(problem, "lazy-bundle", 1e-7);
    EXPECT_EQ(tight.status, Status::converged);
    for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
      const Answer loose = solve_shared_to(problem, "lazy-bundle", tolerance);
      for (const Iteration& at : loose.history) {
        EXPECT_LE(at.dual, tight.certificate.primal * (1.0 + 1e-9));
        EXPECT_GE(at.primal, tight.certificate.dual * (1.0 - 1e-9));
      }
    }
  }
}

TEST(LazyBundle, HasTheSameBitsForAnyNumberOfThreads) {
  const OwnedTasks owned = random_tasks(18, 5, 30, 2, 1.0);
  for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
    SolverOptions options;
    options.solver = "lazy-bundle";
    options.tolerance = 1e-2;
    const Problem problem = owned.with(sharing);
    const Answer one = solve(problem, options, Context{});
    for (const int threads : {2, 3}) {
      Context several;
      several.threads = threads;
      const Answer other = solve(problem, options, several);
      EXPECT_EQ(one.d, other.d);
      EXPECT_EQ(one.a, other.a);
      EXPECT_EQ(one.gamma, other.gamma);
      EXPECT_EQ(one.witness, other.witness);
      EXPECT_EQ(one.certificate.gap, other.certificate.gap);
      EXPECT_EQ(one.svm_solves, other.svm_solves);
    }
  }
}

TEST(LazyBundle, AnswersWhenStoppedAtOnce) {
  const OwnedTasks owned = random_tasks(19, 4, 40, 3, 1.0);
  Context late;
  late.deadline = std::chrono::steady_clock::now();
  const Answer solution = solve(owned.with(Coupling::minimax), {}, late);
  EXPECT_EQ(solution.status, Status::time_limit);
  EXPECT_GE(solution.certificate.gap, 0.0);
  EXPECT_NO_THROW(static_cast<void>(certified_anew(owned.with(Coupling::minimax), solution)));

  SolverOptions options;
  options.max_iterations = 2;
  options.tolerance = 1e-6;
  EXPECT_EQ(solve(owned.with(Coupling::minimax), options, {}).status, Status::iteration_limit);
}

TEST(LazyBundle, FewSolvesATask) {
  for (const Index T : {10, 40}) {
    const OwnedTasks owned = random_tasks(20, T, 100, 4, 1.0);
    for (const double tolerance : {1e-2, 1e-4}) {
      const Answer solution =
          expect_shared_solved(owned.with(Coupling::minimax), "lazy-bundle", tolerance);
      EXPECT_LT(solution.svm_solves, 12 * T);
    }
  }
}

TEST(SharedWeights, FixedOnesTrainEveryTask) {
  const OwnedTasks owned = random_tasks(21, 4, 40, 3, 1.0);
  for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
    const Answer shared = solve_shared_to(owned.with(sharing, Average{}), "auto", 1e-4);
    EXPECT_EQ(shared.solver, "svm");
    double sum = 0.0;
    double largest = 0.0;
    for (Index k = 0; k < 4; ++k) {
      const double alone = solve_tightly(owned.alone(k, Average{})).certificate.primal;
      sum += alone;
      largest = std::max(largest, alone);
      EXPECT_NEAR(shared.certificate.task_primal[static_cast<std::size_t>(k)], alone, 2e-4 * alone);
    }
    EXPECT_NEAR(shared.certificate.primal, sharing == Coupling::sum ? sum : largest,
                2e-4 * shared.certificate.primal);
  }
}

std::string refusal_to_share(Coupling sharing, const Loss& loss, const Regularizer& regularizer,
                             const std::string& solver) {
  SolverOptions options;
  options.solver = solver;
  try {
    check_solver({loss, regularizer, Bias::free, sharing}, options);
  } catch (const ParameterError& refusal) {
    return refusal.what();
  }
  return "";
}

void expect_start(const std::string& text, const std::string& start) {
  EXPECT_EQ(text.substr(0, start.size()), start);
}

TEST(SharedWeights, RefuseWhatDoesNotFit) {
  EXPECT_EQ(refusal_to_share(Coupling::minimax, Hinge{}, L1{}, "lazy-bundle"), "");
  EXPECT_EQ(refusal_to_share(Coupling::minimax, Hinge{}, parse_regularizer("ufo:lambda=1,alpha=1"),
                             "lazy-bundle"),
            "solver lazy-bundle does not take regularizer ufo:lambda=1,alpha=1: it needs a "
            "minimiser of its quadratic model");
  expect_start(refusal_to_share(Coupling::sum, Hinge{}, L1{}, "simple"),
               "unknown solver 'simple' for shared weights, known are auto, ");
  expect_start(refusal_to_share(Coupling::sum, parse_loss("one-class:nu=0.5"), L1{}, "auto"),
               "one-class:nu=0.5 has no targets");
  expect_start(refusal_to_share(Coupling::sum, Hinge{}, parse_regularizer("alignf"), "auto"),
               "alignf computes its weights from the targets of one task");
  SolverOptions options;
  options.tolerance = 0.0;
  EXPECT_THROW(check_solver({Hinge{}, L1{}, Bias::free, Coupling::sum}, options), ParameterError);
}

}  // namespace
}  // namespace kernmix
