// Generalised MKL: derivatives, agreement with the convex solvers, stationarity, refusals.

#include "kernmix/classical/gmkl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernmix.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::OwnedProblem;
using testing::RandomData;

/// (x_im - x_jm)^2 for every column.
std::vector<Matrix> squared_distances(const Matrix& X) {
  std::vector<Matrix> all;
  for (Index m = 0; m < X.cols; ++m) {
    Matrix D(X.rows, X.rows);
    for (Index i = 0; i < X.rows; ++i) {
      for (Index j = 0; j < X.rows; ++j) D(i, j) = std::pow(X(i, m) - X(j, m), 2);
    }
    all.push_back(std::move(D));
  }
  return all;
}

GmklProblem classes_problem(const KernelFamily& kernel, const Vector& y, double C,
                            WeightPenalty penalty) {
  return {kernel, std::move(penalty), Hinge{}, y, Vector(y.size(), C), Bias::free};
}

/// T(d) from one kernel, by the SVM of the convex solver.
double T(const GmklProblem& problem, const Vector& d) {
  std::vector<Matrix> one = {problem.kernel.at(d, {})};
  const auto bank = dense_bank(std::move(one));
  const Problem svm{*bank, problem.loss, Sum{}, problem.y, problem.C, problem.bias};
  return testing::solve_tightly(svm).certificate.primal +
         std::visit([&](const auto& r) { return r.value(d); }, problem.penalty);
}

/// The three families on the same data.
struct Families {
  OwnedProblem owned;
  std::vector<std::unique_ptr<KernelFamily>> all;

  explicit Families(const RandomData& data)
      : owned(testing::make_problem(data.kernels(), data.y, 1.0)) {
    all.push_back(kernel_sum(*owned.bank));
    all.push_back(column_product(data.X));
    all.push_back(distance_product(squared_distances(data.X)));
    all.push_back(column_product(data.X, {0, 1, 0}));
  }
};

Vector positive_weights(const KernelFamily& kernel) {
  Vector d;
  for (Index m = 0; m < kernel.weights(); ++m) d.push_back(0.2 + 0.15 * static_cast<double>(m));
  return d;
}

TEST(KernelFamily, DerivativesAreThoseOfTheForm) {
  const RandomData data(50, 12, 3);
  const Families families(data);
  Vector a(12);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(3.0 * static_cast<double>(i));
  for (const auto& kernel : families.all) {
    const auto form = [&](const Vector& d) {
      const Matrix K = kernel->at(d, {});
      double sum = 0.0;
      for (Index i = 0; i < 12; ++i) {
        for (Index j = 0; j < 12; ++j) sum += a[std::size_t(i)] * K(i, j) * a[std::size_t(j)];
      }
      return sum;
    };
    const Vector d = positive_weights(*kernel);
    Vector derivatives(d.size());
    kernel->derivatives(d, kernel->at(d, {}), a, derivatives, {});
    for (std::size_t m = 0; m < d.size(); ++m) {
      Vector below = d;
      Vector above = d;
      below[m] -= 1e-5;
      above[m] += 1e-5;
      EXPECT_NEAR(derivatives[m], (form(above) - form(below)) / 2e-5, 1e-7);
    }
  }
}

TEST(KernelFamily, ProductsMultiplyGaussians) {
  const RandomData data(51, 8, 3);
  const Vector d = {0.5, 0.0, 2.0};
  const Matrix columns = column_product(data.X)->at(d, {});
  const Matrix distances = distance_product(squared_distances(data.X))->at(d, {});
  const Matrix views = column_product(data.X, {0, 1, 0})->at(Vector{0.5, 2.0}, {});
  const auto factor = [&](Index i, Index j, Index m, double weight) {
    return std::exp(-weight * std::pow(data.X(i, m) - data.X(j, m), 2));
  };
  for (Index i = 0; i < 8; ++i) {
    for (Index j = 0; j < 8; ++j) {
      const double expected = factor(i, j, 0, 0.5) * factor(i, j, 2, 2.0);
      EXPECT_NEAR(columns(i, j), expected, 1e-14);
      EXPECT_NEAR(distances(i, j), expected, 1e-14);
      const double by_view = factor(i, j, 0, 0.5) * factor(i, j, 1, 2.0) * factor(i, j, 2, 0.5);
      EXPECT_NEAR(views(i, j), by_view, 1e-14);
    }
  }
}

// The convex case has a certificate: r = lambda sum d is l1-unsquared at sqrt(2 lambda).
TEST(Gmkl, ASumWithLinearPenaltyIsTheUnsquaredNorm) {
  const std::vector<Loss> losses = {Hinge{}, Logistic{}, Squared{}, Epsilon{0.1}};
  for (const Loss& loss : losses) {
    SCOPED_TRACE(loss_text(loss));
    const OwnedProblem owned = testing::random_problem_for(loss, 57, 40, 3, 1.0);
    const auto kernel = kernel_sum(*owned.bank);
    const GmklProblem problem{*kernel, LinearPenalty{0.5}, loss, owned.y, owned.C, Bias::free};
    const GmklSolution solution = solve_gmkl(problem, {}, {});
    EXPECT_EQ(solution.status, Status::converged);
    const Answer convex = testing::solve_tightly(owned.with(L1Unsquared{1.0}, loss));
    EXPECT_GE(solution.objective, convex.certificate.dual);
    EXPECT_NEAR(solution.objective, convex.certificate.primal, 1e-4 * convex.certificate.primal);
  }
}

// As Sigma falls to 0, d stays at mu, and T is that of the plain SVM there.
TEST(Gmkl, AStrongQuadraticPenaltyHoldsTheWeightsAtTheirMeans) {
  const RandomData data(58, 30, 2);
  const auto kernel = column_product(data.X);
  QuadraticPenalty penalty{{0.7, 0.2}, Matrix(2, 2)};
  penalty.precision.values = {1e8, 0.0, 0.0, 1e8};
  const GmklProblem problem = classes_problem(*kernel, data.y, 1.0, penalty);
  const GmklSolution solution = solve_gmkl(problem, {}, {});
  EXPECT_NEAR(solution.d[0], 0.7, 1e-5);
  EXPECT_NEAR(solution.d[1], 0.2, 1e-5);
  EXPECT_NEAR(solution.objective, T(problem, penalty.mu), 1e-5 * solution.objective);
}

/// r for the family: linear, or quadratic with correlated weights.
std::vector<WeightPenalty> penalties(Index M) {
  QuadraticPenalty quadratic{Vector(std::size_t(M), 0.3), Matrix(M, M)};
  for (Index m = 0; m < M; ++m) {
    quadratic.precision(m, m) = 3.0;
    if (m > 0) quadratic.precision(m, m - 1) = quadratic.precision(m - 1, m) = -1.0;
  }
  return {LinearPenalty{0.5}, quadratic};
}

// T is measured by another solver: no formula of the slope is believed.
TEST(Gmkl, TheSlopeIsThatOfTheObjective) {
  const RandomData data(52, 30, 3);
  const Families families(data);
  for (const Loss& loss : std::vector<Loss>{SquaredHinge{}, Logistic{}, HuberHinge{0.5}}) {
    for (const auto& kernel : families.all) {
      for (const WeightPenalty& penalty : penalties(kernel->weights())) {
        GmklProblem problem = classes_problem(*kernel, data.y, 2.0, penalty);
        problem.loss = loss;
        GmklOptions options;
        options.start = positive_weights(*kernel);
        options.max_iterations = 0;
        const GmklSolution here = solve_gmkl(problem, options, {});
        EXPECT_EQ(here.status, Status::iteration_limit);
        for (const std::size_t m : {std::size_t{0}, here.d.size() - 1}) {
          Vector below = here.d;
          Vector above = here.d;
          below[m] -= 1e-3;
          above[m] += 1e-3;
          const double slope = (T(problem, above) - T(problem, below)) / 2e-3;
          EXPECT_NEAR(here.slope[m], slope, 1e-3 * (1.0 + std::abs(slope)));
        }
      }
    }
  }
}

TEST(Gmkl, EndsAtAStationaryPointAndNeverRises) {
  const RandomData data(52, 50, 3);
  const Families families(data);
  for (const auto& kernel : families.all) {
    for (const WeightPenalty& penalty : penalties(kernel->weights())) {
      const GmklProblem problem = classes_problem(*kernel, data.y, 10.0, penalty);
      const GmklSolution solution = solve_gmkl(problem, {}, {});
      EXPECT_EQ(solution.status, Status::converged);
      EXPECT_LE(solution.stationarity, 1e-3);
      EXPECT_LE(solution.inner_gap, 1e-6 * solution.objective);
      for (std::size_t k = 1; k < solution.objectives.size(); ++k) {
        EXPECT_LE(solution.objectives[k], solution.objectives[k - 1]);
      }
      EXPECT_NEAR(solution.objective, T(problem, solution.d), 1e-6 * solution.objective);
    }
  }
}

// A minimum along every coordinate, measured by solving anew.
TEST(Gmkl, NoCoordinateStepLowersTheObjective) {
  const RandomData data(53, 50, 3);
  const auto kernel = column_product(data.X);
  const GmklProblem problem = classes_problem(*kernel, data.y, 5.0, LinearPenalty{0.5});
  GmklOptions options;
  options.tolerance = 1e-4;
  const GmklSolution solution = solve_gmkl(problem, options, {});
  ASSERT_EQ(solution.status, Status::converged);
  const double best = T(problem, solution.d);
  for (std::size_t m = 0; m < solution.d.size(); ++m) {
    for (const double step : {-0.02, 0.02}) {
      Vector d = solution.d;
      d[m] = std::max(d[m] + step, 0.0);
      EXPECT_GE(T(problem, d), best * (1.0 - 1e-6)) << m << " " << step;
    }
  }
}

// Measured in other units (columns times 100, so weights over 10^4), the answer is the same one.
TEST(Gmkl, StationarityHasNoUnits) {
  const RandomData data(59, 40, 2);
  Matrix scaled = data.X;
  for (double& value : scaled.values) value *= 100.0;
  GmklOptions at;
  at.start = {0.5, 0.25};
  at.max_iterations = 0;
  GmklOptions at_scaled = at;
  at_scaled.start = {0.5e-4, 0.25e-4};
  const auto kernel = column_product(data.X);
  const auto other = column_product(scaled);
  const GmklSolution one =
      solve_gmkl(classes_problem(*kernel, data.y, 2.0, LinearPenalty{0.3}), at, {});
  const GmklSolution two =
      solve_gmkl(classes_problem(*other, data.y, 2.0, LinearPenalty{0.3e4}), at_scaled, {});
  EXPECT_GT(one.stationarity, 1e-3);
  EXPECT_NEAR(one.stationarity, two.stationarity, 1e-6 * one.stationarity);
}

// Columns 0 and 1 carry the classes of RandomData, the others noise.
TEST(Gmkl, NoiseColumnsLoseTheirWeight) {
  const RandomData data(54, 120, 5);
  const auto kernel = column_product(data.X);
  const GmklSolution solution =
      solve_gmkl(classes_problem(*kernel, data.y, 1.0, LinearPenalty{2.0}), {}, {});
  EXPECT_GT(solution.d[0], solution.d[2] + solution.d[3] + solution.d[4]);
}

TEST(Gmkl, TakesEveryLoss) {
  const RandomData data(55, 40, 3);
  const auto kernel = column_product(data.X);
  for (const LossInfo& row : losses()) {
    SCOPED_TRACE(row.example);
    const Loss loss = parse_loss(row.example);
    const OwnedProblem owned = testing::random_problem_for(loss, 55, 40, 3, 2.0);
    if (on_distances(loss) || joins_classes(loss)) {
      const GmklProblem refused{*kernel, LinearPenalty{0.1}, loss, owned.y, owned.C, Bias::free};
      EXPECT_THROW(static_cast<void>(solve_gmkl(refused, {}, {})), ParameterError);
      continue;
    }
    // Without a C the loss is of the order of one sample: a larger penalty leaves no weight.
    const LinearPenalty penalty{takes_cost(loss) ? 0.1 : 1e-3};
    const GmklProblem problem{*kernel, penalty, loss, owned.y, owned.C, Bias::free};
    const GmklSolution solution = solve_gmkl(problem, {}, {});
    EXPECT_EQ(solution.status, Status::converged) << solution.stationarity;
    // One class is told best by samples that all look the same: K(0) = 1 1'.
    EXPECT_EQ(std::ranges::max(solution.d) > 0.0, loss_target(loss) != Target::none);
    EXPECT_NEAR(solution.objective, T(problem, solution.d),
                1e-6 * std::abs(solution.objective) + 1e-9);
  }
}

/// The view of means of the demo's training data, standardised as `train` does it, and the
/// diagnosis.
struct Demo {
  Table table;
  Matrix X;
  Vector y;

  Demo() {
    ReadOptions options;
    options.label_column = "diagnosis";
    options.id_column = "sample";
    table = read_table({KERNMIX_SOURCE_DIR "/examples/data/breast_cancer_train.csv"}, options);
    keep_columns(10);
    X = Scaling::fit(ScalingRule::standard, table.values).apply(table.values);
    y = BinaryLabels::find(table.labels).encode(table.labels);
  }

 private:
  void keep_columns(Index count) {
    Matrix kept(table.values.rows, count);
    for (Index i = 0; i < kept.rows; ++i) {
      std::ranges::copy(table.values.row(i).first(std::size_t(count)), kept.row(i).begin());
    }
    table.values = std::move(kept);
    table.columns.resize(std::size_t(count));
  }
};

// The product is one Gaussian kernel on columns times sqrt(d_m), which every model can hold: this
// is how a learned product is predicted with.
TEST(Gmkl, ALearnedProductIsAModelOnScaledColumns) {
  const Demo demo;
  const auto kernel = column_product(demo.X);
  const GmklProblem problem = classes_problem(*kernel, demo.y, 1.0, LinearPenalty{5.0});
  const GmklSolution solution = solve_gmkl(problem, {}, {});
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_LT(solution.objective, solution.objectives.front());

  Dataset scaled;
  scaled.table = demo.table;
  for (Index i = 0; i < demo.X.rows; ++i) {
    for (Index m = 0; m < demo.X.cols; ++m) {
      scaled.table.values(i, m) = demo.X(i, m) * std::sqrt(solution.d[std::size_t(m)]);
    }
  }
  scaled.views = resolve_views({}, scaled.table);
  TrainOptions options;
  options.kernels = {"rbf(gamma=1)"};
  options.regularizer = "sum";
  options.C = 1.0;
  options.scaling = ScalingRule::none;
  options.normalization = parse_normalization("none");
  options.solver.tolerance = 1e-6;
  const TrainResult model = train(scaled, options, {});
  const double penalty = 5.0 * std::accumulate(solution.d.begin(), solution.d.end(), 0.0);
  EXPECT_NEAR(model.model.certificate.primal + penalty, solution.objective,
              1e-5 * solution.objective);
  EXPECT_NEAR(model.model.tasks[0].bias, solution.bias, 1e-3);
}

TEST(Gmkl, AStopKeepsTheBestAnswerAndSaysWhy) {
  const RandomData data(60, 30, 2);
  const auto kernel = column_product(data.X);
  const GmklProblem problem = classes_problem(*kernel, data.y, 1.0, LinearPenalty{0.5});
  Context late;
  late.deadline = std::chrono::steady_clock::now();
  const GmklSolution solution = solve_gmkl(problem, {}, late);
  EXPECT_EQ(solution.status, Status::time_limit);
  EXPECT_EQ(solution.d, Vector({0.5, 0.5}));
}

template <typename Misuse>
std::string refused(const Misuse& misuse) {
  try {
    misuse();
  } catch (const Error& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(Gmkl, RefusesWhatIsNoProblem) {
  const RandomData data(56, 10, 2);
  const auto kernel = column_product(data.X);
  const auto answer = [&](const WeightPenalty& penalty, const Vector& start) {
    GmklOptions options;
    options.start = start;
    return refused([&] {
      static_cast<void>(solve_gmkl(classes_problem(*kernel, data.y, 1.0, penalty), options, {}));
    });
  };
  EXPECT_EQ(answer(LinearPenalty{0.0}, {}), "lambda must be > 0 and finite, got 0");
  EXPECT_EQ(answer(LinearPenalty{}, {0.0, 0.0}),
            "the start must have a weight > 0: with d = 0 the kernel does not distinguish samples");
  EXPECT_EQ(answer(LinearPenalty{}, {1.0}), "the start must be 2 finite weights >= 0");
  QuadraticPenalty indefinite{{1.0, 1.0}, Matrix(2, 2)};
  indefinite.precision.values = {1.0, 2.0, 2.0, 1.0};
  EXPECT_EQ(answer(indefinite, {}),
            "mu must be finite, the precision symmetric and positive definite");
}

TEST(KernelFamily, RefusesMatricesThatAreNoSquaredDistances) {
  Matrix D(3, 3);
  D.values = {0.0, 1.0, 9.0, 1.0, 0.0, 1.0, 9.0, 1.0, 0.0};  // 3 > 1 + 1
  EXPECT_EQ(refused([&] {
              static_cast<void>(distance_product({D}));
            }).find("kernel 'squared distances 1, as inner products' is not positive semidefinite"),
            0u);
  D.values[1] = 2.0;
  EXPECT_NE(refused([&] { static_cast<void>(distance_product({D})); }).find("is not symmetric"),
            std::string::npos);
  D.values = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  EXPECT_EQ(refused([&] { static_cast<void>(distance_product({D})); }),
            "squared distances 1: sample 1 has the distance 1 to itself, it must be 0");
  EXPECT_EQ(refused([&] { static_cast<void>(column_product(Matrix(3, 2), {0})); }),
            "there must be a view >= 0 for each of the 2 columns");
}

TEST(Gmkl, RefusesWhatTheMemoryHasNoRoomFor) {
  const RandomData data(71, 40, 3);
  const auto kernel = column_product(data.X);
  Context small;
  small.memory_bytes = 4 * 40 * 40 * sizeof(double) - 1;
  const GmklProblem problem = classes_problem(*kernel, data.y, 1.0, LinearPenalty{1.0});
  EXPECT_THROW((void)solve_gmkl(problem, {}, small), ResourceError);
  small.memory_bytes += 1;
  EXPECT_LE(solve_gmkl(problem, {}, small).stationarity, 1e-3);
}

}  // namespace
}  // namespace kernmix
