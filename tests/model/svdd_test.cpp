// Support vector data description. Oracle: the linear kernel, whose feature space is the data, so
// that centre, radius and distances are numbers to compute by hand; and one-class on kernels with a
// constant diagonal, where both are the same model.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/solve.hpp"
#include "loss/any.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_data.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

TrainOptions svdd_options(const std::string& kernel, double nu) {
  TrainOptions options;
  options.kernels = {kernel};
  options.loss = fmt::format("svdd:nu={}", nu);
  options.scaling = ScalingRule::none;
  options.solver.tolerance = 1e-9;
  return options;
}

Dataset unlabelled(Index n, std::uint32_t seed) {
  Dataset data = toy_data(n, seed);
  data.table.labels.clear();
  return data;
}

/// scale |x - c|^2 for the rows of `data`, c = sum a_s x_s, as the linear kernel sees it.
Vector distances_to_centre(const Model& model, const Matrix& data) {
  Vector centre(static_cast<std::size_t>(data.cols), 0.0);
  for (Index s = 0; s < model.support_values.rows; ++s) {
    for (Index j = 0; j < data.cols; ++j) {
      centre[static_cast<std::size_t>(j)] +=
          coefficients_of(model).values[static_cast<std::size_t>(s)] * model.support_values(s, j);
    }
  }
  Vector squares;
  for (Index i = 0; i < data.rows; ++i) {
    double sum = 0.0;
    for (Index j = 0; j < data.cols; ++j) {
      sum += std::pow(data(i, j) - centre[static_cast<std::size_t>(j)], 2);
    }
    squares.push_back(model.kernels.front().normalization.scale * sum);
  }
  return squares;
}

class SvddBall : public ::testing::TestWithParam<const char*> {};

TEST_P(SvddBall, IsTheBallOfTheDualVector) {
  constexpr Index n = 60;
  constexpr double nu = 0.2;
  const double bound = 1.0 / (nu * static_cast<double>(n));
  const Dataset data = unlabelled(n, 71);
  const TrainResult result =
      train(data, svdd_options(fmt::format("linear on all, normalize={}", GetParam()), nu), {});
  ASSERT_EQ(result.status, Status::converged);
  const Model model = decode_model(encode_model(result.model));

  const Vector squares = distances_to_centre(model, data.table.values);
  const Vector decision = predict(model, data, {}).decision.values;
  const double radius = decision[0] + squares[0];
  double objective = radius;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    EXPECT_NEAR(decision[i], radius - squares[i], 1e-9 * radius);
    objective += bound * std::max(squares[i] - radius, 0.0);
  }
  EXPECT_NEAR(model.certificate.primal, objective, 1e-9 * objective);

  Index on_the_sphere = 0;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const double a = dual_vector(result.model)[i];
    if (a > 1e-3 * bound && a < (1.0 - 1e-3) * bound) {
      ++on_the_sphere;
      EXPECT_NEAR(squares[i], radius, 1e-4 * radius);
    }
    if (a == 0.0) {
      EXPECT_LE(squares[i], radius * (1.0 + 1e-4));
    }
    if (a == bound) {
      EXPECT_GE(squares[i], radius * (1.0 - 1e-4));
    }
  }
  EXPECT_GE(on_the_sphere, 2);

  const Dataset others = unlabelled(9, 72);
  const Vector elsewhere = distances_to_centre(model, others.table.values);
  const Vector predicted = predict(model, others, {}).decision.values;
  for (std::size_t i = 0; i < elsewhere.size(); ++i) {
    EXPECT_NEAR(predicted[i], radius - elsewhere[i], 1e-9 * (radius + elsewhere[i]));
  }
}

INSTANTIATE_TEST_SUITE_P(Normalizations, SvddBall,
                         ::testing::Values("none", "trace", "center", "center+trace"),
                         [](const auto& row) {
                           std::string name = row.param;
                           std::ranges::replace(name, '+', '_');
                           return name;
                         });

// Far from the optimum: the primal is the objective of the best ball around sum a_i phi(x_i) in the
// space of the weights d, and the dual at most the optimum.
TEST(Svdd, CertifiesAnyWeightsByTheirBall) {
  constexpr Index n = 20;
  const Dataset data = unlabelled(n, 78);
  const auto X = [&](Index i, Index j) { return data.table.values(i, j); };
  const Vector d = {0.7, 0.3};
  std::vector<KernelSourcePtr> sources;
  for (const Index column : {0, 3}) {
    auto values = std::make_shared<Matrix>(n, 1);
    for (Index i = 0; i < n; ++i) (*values)(i, 0) = X(i, column);
    sources.push_back(feature_source(make_kernel_function("linear", {}), values, values));
  }
  const DistanceKernels kernels = distance_kernels(sources);
  const auto bank = exact_bank(kernels.sources);
  const Vector C(n, loss_weight(Svdd{0.3}, 1.0, n));
  const Problem problem{*bank, Svdd{0.3, kernels.shift}, L1{}, Vector(n, 0.0), C};

  Vector a(n, 0.0);
  for (std::size_t i = 0; i < 8; ++i) a[i] = 0.125;
  Vector squares(n, 0.0);
  for (std::size_t m = 0; m < 2; ++m) {
    const Index column = m == 0 ? 0 : 3;
    double centre = 0.0;
    for (Index i = 0; i < 8; ++i) centre += 0.125 * X(i, column);
    for (Index i = 0; i < n; ++i) {
      squares[static_cast<std::size_t>(i)] += d[m] * std::pow(X(i, column) - centre, 2);
    }
  }
  double best = std::numeric_limits<double>::infinity();
  for (const double radius : squares) {  // a piecewise linear function: one corner is best
    double objective = radius;
    for (std::size_t i = 0; i < squares.size(); ++i) {
      objective += C[i] * std::max(squares[i] - radius, 0.0);
    }
    best = std::min(best, objective);
  }
  const Certificate certificate = certify(problem, d, {a}, {}).certificate;
  EXPECT_NEAR(certificate.primal, best, 1e-10 * best);
  EXPECT_LE(certificate.dual, solve(problem, {}, {}).certificate.primal);
  EXPECT_GT(certificate.outer_gap, 0.0);
}

// R^2 = 1 + 2 (the optimum of one-class) where k(x, x) = 1, with the same weights.
TEST(Svdd, IsOneClassOnAConstantDiagonal) {
  const Dataset data = unlabelled(50, 73);
  TrainOptions options = svdd_options("rbf(gamma=2^-4..2^-1) on a|b", 0.3);
  options.scaling = ScalingRule::standard;
  options.normalization = parse_normalization("trace");
  const TrainResult svdd = train(data, options, {});
  options.loss = "one-class:nu=0.3";
  const TrainResult one_class = train(data, options, {});
  EXPECT_NEAR(svdd.model.certificate.primal, 1.0 + 2.0 * one_class.model.certificate.primal, 1e-8);
  for (std::size_t m = 0; m < svdd.model.weights.values.size(); ++m) {
    EXPECT_NEAR(svdd.model.weights.values[m], one_class.model.weights.values[m], 1e-3);
  }
  const Vector distance = predict(svdd.model, data, {}).decision.values;
  const Vector margin = predict(one_class.model, data, {}).decision.values;
  for (std::size_t i = 0; i < margin.size(); ++i) {
    EXPECT_NEAR(distance[i], 2.0 * margin[i], 1e-3);
  }
}

// Kernels whose diagonals vary, cosined, centred and not.
TEST(Svdd, LearnsWeightsAndVerifies) {
  const Dataset data = unlabelled(60, 74);
  TrainOptions options = svdd_options("linear on a, each, normalize=center+trace", 0.2);
  options.kernels.emplace_back("poly(degree=2) on a|b, normalize=center+trace");
  options.kernels.emplace_back("rbf on b, normalize=cosine+center");
  options.scaling = ScalingRule::standard;
  for (const char* regularizer : {"l1", "average", "soft-margin:theta=0.4",
                                  "soft-margin-squared:theta=1", "fixed:0.5,0,0,0,0.25,0.25"}) {
    SCOPED_TRACE(regularizer);
    options.regularizer = regularizer;
    const TrainResult result = train(data, options, {});
    EXPECT_EQ(result.status, Status::converged);
    for (const MemoryPlan::Entry& entry : result.plan.kernels) {
      EXPECT_NE(entry.kind, StorageKind::factor);
    }
    const Model model = decode_model(encode_model(result.model));
    EXPECT_TRUE(verify(model, data, {}).agrees);
    const Prediction prediction = predict(model, data, {}, true);
    EXPECT_LE(std::ranges::count(prediction.winner, 0), 13);
    EXPECT_GE(model.support.size(), 12U);
  }
}

// The certificate does not hang on the shift of the kernels, which depends on the first sample.
TEST(Svdd, TheOrderOfTheSamplesDoesNotMatter) {
  const Dataset data = unlabelled(40, 75);
  std::vector<Index> reversed;
  for (Index i = 40; i-- > 0;) reversed.push_back(i);
  const TrainOptions options = svdd_options("poly(degree=1..2) on a|b, normalize=trace", 0.3);
  const Model model = train(data, options, {}).model;
  EXPECT_TRUE(verify(model, rows_of(data, reversed), {}).agrees);
}

void expect_refused(const Dataset& data, const TrainOptions& options, const std::string& sentence) {
  try {
    static_cast<void>(train(data, options, {}));
    FAIL() << "accepted, expected: " << sentence;
  } catch (const ParameterError& error) {
    EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
  }
}

TEST(Svdd, RefusesWeightsThatNeedNotSumToOne) {
  const Dataset data = unlabelled(20, 76);
  for (const char* regularizer :
       {"sum", "lp:p=2", "elastic-net:l1=0.1,l2=1", "sgmkl:v=0.5", "fixed:1,1"}) {
    TrainOptions options = svdd_options("linear on a|b", 0.5);
    options.regularizer = regularizer;
    expect_refused(data, options, "svdd:nu=0.5 needs kernel weights that sum to 1");
  }
}

TEST(Svdd, RefusesSolversWithFunctionNorms) {
  for (const char* solver : {"alternating", "block-coordinate"}) {
    TrainOptions options = svdd_options("linear on a|b", 0.5);
    options.solver.solver = solver;
    expect_refused(unlabelled(20, 77), options, "it needs positive semidefinite kernels");
  }
}

TEST(Svdd, RefusesAGramMatrixButTakesDistances) {
  Dataset data;
  auto matrix = std::make_shared<Matrix>(12, 12);
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < 12; ++j) (*matrix)(i, j) = std::abs(static_cast<double>(i - j));
  }
  data.matrices = {{"D", KernelInput::distance, matrix}};
  TrainOptions options = svdd_options("rbf(gamma=0.1) on D", 0.5);
  EXPECT_TRUE(verify(train(data, options, {}).model, data, {}).agrees);
  data.matrices.front().kind = KernelInput::gram;
  options.kernels = {"precomputed on D"};
  expect_refused(data, options, "needs k(x, x) of new samples");
}

/// A constant kernel has a ball of radius 0, whatever the shift that other kernels need: the
/// optimum is 0, and it is reached.
TEST(Svdd, ReachesAnOptimumOfZero) {
  for (const char* other : {"rbf(width=median)", "linear", "poly(degree=3)"}) {
    for (const char* rule : {"cosine", "cosine+variance", "cosine+trace", "none"}) {
      for (const double tolerance : {1e-3, 1e-8}) {
        for (const double nu : {0.1, 0.3, 1.0}) {
          TrainOptions options = svdd_options(other, nu);
          options.kernels.push_back("poly(degree=2) on *, each");
          if (std::string(rule) == "none") options.kernels.back() = "rbf(gamma=1e-30)";
          options.normalization = parse_normalization(rule);
          options.solver.tolerance = tolerance;
          const Model model = train(unlabelled(30, 4), options, {}).model;
          EXPECT_EQ(model.settings.status, "converged")
              << other << ", " << rule << ", " << tolerance << ", " << nu << ": "
              << model.certificate.dual << " " << model.certificate.primal;
          EXPECT_TRUE(model.certificate.in_order());
          EXPECT_LE(model.certificate.primal, tolerance * model.certificate.size());
          EXPECT_LE(model.certificate.dual, tolerance * model.certificate.size());
        }
      }
    }
  }
}

}  // namespace
}  // namespace kernmix
