/// \file
/// Models of classes that are trained together.

#include <gtest/gtest.h>

#include <numeric>

#include "altered_container.hpp"
#include "kernmix/error.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

TrainOptions joint_options(double tolerance) {
  TrainOptions options = toy_task_options("sum", TaskScheme::joint);
  options.solver.tolerance = tolerance;
  return options;
}

TEST(TrainJoint, TasksAreTheColumnsOfOneDualMatrix) {
  const Dataset data = toy_classes(80, 4, 41);
  TrainOptions options = joint_options(1e-4);
  options.class_weights = {{"c2", 2.0}};
  const Model model = train(data, options, {}).model;
  EXPECT_EQ(model.coupling, "joint");
  EXPECT_EQ(model.weights.rows, 1);
  Matrix A(80, 4);
  double biases = 0.0;
  for (Index u = 0; u < 4; ++u) {
    const TaskModel& task = model.tasks[static_cast<std::size_t>(u)];
    EXPECT_EQ(task.name, model.names[static_cast<std::size_t>(u)]);
    EXPECT_EQ(task.primal, 0.0);
    EXPECT_EQ(task.gap, 0.0);
    biases += task.bias;
    for (std::size_t s = 0; s < task.support.size(); ++s) {
      A(model.support[static_cast<std::size_t>(task.support[s])], u) = task.coefficients[s];
    }
  }
  EXPECT_NEAR(biases, 0.0, 1e-9);
  for (Index i = 0; i < 80; ++i) {
    const std::string& label = data.table.labels[static_cast<std::size_t>(i)];
    const double C = cost_of(options) * (label == "c2" ? 2.0 : 1.0);
    const ConstSpan row = A.row(i);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 0.0, 1e-12 * C);
    for (Index u = 0; u < 4; ++u) {
      EXPECT_LE(A(i, u), model.names[static_cast<std::size_t>(u)] == label ? C : 0.0);
    }
  }
}

/// The loss by its name is the same problem, to the last bit, with its scheme implied.
TEST(TrainJoint, IsTheLossOfCrammerAndSingerByName) {
  const Dataset data = toy_classes(80, 4, 41);
  TrainOptions options = joint_options(1e-4);
  const Model model = train(data, options, {}).model;
  options.scheme.reset();
  options.loss = "crammer-singer";
  Model named = train(data, options, {}).model;
  EXPECT_EQ(named.scheme, TaskScheme::joint);
  EXPECT_EQ(named.settings.loss, "crammer-singer");
  EXPECT_TRUE(verify(decode_model(encode_model(named)), data, {}).agrees);
  named.settings.loss = model.settings.loss;
  EXPECT_EQ(encode_model(named), encode_model(model));
}

/// docs/explanation/joint.md: two classes at C are half the problem of the binary hinge at 2 C.
TEST(TrainJoint, TwoClassesAreTheBinaryMachineAtTwiceTheCost) {
  const Dataset data = toy_data(60, 42);
  TrainOptions binary = toy_options();
  binary.solver.tolerance = 1e-7;
  binary.C = 2.0 * cost_of(binary);
  const Model alone = train(data, binary, {}).model;
  const Model model = train(data, joint_options(1e-7), {}).model;
  EXPECT_NEAR(model.certificate.primal, 0.5 * alone.certificate.primal,
              2e-7 * alone.certificate.primal);
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    EXPECT_NEAR(model.kernels[m].weight, alone.kernels[m].weight, 2e-3);
  }
  const Matrix decision = predict(model, data, {}).decision;
  const Vector wanted = predict(alone, data, {}).decision.values;
  for (Index i = 0; i < 60; ++i) {
    EXPECT_NEAR(decision(i, 1) - decision(i, 0), wanted[static_cast<std::size_t>(i)], 0.02);
  }
}

TEST(TrainJoint, AveragesAndBiasesThatAreNone) {
  const Dataset data = toy_classes(70, 3, 43);
  for (const char* regularizer : {"average", "lp:p=2", "elastic-net:l1=0.5,l2=0.5"}) {
    TrainOptions options = joint_options(1e-4);
    options.regularizer = regularizer;
    options.bias = Bias::none;
    const TrainResult result = train(data, options, {});
    EXPECT_EQ(result.status, Status::converged) << regularizer;
    for (const TaskModel& task : result.model.tasks) EXPECT_EQ(task.bias, 0.0);
    EXPECT_TRUE(verify(result.model, data, {}).agrees) << regularizer;
  }
}

TEST(TrainJoint, AlteredDualVectorsNoLongerVerify) {
  const Dataset data = toy_classes(60, 3, 44);
  Model model = train(data, joint_options(1e-3), {}).model;
  model.tasks[0].coefficients[0] *= 0.5;
  EXPECT_EQ(failing(verify(model, data, {})), "dual");
  for (double& value : model.tasks[0].coefficients) value = 0.0;
  for (double& value : model.tasks[1].coefficients) value = 0.0;
  for (double& value : model.tasks[2].coefficients) value = 0.0;
  EXPECT_FALSE(verify(model, data, {}).agrees);
}

}  // namespace
}  // namespace kernmix::testing
