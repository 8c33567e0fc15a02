#include "loss/any.hpp"
#include "problem/task_loss.hpp"
#include "random_classes.hpp"
#include "regularizer/any.hpp"

namespace kernmix::testing {
namespace {

const std::vector<Regularizer> kJointRegularizers = {L1{}, Lp{1.5}, ElasticNet{0.5, 0.5},
                                                     SoftMargin{0.4}, Average{}};

/// Rows of the dual set, as far from zero as they may be; columns sum to zero.
Matrix random_joint_dual(const Problem& problem, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  const ClassTargets targets(problem.bias, problem.y(), problem.C());
  Matrix A(problem.samples(), problem.functions());
  Vector scratch;
  for (Index i = 0; i < A.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (double& value : A.row(i)) value = normal(engine);
    project_onto_dual(A.row(i), targets.y[at], targets.C[at], scratch);
  }
  A.values = targets.feasible(A.values);
  return A;
}

Vector random_weights(const Problem& problem, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(0.0, 2.0);
  Vector d = initial_weights(problem.regularizer, problem.kernels());
  for (double& weight : d) weight *= uniform(engine);
  return d;
}

TEST(JointCertificate, BoundsOfAnyTwoPointsAreInOrder) {
  const OwnedClasses owned = random_classes(1, 4, 30, 3, 1.0);
  unsigned seed = 0;
  for (const Regularizer& regularizer : kJointRegularizers) {
    for (const Bias bias : {Bias::free, Bias::none}) {
      const Problem problem = owned.with(regularizer, bias);
      double least_primal = std::numeric_limits<double>::infinity();
      double largest_dual = -least_primal;
      for (int k = 0; k < 6; ++k) {
        const Vector d = random_weights(problem, ++seed);
        const Matrix A = random_joint_dual(problem, seed);
        const Certificate own = certify(problem, d, {A.values}, {}).certificate;
        EXPECT_NEAR(own.gap, own.inner_gap + own.outer_gap, 1e-12 * own.primal);
        EXPECT_GE(own.inner_gap, 0.0);
        EXPECT_GE(own.outer_gap, 0.0);
        EXPECT_NEAR(certify_dual(problem, {A.values}, {}), own.dual, 1e-12 * std::abs(own.primal));
        least_primal = std::min(least_primal, own.primal);
        largest_dual = std::max(largest_dual, own.dual);
      }
      EXPECT_LE(largest_dual, least_primal) << regularizer_text(regularizer);
    }
  }
}

/// Everything by hand, from dense matrices.
TEST(JointCertificate, IsWhatItsFormulaSays) {
  const RandomData data(2, 20, 2);
  const std::vector<Matrix> kernels = data.kernels();
  const OwnedClasses owned = random_classes(2, 3, 20, 2, 1.5);
  const Problem problem = owned.with(L1{}, Bias::none);
  const Vector d = random_weights(problem, 3);
  const Matrix A = random_joint_dual(problem, 3);
  const CertifiedPoint point = certify(problem, d, {A.values}, {});
  double loss = 0.0;
  double gain = 0.0;
  Vector q(kernels.size(), 0.0);
  for (Index i = 0; i < 20; ++i) {
    Vector z(3, 0.0);
    for (Index u = 0; u < 3; ++u) {
      for (std::size_t m = 0; m < kernels.size(); ++m) {
        for (Index j = 0; j < 20; ++j) {
          z[static_cast<std::size_t>(u)] += d[m] * kernels[m](i, j) * A(j, u);
          q[m] += A(i, u) * kernels[m](i, j) * A(j, u);
        }
      }
      EXPECT_NEAR(point.Z(u, i), z[static_cast<std::size_t>(u)], 1e-10);
    }
    const auto y = static_cast<std::size_t>(owned.y[static_cast<std::size_t>(i)]);
    double worst = 0.0;
    for (std::size_t u = 0; u < 3; ++u) {
      if (u != y) worst = std::max(worst, 1.0 + z[u] - z[y]);
    }
    loss += owned.C[static_cast<std::size_t>(i)] * worst;
    gain += A(i, owned.y[static_cast<std::size_t>(i)]);
  }
  double norms = 0.0;
  for (std::size_t m = 0; m < q.size(); ++m) {
    EXPECT_NEAR(task_sums(problem, point.Q)[0][m], q[m], 1e-10 * q[m]);
    norms += d[m] * std::sqrt(q[m]);
  }
  EXPECT_NEAR(point.certificate.primal, loss + 0.5 * norms * norms, 1e-10 * loss);
  EXPECT_GE(point.certificate.dual, gain - 0.5 * *std::ranges::max_element(q) - 1e-10 * loss);
}

/// A = [a, -a] doubles q: the joint value at C is half of the binary one at 2 C
/// (docs/explanation/joint.md).
TEST(JointCertificate, OfTwoClassesIsHalfTheBinaryOne) {
  const OwnedClasses owned = random_classes(4, 2, 40, 3, 0.7);
  for (const Bias bias : {Bias::free, Bias::none}) {
    const Problem problem = owned.with(L1{}, bias);
    const Vector d = L1{}.initial_weights(problem.kernels());
    const Matrix A = random_joint_dual(problem, 7);
    Vector y;
    Vector C;
    Vector a;
    for (Index i = 0; i < A.rows; ++i) {
      y.push_back(owned.y[static_cast<std::size_t>(i)] == 0 ? 1.0 : -1.0);
      C.push_back(2.0 * owned.C[static_cast<std::size_t>(i)]);
      a.push_back(2.0 * A(i, 0));
    }
    const Problem binary{*owned.bank, Hinge{}, L1{}, y, C, bias};
    const Certificate own = certify(problem, d, {A.values}, {}).certificate;
    const Certificate alone = certify(binary, d, {a}, {}).certificate;
    EXPECT_NEAR(2.0 * own.primal, alone.primal, 1e-10 * alone.primal);
    EXPECT_NEAR(2.0 * own.dual, alone.dual, 1e-6 * alone.primal);
    EXPECT_NEAR(2.0 * own.inner_gap, alone.inner_gap, 1e-10 * alone.primal);
  }
}

std::string refusal_of_classes(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(JointProblem, RefusesWhatIsNotAProblem) {
  const OwnedClasses good = random_classes(5, 3, 20, 2, 1.0);
  const auto refusal = [&](const std::function<void(Problem&)>& spoil) {
    Problem problem = good.with(L1{});
    spoil(problem);
    return refusal_of_classes([&] { validate(problem); });
  };
  EXPECT_EQ(refusal([](Problem&) {}), "");
  EXPECT_EQ(refusal([](Problem& p) { p.tasks[0].y.pop_back(); }),
            "y and C must have one entry for each of the 20 samples, got 19 and 20");
  EXPECT_EQ(refusal([](Problem& p) { p.tasks[0].y.assign(20, 0.0); }),
            "at least 2 classes are needed, all samples have the same class");
  for (const double wrong : {-1.0, 0.5, 20.0}) {
    EXPECT_EQ(refusal([&](Problem& p) { p.tasks[0].y[4] = wrong; }).substr(0, 40),
              "classes must be whole numbers 0 .. K - 1");
  }
  EXPECT_EQ(refusal([](Problem& p) { p.tasks[0].y[4] = 4.0; }),
            "class 3 has no sample: number the classes that occur 0 .. 3");
  EXPECT_EQ(refusal([](Problem& p) { p.coupling = Coupling::sum; }),
            "classes trained together are a problem of one task");
  EXPECT_EQ(refusal([](Problem& p) { p.tasks[0].C[1] = 0.0; }),
            "C times the weights of class and sample must be in [1e-50, 1e+50], sample 2 has 0");
  EXPECT_EQ(refusal([](Problem& p) { p.bias = Bias::penalised; }),
            "classes trained together have free biases or none; for a penalised bias add a "
            "constant kernel");
}

TEST(JointCertificate, RefusesPointsOfAnotherProblem) {
  const OwnedClasses owned = random_classes(6, 3, 20, 2, 1.0);
  const Problem problem = owned.with(L1{});
  const Vector d = L1{}.initial_weights(problem.kernels());
  const Matrix A = random_joint_dual(problem, 1);
  const auto bounds = [&](const Vector& weights, const Matrix& dual) {
    static_cast<void>(certify(problem, weights, {dual.values}, {}));
  };
  EXPECT_NO_THROW(bounds(d, A));
  EXPECT_THROW(bounds(Vector(d.size() + 1, 0.1), A), ParameterError);
  EXPECT_THROW(bounds(Vector(d.size(), -0.1), A), ParameterError);
  EXPECT_THROW(bounds(d, Matrix(20, 4)), ParameterError);
  EXPECT_THROW(bounds(d, Matrix(19, 3)), ParameterError);
  Matrix spoiled = A;
  spoiled(3, owned.y[3]) += 0.5;
  EXPECT_THROW(bounds(d, spoiled), ParameterError);
  spoiled = A;
  spoiled(3, owned.y[3]) = 2.0;
  EXPECT_THROW(bounds(d, spoiled), ParameterError);
}

}  // namespace
}  // namespace kernmix::testing
