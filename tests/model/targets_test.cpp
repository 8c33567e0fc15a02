// Regression, novelty detection and the three rules for the bias, from labels to predictions.
// Oracle for regression: kernel ridge regression as one linear system.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/linear_algebra.hpp"
#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

Model saved_and_loaded(const Model& model) { return decode_model(encode_model(model)); }

/// The toy data with numbers for labels: a smooth function of two columns, and noise.
Dataset toy_numbers(Index n, std::uint32_t seed) {
  Dataset data = toy_data(n, seed);
  Numbers noise(seed + 1000);
  for (Index i = 0; i < n; ++i) {
    const ConstSpan row = data.table.values.row(i);
    const double y = 3.0 + std::sin(row[0]) + 0.5 * row[1] + 0.1 * noise.normal();
    data.table.labels[static_cast<std::size_t>(i)] = fmt::format("{}", y);
  }
  return data;
}

TrainOptions regression_options() {
  TrainOptions options = toy_options();
  options.loss = "squared";
  return options;
}

/// Two Gram matrices of the data's columns, computed here.
std::vector<std::shared_ptr<const Matrix>> grams_of(const Table& table) {
  const Index n = table.samples();
  auto linear = std::make_shared<Matrix>(n, n);
  auto gauss = std::make_shared<Matrix>(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const ConstSpan x = table.values.row(i);
      const ConstSpan z = table.values.row(j);
      (*linear)(i, j) = x[0] * z[0] / 100.0 + x[1] * z[1] / 100.0;
      (*gauss)(i, j) = std::exp(-0.1 * (x[0] - z[0]) * (x[0] - z[0]));
    }
  }
  return {linear, gauss};
}

struct RidgeAnswer {
  Eigen::VectorXd a;
  double bias = 0.0;
};

/// (K + I / (C w)) a + b 1 = y, with 1'a = 0 for a free b, b = 0 for none, b = 1'a for a penalised.
RidgeAnswer ridge(const Eigen::MatrixXd& K, const Eigen::VectorXd& y, const Eigen::VectorXd& weight,
                  Bias rule) {
  const Eigen::Index n = y.size();
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + 1, n + 1);
  system.topLeftCorner(n, n) = K + Eigen::MatrixXd(weight.cwiseInverse().asDiagonal());
  if (rule == Bias::penalised) system.topLeftCorner(n, n).array() += 1.0;
  if (rule == Bias::free) {
    system.col(n).head(n).setOnes();
    system.row(n).head(n).setOnes();
  } else {
    system(n, n) = 1.0;
  }
  Eigen::VectorXd right(n + 1);
  right << y, 0.0;
  const Eigen::VectorXd solution = system.fullPivLu().solve(right);
  const double sum = solution.head(n).sum();
  return {solution.head(n), rule == Bias::free ? solution(n) : rule == Bias::penalised ? sum : 0.0};
}

class BiasRules : public ::testing::TestWithParam<Bias> {};

TEST_P(BiasRules, RegressionOnFixedWeightsIsRidgeRegression) {
  const Dataset source = toy_numbers(40, 51);
  const auto grams = grams_of(source.table);
  Dataset data;
  data.table.labels = source.table.labels;
  data.matrices = {{"linear", KernelInput::gram, grams[0]}, {"gauss", KernelInput::gram, grams[1]}};
  TrainOptions options;
  options.kernels = {"precomputed on *"};
  options.normalization = parse_normalization("none");
  options.regularizer = "average";
  options.loss = "squared";
  options.C = 5.0;
  options.bias = GetParam();
  options.solver.tolerance = 1e-10;
  for (Index i = 0; i < 40; ++i) options.sample_weights.push_back(i % 3 == 0 ? 2.0 : 0.5);

  const TrainResult result = train(data, options, {});
  const Model model = saved_and_loaded(result.model);
  EXPECT_EQ(model.settings.bias, bias_name(GetParam()));
  EXPECT_TRUE(verify(model, data, {}).agrees);

  Eigen::MatrixXd K(40, 40);
  Eigen::VectorXd y(40);
  Eigen::VectorXd weight(40);
  for (Index i = 0; i < 40; ++i) {
    const auto row = static_cast<std::size_t>(i);
    y(i) = numbers_of(data.table.labels)[row];
    weight(i) = 5.0 * options.sample_weights[row];
    for (Index j = 0; j < 40; ++j) K(i, j) = 0.5 * ((*grams[0])(i, j) + (*grams[1])(i, j));
  }
  const RidgeAnswer expected = ridge(K, y, weight, GetParam());
  EXPECT_NEAR(model.tasks[0].bias, expected.bias, 1e-6);
  const Prediction prediction = predict(model, data, {});
  EXPECT_TRUE(prediction.winner.empty());
  const Eigen::VectorXd fitted = K * expected.a;
  for (Index i = 0; i < 40; ++i) {
    EXPECT_NEAR(prediction.decision.values[static_cast<std::size_t>(i)], fitted(i) + expected.bias,
                1e-6);
  }
}

TEST_P(BiasRules, EveryLearnedModelVerifiesAfterLoading) {
  for (const char* loss : {"hinge", "squared"}) {
    const bool numbers = std::string(loss) == "squared";
    const Dataset data = numbers ? toy_numbers(60, 52) : toy_data(60, 52);
    for (const char* rule : {"trace", "center+trace"}) {
      TrainOptions options = toy_options();
      options.loss = loss;
      options.bias = GetParam();
      options.normalization = parse_normalization(rule);
      const TrainResult result = train(data, options, {});
      EXPECT_EQ(result.status, Status::converged) << loss;
      const Verification check = verify(saved_and_loaded(result.model), data, {});
      EXPECT_TRUE(check.agrees) << loss << " " << rule << " " << check.difference;
      EXPECT_EQ(result.model.tasks[0].bias == 0.0, GetParam() == Bias::none) << loss;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, BiasRules,
                         ::testing::Values(Bias::free, Bias::none, Bias::penalised),
                         [](const auto& rule) { return bias_name(rule.param); });

TEST(Regression, LearnsWhatItIsShown) {
  const Dataset data = toy_numbers(150, 53);
  const Dataset fresh = toy_numbers(100, 54);
  TrainOptions options = regression_options();
  options.kernels = {"rbf(gamma=2^-4..2^0) on a|b"};
  options.C = 50.0;
  const Model model = saved_and_loaded(train(data, options, {}).model);
  EXPECT_EQ(model.target, Target::numbers);
  const Vector y = numbers_of(fresh.table.labels);
  EXPECT_GT(*r_squared(y, predict(model, fresh, {}).decision.values).value, 0.8);
}

TEST(Regression, ShiftedTargetsShiftAFreeBiasAlone) {
  const Dataset data = toy_numbers(60, 55);
  Dataset shifted = data;
  for (std::string& label : shifted.table.labels) {
    label = fmt::format("{}", std::stod(label) + 1000.0);
  }
  TrainOptions options = regression_options();
  options.solver.tolerance = 1e-8;
  const Model plain = train(data, options, {}).model;
  const Model moved = train(shifted, options, {}).model;
  EXPECT_NEAR(moved.tasks[0].bias - plain.tasks[0].bias, 1000.0, 1e-3);
  EXPECT_NEAR(moved.certificate.primal, plain.certificate.primal, 1e-6 * plain.certificate.primal);
}

TEST(Regression, ConstantTargetsArePredicted) {
  Dataset data = toy_numbers(30, 56);
  data.table.labels.assign(30, "2.5");
  const TrainResult result = train(data, regression_options(), {});
  EXPECT_EQ(result.status, Status::converged);
  const Model model = saved_and_loaded(result.model);
  for (const double value : predict(model, toy_numbers(10, 57), {}).decision.values) {
    EXPECT_NEAR(value, 2.5, 1e-9);
  }
  EXPECT_TRUE(verify(model, data, {}).agrees);
}

TEST(Regression, VerifySeesAChangedTarget) {
  const Dataset data = toy_numbers(60, 58);
  const Model model = train(data, regression_options(), {}).model;
  Dataset changed = data;
  const double y = std::stod(changed.table.labels[3]);
  changed.table.labels[3] = fmt::format("{}", std::nextafter(y, 1e9));
  EXPECT_FALSE(verify(model, changed, {}).same_data);
  changed.table.labels[3] = "high";
  EXPECT_THROW((void)verify(model, changed, {}), DataError);
}

TEST(Novelty, NeedsNoLabelsAndKeepsItsShareOfOutliers) {
  Dataset data = toy_data(80, 59);
  data.table.labels.clear();
  TrainOptions options;
  options.kernels = {"rbf(gamma=2^-4..2^0) on a|b"};
  options.loss = "one-class:nu=0.2";
  options.solver.tolerance = 1e-6;
  const TrainResult result = train(data, options, {});
  EXPECT_EQ(result.status, Status::converged);
  const Model model = saved_and_loaded(result.model);
  EXPECT_EQ(model.target, Target::none);
  EXPECT_TRUE(model.settings.class_weights.empty());
  EXPECT_TRUE(verify(model, data, {}).agrees);

  // nu bounds the share of outliers from above and that of support vectors from below.
  const Prediction prediction = predict(model, data, {});
  Index outliers = 0;
  for (std::size_t i = 0; i < prediction.winner.size(); ++i) {
    const bool outlier = prediction.decision.values[i] < 0.0;
    EXPECT_EQ(label_of(model, prediction, i), outlier ? "outlier" : "inlier");
    outliers += prediction.decision.values[i] < -1e-4 ? 1 : 0;
  }
  EXPECT_LE(outliers, 16);
  EXPECT_GE(model.support.size(), 16U);
  EXPECT_GT(outliers, 8);

  Dataset far = toy_data(5, 60);
  for (double& value : far.table.values.values) value += 1000.0;
  for (const Index winner : predict(model, far, {}).winner) EXPECT_EQ(winner, 0);
}

TEST(Novelty, LabelsChangeNothing) {
  const Dataset labelled = toy_data(40, 61);
  Dataset bare = labelled;
  bare.table.labels.clear();
  TrainOptions options = toy_options();
  options.loss = "one-class:nu=0.3";
  options.C = 1.0;
  const Model model = train(labelled, options, {}).model;
  EXPECT_EQ(encode_model(model), encode_model(train(bare, options, {}).model));
  EXPECT_TRUE(verify(model, bare, {}).agrees);
}

}  // namespace
}  // namespace kernmix
