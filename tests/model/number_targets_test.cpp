// Several numbers at once. Oracles: training each of them alone, and kernel ridge regression as one
// linear system with as many right-hand sides.

#include <gtest/gtest.h>

#include <cmath>

#include "base/linear_algebra.hpp"
#include "kernmix/error.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

TrainOptions options_for(const std::string& coupling) {
  return toy_task_options(coupling, TaskScheme::targets);
}

/// The data with target k alone. \param as_text  as labels, else as numbers
Dataset alone(const Dataset& data, Index k, bool as_text) {
  Dataset one = data;
  one.table.targets = {};
  if (!as_text) one.table.targets.values = Matrix(data.table.samples(), 1);
  for (Index i = 0; i < data.table.samples(); ++i) {
    const double y = data.table.targets.values(i, k);
    if (as_text) {
      one.table.labels.push_back(fmt::format("{}", y));
    } else {
      one.table.targets.values(i, 0) = y;
    }
  }
  return one;
}

TEST(NumberTargets, SeparateOnesAreThoseOfSingleRegressions) {
  const Dataset data = toy_targets(60, 71);
  const Model model = train(data, options_for("separate"), {}).model;
  EXPECT_EQ(model.names, data.table.targets.names);
  EXPECT_EQ(model.target, Target::numbers);
  const Matrix decision = predict(model, data, {}).decision;
  for (Index k = 0; k < 3; ++k) {
    TrainOptions options = toy_options();
    options.loss = "squared";
    const TrainResult single = train(alone(data, k, true), options, {});
    EXPECT_EQ(single.model.scheme, TaskScheme::single);
    EXPECT_EQ(encode_model(train(alone(data, k, false), options, {}).model),
              encode_model(single.model));
    const TaskModel& task = model.tasks[static_cast<std::size_t>(k)];
    EXPECT_EQ(task.coefficients, single.model.tasks[0].coefficients);
    EXPECT_EQ(task.bias, single.model.tasks[0].bias);
    EXPECT_EQ(task.primal, single.model.certificate.primal);
    const Matrix own = predict(single.model, data, {}).decision;
    for (Index i = 0; i < 60; ++i) EXPECT_NEAR(decision(i, k), own(i, 0), 1e-9);
    EXPECT_TRUE(verify(single.model, alone(data, k, k % 2 == 0), {}).agrees);
  }
}

TEST(NumberTargets, OnFixedWeightsAreRidgeRegressions) {
  const Index n = 50;
  const Dataset source = toy_targets(n, 72);
  Eigen::MatrixXd K(n, n);
  Matrix gram(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const ConstSpan x = source.table.values.row(i);
      const ConstSpan z = source.table.values.row(j);
      gram(i, j) = K(i, j) =
          std::exp(-0.05 * std::pow(x[0] - z[0], 2)) + std::exp(-0.02 * std::pow(x[1] - z[1], 2));
    }
  }
  Dataset data;
  data.table.targets = source.table.targets;
  data.matrices = {{"K", KernelInput::gram, gram}};
  for (const char* coupling : {"sum", "separate"}) {
    TrainOptions options = options_for(coupling);
    options.kernels = {"precomputed"};
    options.normalization = parse_normalization("none");
    options.regularizer = "average";
    options.solver.tolerance = 1e-10;
    const Model model = train(data, options, {}).model;
    Eigen::MatrixXd system = Eigen::MatrixXd::Ones(n + 1, n + 1);
    system.topLeftCorner(n, n) = K + Eigen::MatrixXd::Identity(n, n) / cost_of(options);
    system(n, n) = 0.0;
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n + 1, 3);
    for (Index i = 0; i < n; ++i) {
      for (Index t = 0; t < 3; ++t) right(i, t) = data.table.targets.values(i, t);
    }
    const Eigen::MatrixXd answer = system.fullPivLu().solve(right);
    const Matrix decision = predict(model, data, {}).decision;
    for (Index t = 0; t < 3; ++t) {
      const Eigen::VectorXd expected = (K * answer.col(t).head(n)).array() + answer(n, t);
      for (Index i = 0; i < n; ++i) EXPECT_NEAR(decision(i, t), expected[i], 1e-5) << coupling;
    }
  }
}

TEST(NumberTargets, EveryLossOfNumbersIsCertifiedInEveryForm) {
  const Dataset data = toy_targets(40, 73);
  for (const LossInfo& loss : losses()) {
    if (loss_target(parse_loss(loss.example)) != Target::numbers) continue;
    for (const char* coupling : {"sum", "minimax", "separate"}) {
      SCOPED_TRACE(loss.example + std::string(", ") + coupling);
      TrainOptions options = options_for(coupling);
      options.loss = loss.example;
      if (!takes_cost(parse_loss(loss.example))) options.C = 1.0;
      const TrainResult result = train(data, options, {});
      EXPECT_EQ(result.status, Status::converged);
      const Model model = decode_model(encode_model(result.model));
      EXPECT_TRUE(verify(model, data, {}).agrees);
      const Prediction prediction = predict(model, data, {});
      EXPECT_EQ(prediction.decision.cols, 3);
      EXPECT_TRUE(prediction.winner.empty());
      EXPECT_TRUE(prediction.has_label.empty());
      EXPECT_EQ(prediction.probability.rows, 0);
    }
  }
}

TEST(NumberTargets, TheOrderOfColumnsAndRowsMayDifferWhereTheyAreVerified) {
  const Dataset data = toy_targets(50, 74);
  const Model model = train(data, options_for("sum"), {}).model;
  std::vector<Index> order;
  for (Index i = 0; i < 50; ++i) order.push_back((i * 7) % 50);
  Dataset other = rows_of(data, order);
  other.table.targets.names = {"wave", "extra", "sum", "product"};
  other.table.targets.values = Matrix(50, 4);
  for (Index i = 0; i < 50; ++i) {
    const ConstSpan own = data.table.targets.values.row(order[static_cast<std::size_t>(i)]);
    other.table.targets.values(i, 0) = own[2];
    other.table.targets.values(i, 2) = own[0];
    other.table.targets.values(i, 3) = own[1];
  }
  EXPECT_TRUE(verify(model, other, {}).agrees);
  std::swap(other.table.targets.values(3, 0), other.table.targets.values(4, 0));
  EXPECT_FALSE(verify(model, other, {}).same_data);
}

TEST(NumberTargets, OneWithANameIsATaskOfItsOwnName) {
  Dataset data = toy_targets(40, 75);
  data.table.targets = alone(data, 1, false).table.targets;
  data.table.targets.names = {"product"};
  const Model model = decode_model(encode_model(train(data, options_for("sum"), {}).model));
  EXPECT_EQ(model.scheme, TaskScheme::targets);
  EXPECT_EQ(model.tasks.front().name, "product");
  EXPECT_TRUE(verify(model, data, {}).agrees);
}

}  // namespace
}  // namespace kernmix::testing
