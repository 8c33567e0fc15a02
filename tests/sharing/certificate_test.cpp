#include "loss/any.hpp"
#include "random_tasks.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using namespace testing;

const std::vector<Regularizer> kRegularizers = {L1{}, Lp{1.5}, ElasticNet{0.5, 0.5},
                                                SoftMargin{0.4}};

/// A random feasible point: dual vectors in their boxes, weights in D, task weights on the simplex.
struct RandomPoint {
  Vector d;
  std::vector<Vector> a;
  Vector gamma;

  RandomPoint(const Problem& problem, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform;
    d = initial_weights(problem.regularizer, problem.kernels());
    for (double& weight : d) weight *= 2.0 * uniform(engine);
    visit(
        [&]<typename R>(const R& r) {
          if constexpr (HasProjection<R>) r.project(d);
        },
        problem.regularizer);
    double sum = 0.0;
    for (Index k = 0; k < problem.size(); ++k) {
      const DualSet set = dual_set(problem, k);
      Vector own(set.lower.size());
      for (std::size_t i = 0; i < own.size(); ++i) {
        const double low = std::max(set.lower[i], -1.0);
        const double high = std::min(set.upper[i], 1.0);
        own[i] = low + (high - low) * uniform(engine);
      }
      make_feasible(set, own);
      a.push_back(std::move(own));
      gamma.push_back(uniform(engine));
      sum += gamma.back();
    }
    for (double& weight : gamma) weight /= sum;
  }
};

TEST(SharedCertificate, BoundsOfAnyTwoPointsAreInOrder) {
  const std::vector<Loss> losses = {Hinge{}, SquaredHinge{}, Logistic{}, Squared{}, Epsilon{0.1}};
  unsigned seed = 0;
  for (const Loss& loss : losses) {
    const OwnedTasks owned = random_tasks(3, 5, 25, 3, 0.7, loss);
    for (const Regularizer& regularizer : kRegularizers) {
      for (const Coupling sharing : {Coupling::sum, Coupling::minimax}) {
        for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
          const Problem problem = owned.with(sharing, regularizer, loss, bias);
          double least_primal = kInfinityOfTasks;
          double largest_dual = -kInfinityOfTasks;
          for (int k = 0; k < 4; ++k) {
            const RandomPoint at(problem, ++seed);
            const Certificate own = certify(problem, at.d, at.a, {}, at.gamma).certificate;
            EXPECT_NEAR(own.gap, own.inner_gap + own.outer_gap, 1e-12 * own.primal);
            EXPECT_GE(own.inner_gap, 0.0);
            EXPECT_GE(own.outer_gap, 0.0);
            least_primal = std::min(least_primal, own.primal);
            largest_dual = std::max(largest_dual, own.dual);
          }
          EXPECT_LE(largest_dual, least_primal)
              << loss_text(loss) << ", " << regularizer_text(regularizer) << ", "
              << coupling_name(sharing) << ", " << bias_name(bias);
        }
      }
    }
  }
}

TEST(SharedCertificate, TheSumOfOneTaskIsTheOrdinaryOne) {
  const OwnedTasks owned = random_tasks(4, 1, 30, 3, 2.0);
  for (const Regularizer& regularizer : kRegularizers) {
    for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
      const Problem shared = owned.with(Coupling::sum, regularizer, Hinge{}, bias);
      const RandomPoint at(shared, 5);
      const Certificate alone =
          certify(owned.alone(0, regularizer, Hinge{}, bias), at.d, {at.a[0]}, {}).certificate;
      const Certificate own = certify(shared, at.d, at.a, {}, {}).certificate;
      EXPECT_NEAR(own.primal, alone.primal, 1e-12 * alone.primal);
      EXPECT_NEAR(own.dual, alone.dual, 1e-6 * alone.primal);
      EXPECT_NEAR(own.inner_gap, alone.inner_gap, 1e-12 * alone.primal);
      EXPECT_NEAR(own.only_bias(), alone.only_bias(), 1e-12);
    }
  }
}

/// Everything by hand, from dense matrices.
TEST(SharedCertificate, IsWhatItsFormulaSays) {
  const RandomData data(6, 20, 2);
  const std::vector<Matrix> kernels = data.kernels();
  const OwnedTasks owned = random_tasks(6, 3, 20, 2, 1.5);
  const Problem problem = owned.with(Coupling::minimax, L1{}, Hinge{}, Bias::none);
  const RandomPoint at(problem, 7);
  const CertifiedPoint point = certify(problem, at.d, at.a, {}, at.gamma);
  double primal = -kInfinityOfTasks;
  double gain = 0.0;
  Vector forms(kernels.size(), 0.0);
  for (std::size_t k = 0; k < 3; ++k) {
    double loss = 0.0;
    double energy = 0.0;
    for (Index i = 0; i < 20; ++i) {
      const auto row = static_cast<std::size_t>(i);
      double z = 0.0;
      for (std::size_t m = 0; m < kernels.size(); ++m) {
        for (Index j = 0; j < 20; ++j) {
          const double a_j = at.a[k][static_cast<std::size_t>(j)];
          z += at.d[m] * kernels[m](i, j) * a_j;
          forms[m] += at.gamma[k] * at.a[k][row] * kernels[m](i, j) * a_j;
        }
      }
      loss += 1.5 * std::max(0.0, 1.0 - owned.tasks[k].y[row] * z);
      energy += at.a[k][row] * z;
      gain += at.gamma[k] * at.a[k][row] * owned.tasks[k].y[row];
      EXPECT_NEAR(point.Z(static_cast<Index>(k), i), z, 1e-10);
    }
    EXPECT_NEAR(point.certificate.task_primal[k], loss + 0.5 * energy, 1e-10 * loss);
    primal = std::max(primal, loss + 0.5 * energy);
  }
  EXPECT_NEAR(point.certificate.primal, primal, 1e-10 * primal);
  double best = -kInfinityOfTasks;  // over multiples t a that stay in the box
  double longest = kInfinityOfTasks;
  for (const Vector& own : at.a) {
    for (const double value : own) longest = std::min(longest, 1.5 / std::abs(value));
  }
  const double top = *std::ranges::max_element(forms);
  for (int step = 0; step <= 1000; ++step) {
    const double t = std::min(longest, 2.0) * step / 1000.0;
    best = std::max(best, t * gain - 0.5 * t * t * top);
  }
  EXPECT_NEAR(point.certificate.dual, best, 1e-5 * std::abs(primal));
  EXPECT_GE(point.certificate.dual, best - 1e-12);
}

TEST(SharedCertificate, TasksOnSomeSamplesSeeOnlyThose) {
  const OwnedTasks owned = pair_tasks(8, 40, 3, 1.0);
  const Problem problem = owned.with(Coupling::sum);
  const RandomPoint at(problem, 9);
  const Certificate shared = certify(problem, at.d, at.a, {}, {}).certificate;
  const RandomData data(8, 40, 3);
  for (std::size_t k = 0; k < owned.tasks.size(); ++k) {
    const Task& task = owned.tasks[k];
    std::vector<Matrix> restricted;
    for (const Matrix& K : data.kernels()) {
      Matrix own(length(task.rows), length(task.rows));
      for (Index i = 0; i < own.rows; ++i) {
        for (Index j = 0; j < own.rows; ++j) {
          own(i, j) =
              K(task.rows[static_cast<std::size_t>(i)], task.rows[static_cast<std::size_t>(j)]);
        }
      }
      restricted.push_back(std::move(own));
    }
    const OwnedProblem own = make_problem(std::move(restricted), task.y, 1.0);
    const Certificate alone = certify(own.with(Fixed{at.d}), at.d, {at.a[k]}, {}).certificate;
    EXPECT_NEAR(shared.bias[k][0], alone.only_bias(), 1e-9);
    EXPECT_NEAR(shared.task_primal[k], alone.primal, 1e-9 * alone.primal);
  }
}

std::string refusal_of_tasks(const Problem& problem) {
  try {
    validate(problem);
  } catch (const Error& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(SharedProblem, RefusesWhatIsNotAProblem) {
  OwnedTasks owned = random_tasks(1, 3, 20, 2, 1.0);
  EXPECT_EQ(refusal_of_tasks(owned.with(Coupling::sum)), "");
  const OwnedTasks good = random_tasks(1, 3, 20, 2, 1.0);

  owned.tasks[1].y.pop_back();
  EXPECT_EQ(refusal_of_tasks(owned.with(Coupling::sum)),
            "task 2: y and C must have one entry for each of its 20 samples, got 19 and 20");
  owned.tasks = good.tasks;
  owned.tasks[2].y.assign(20, -1.0);
  EXPECT_EQ(refusal_of_tasks(owned.with(Coupling::minimax)),
            "task 3: all its samples are in one class, -1");
  owned.tasks = good.tasks;
  owned.tasks[0].y[3] = 0.5;
  EXPECT_EQ(refusal_of_tasks(owned.with(Coupling::sum)),
            "task 1: labels must be +1 or -1, sample 4 has 0.5");
  owned.tasks = good.tasks;
  owned.tasks[0].C[1] = 0.0;
  EXPECT_EQ(refusal_of_tasks(owned.with(Coupling::sum)),
            "task 1: C times the weights of class and sample must be in [1e-50, 1e+50], sample "
            "2 has 0");
  owned.tasks = good.tasks;
  owned.tasks[0].rows = {0, 2, 1};
  owned.tasks[0].y = {1.0, -1.0, 1.0};
  owned.tasks[0].C = {1.0, 1.0, 1.0};
  EXPECT_EQ(refusal_of_tasks(owned.with(Coupling::sum)),
            "task 1: rows must be ascending and in 0 .. 19, entry 3 is 1");
  owned.tasks.clear();
  EXPECT_EQ(refusal_of_tasks(owned.with(Coupling::sum)), "at least 1 task is needed, got 0");
  EXPECT_THROW(static_cast<void>(parse_coupling("max")), ParameterError);
  EXPECT_EQ(parse_coupling(coupling_name(Coupling::minimax)), Coupling::minimax);
}

TEST(SharedCertificate, RefusesPointsOfAnotherProblem) {
  const OwnedTasks owned = random_tasks(1, 3, 20, 2, 1.0);
  const Problem problem = owned.with(Coupling::minimax);
  const RandomPoint good(problem, 1);
  const auto bounds = [&](const RandomPoint& at) {
    return certify(problem, at.d, at.a, {}, at.gamma);
  };
  EXPECT_NO_THROW(static_cast<void>(bounds(good)));
  for (const auto& spoil : std::vector<std::function<void(RandomPoint&)>>{
           [](RandomPoint& at) { at.d[0] += 0.1; }, [](RandomPoint& at) { at.d.pop_back(); },
           [](RandomPoint& at) { at.a.pop_back(); }, [](RandomPoint& at) { at.a[1].pop_back(); },
           [](RandomPoint& at) { at.a[1][0] = 3.0; }, [](RandomPoint& at) { at.gamma[0] += 0.1; },
           [](RandomPoint& at) { at.gamma[0] = -0.1; },
           [](RandomPoint& at) { at.gamma.pop_back(); }}) {
    RandomPoint at = good;
    spoil(at);
    EXPECT_THROW(static_cast<void>(bounds(at)), ParameterError);
  }
}

}  // namespace
}  // namespace kernmix
