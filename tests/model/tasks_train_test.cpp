/// \file
/// Training of many tasks: what it must agree with, whatever scheme and sharing.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "kernmix/bank/build.hpp"
#include "model/file/model_container.hpp"
#include "model/pipeline.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

Model reloaded(const Model& model) { return decode_model(encode_model(model)); }

/// sum_m d_mk K_m a_k + b_k on the training data, from kernels built anew: n x tasks.
Matrix direct_decisions(const Dataset& data, const Model& model) {
  std::vector<KernelDescription> kernels;
  for (const ModelKernel& kernel : model.kernels) kernels.push_back(kernel.description);
  const auto built = training_kernels(data.table, data.matrices, kernels, model.views,
                                      MissingRule::refuse, {}, model.sample_weights, {});
  const auto bank = exact_bank(built.sources);
  Matrix decisions(bank->samples(), length(model.tasks));
  for (Index k = 0; k < decisions.cols; ++k) {
    const TaskModel& task = model.tasks[static_cast<std::size_t>(k)];
    Vector a(static_cast<std::size_t>(bank->samples()), 0.0);
    for (std::size_t s = 0; s < task.support.size(); ++s) {
      const Index row = model.support[static_cast<std::size_t>(task.support[s])];
      a[static_cast<std::size_t>(row)] = task.coefficients[s];
    }
    const Vector z = combined_product(*bank, model.task_weights(k), a, {});
    for (Index i = 0; i < decisions.rows; ++i) {
      decisions(i, k) = z[static_cast<std::size_t>(i)] + task.bias;
    }
  }
  return decisions;
}

void expect_near(const Vector& left, const Vector& right, double within) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], right[i], within) << i;
}

TEST(TrainTasks, CertifiesAndPredictsAndVerifiesEverySchemeAndSharing) {
  for (const SchemeCase& c : scheme_cases()) {
    const Dataset data = data_for(c.scheme, 90, 1);
    const TrainResult result = train(data, toy_task_options(c.sharing, c.scheme), Context());
    EXPECT_EQ(result.status, Status::converged) << name_of(c);
    EXPECT_LE(result.model.certificate.relative_gap(), 1e-3) << name_of(c);
    EXPECT_EQ(result.model.scheme, c.scheme);
    EXPECT_FALSE(result.history.empty());
    EXPECT_GT(result.svm_solves, 0);
    const Model model = reloaded(result.model);
    const Matrix decisions = predict(model, data, {}).task_decision;
    expect_near(decisions.values, direct_decisions(data, model).values, 1e-10);
    const Verification check = verify(model, data, {});
    EXPECT_TRUE(check.agrees) << name_of(c) << " " << check.difference;
    EXPECT_EQ(check.difference, 0.0) << name_of(c);
  }
}

TEST(TrainTasks, TheDataDecideWhereNoSchemeIsAsked) {
  const auto scheme = [](const Dataset& data, const TrainOptions& options) {
    const TaskScheme chosen = training_scheme(data.table, options);
    EXPECT_EQ(train(data, options, {}).model.scheme, chosen);
    return chosen;
  };
  TrainOptions options = toy_options();
  EXPECT_EQ(scheme(toy_data(40, 14), options), TaskScheme::single);
  EXPECT_EQ(scheme(toy_classes(40, 3, 14), options), TaskScheme::one_vs_rest);
  EXPECT_EQ(scheme(toy_labels(40, 14), options), TaskScheme::labels);
  options.coupling = "minimax";
  EXPECT_EQ(scheme(toy_data(40, 14), options), TaskScheme::one_vs_rest);
}

TEST(TrainTasks, CentredKernelsAndWeightsOfClassesAndSamples) {
  for (const SchemeCase& c : scheme_cases()) {
    const Dataset data = data_for(c.scheme, 60, 2);
    TrainOptions options = toy_task_options(c.sharing, c.scheme);
    options.normalization = parse_normalization("center+trace");
    options.sample_weights.assign(60, 1.0);
    options.sample_weights[7] = 3.0;
    if (has_classes(c.scheme)) options.class_weights = {{"c1", 2.0}};
    const Model model = reloaded(train(data, options, {}).model);
    expect_near(predict(model, data, {}).task_decision.values, direct_decisions(data, model).values,
                1e-10);
    EXPECT_TRUE(verify(model, data, {}).agrees) << name_of(c);
  }
}

TEST(TrainTasks, SeparateTasksAreThoseOfBinaryTraining) {
  const Dataset data = toy_classes(80, 3, 3);
  const TrainOptions options = toy_task_options("separate");
  const Model model = train(data, options, {}).model;
  for (Index k = 0; k < 3; ++k) {
    Dataset binary = data;
    for (std::string& label : binary.table.labels) {
      label = label == fmt::format("c{}", k) ? "yes" : "no";
    }
    TrainOptions alone = options;
    alone.scheme = TaskScheme::single;
    alone.coupling = "sum";
    alone.positive = "yes";
    const TrainResult result = train(binary, alone, {});
    const ConstSpan weights = model.task_weights(k);
    EXPECT_EQ(Vector(weights.begin(), weights.end()), result.model.weights.values);
    const TaskModel& task = model.tasks[static_cast<std::size_t>(k)];
    EXPECT_EQ(task.coefficients, result.model.tasks[0].coefficients);
    EXPECT_EQ(task.bias, result.model.tasks[0].bias);
    EXPECT_EQ(task.primal, result.model.certificate.primal);
  }
}

TEST(TrainTasks, SeparatePairsWithFullKernelsAreThoseOfBinaryTraining) {
  const Dataset data = toy_classes(80, 3, 4);
  TrainOptions options = toy_task_options("separate", TaskScheme::one_vs_one);
  options.normalization = parse_normalization("none");
  options.scaling = ScalingRule::none;
  options.kernels = {"rbf(gamma=2^-4..2^0) on a"};
  const Model model = train(data, options, {}).model;
  ASSERT_EQ(model.tasks.size(), 3U);
  std::vector<Index> pair;
  for (Index i = 0; i < 80; ++i) {
    if (data.table.labels[static_cast<std::size_t>(i)] != "c1") pair.push_back(i);
  }
  TrainOptions alone = options;
  alone.scheme = TaskScheme::single;
  alone.coupling = "sum";
  alone.positive = "c0";
  const Model binary = train(rows_of(data, pair), alone, {}).model;
  const TaskModel& task = model.tasks[1];
  EXPECT_EQ(task.name, "c0 vs c2");
  EXPECT_EQ(task.positive, 0);
  EXPECT_EQ(task.negative, 2);
  EXPECT_NEAR(task.primal, binary.certificate.primal, 1e-9 * binary.certificate.primal);
  expect_near(task.coefficients, binary.tasks[0].coefficients, 1e-9);
}

TEST(TrainTasks, TwoClassesHaveTheWeightsOfTheBinaryMachine) {
  const Dataset data = toy_data(60, 5);
  TrainOptions binary = toy_options();
  binary.solver.tolerance = 1e-7;
  const Model alone = train(data, binary, {}).model;
  for (const char* sharing : {"sum", "minimax"}) {
    TrainOptions options = toy_task_options(sharing);
    options.solver.tolerance = 1e-7;
    const Model model = train(data, options, {}).model;
    ASSERT_EQ(model.tasks.size(), 2U);
    for (std::size_t m = 0; m < model.kernels.size(); ++m) {
      EXPECT_NEAR(model.kernels[m].weight, alone.kernels[m].weight, 2e-3) << sharing;
    }
    const double T = std::string(sharing) == "sum" ? 2.0 : 1.0;
    EXPECT_NEAR(model.certificate.primal, T * alone.certificate.primal,
                1e-6 * alone.certificate.primal);
    const Prediction prediction = predict(model, data, {});
    const Vector decision = predict(alone, data, {}).decision.values;
    for (Index i = 0; i < 60; ++i) {
      EXPECT_NEAR(prediction.decision(i, 1), decision[static_cast<std::size_t>(i)], 0.02);
    }
  }
  const Model pair = train(data, toy_task_options("sum", TaskScheme::one_vs_one), {}).model;
  EXPECT_EQ(pair.tasks.size(), 1U);
  const Prediction prediction = predict(pair, data, {});
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(prediction.winner[i] == 0, prediction.task_decision.values[i] >= 0.0);
  }
}

TEST(TrainTasks, CopiesOfOneLabelHaveItsWeights) {
  Dataset data = toy_labels(70, 6);
  MultiLabels& labels = data.table.multi_labels;
  for (std::size_t i = 0; i < labels.values.size(); i += 3) {
    labels.values[i + 1] = labels.values[i + 2] = labels.values[i];
  }
  Dataset one = data;
  one.table.multi_labels = {};
  for (Index i = 0; i < 70; ++i) one.table.labels.push_back(labels.has(i, 0) ? "yes" : "no");
  TrainOptions binary = toy_options();
  binary.solver.tolerance = 1e-7;
  const Model alone = train(one, binary, {}).model;
  for (const char* sharing : {"sum", "minimax"}) {
    TrainOptions options = toy_task_options(sharing);
    options.solver.tolerance = 1e-7;
    const Model model = train(data, options, {}).model;
    EXPECT_EQ(model.scheme, TaskScheme::labels);
    for (std::size_t m = 0; m < model.kernels.size(); ++m) {
      EXPECT_NEAR(model.kernels[m].weight, alone.kernels[m].weight, 2e-3) << sharing;
    }
  }
}

TEST(TrainTasks, SameBytesForAnyNumberOfThreads) {
  for (const SchemeCase& c : scheme_cases()) {
    const Dataset data = data_for(c.scheme, 70, 7);
    TrainOptions options = toy_task_options(c.sharing, c.scheme);
    if (c.scheme == TaskScheme::labels) options.threshold_folds = 3;
    Context context;
    const std::string one = encode_model(train(data, options, context).model);
    const Model model = decode_model(one);
    const Vector decision = predict(model, data, context).decision.values;
    context.threads = 3;
    EXPECT_EQ(encode_model(train(data, options, context).model), one) << name_of(c);
    EXPECT_EQ(predict(model, data, context).decision.values, decision) << name_of(c);
  }
}

TEST(TrainTasks, TightTolerancesHoldOnTheExactKernels) {
  for (const SchemeCase& c : scheme_cases()) {
    if (c.scheme == TaskScheme::one_vs_one || !has_classes(c.scheme)) continue;
    TrainOptions options = toy_task_options(c.sharing, c.scheme);
    options.solver.tolerance = 1e-6;
    const TrainResult result = train(toy_classes(60, 3, 8), options, {});
    EXPECT_EQ(result.status, Status::converged) << name_of(c);
    EXPECT_LE(result.model.certificate.relative_gap(), 1e-6) << name_of(c);
  }
}

TEST(TrainTasks, WeightsThatAreFixedConvergeInEveryForm) {
  for (const SchemeCase& c : scheme_cases()) {
    TrainOptions options = toy_task_options(c.sharing, c.scheme);
    options.regularizer = "average";
    options.solver.tolerance = 1e-5;
    const Dataset data = data_for(c.scheme, 60, 13);
    const TrainResult result = train(data, options, {});
    EXPECT_EQ(result.status, Status::converged) << name_of(c);
    EXPECT_TRUE(verify(result.model, data, {}).agrees) << name_of(c);
  }
}

TEST(TrainTasks, AnInterruptedRunStillReturnsCertifiedAnswers) {
  for (const SchemeCase& c : scheme_cases()) {
    const Dataset data = data_for(c.scheme, 60, 9);
    Context context;
    std::atomic<bool> stop = false;
    context.cancelled = &stop;
    context.progress = [&](const Progress& moment) {
      if (moment.stage == "solve") stop = true;
    };
    TrainOptions options = toy_task_options(c.sharing, c.scheme);
    options.solver.tolerance = 1e-9;
    const TrainResult result = train(data, options, context);
    EXPECT_EQ(result.status, Status::interrupted) << name_of(c);
    EXPECT_GT(result.model.certificate.gap, 0.0) << name_of(c);
    EXPECT_TRUE(verify(result.model, data, {}).agrees) << name_of(c);
  }
}

TEST(TrainTasks, TwoStageWeightsAreThoseOfEachTask) {
  const Dataset data = toy_classes(60, 3, 10);
  for (const char* regularizer : {"alignment", "alignf"}) {
    TrainOptions options = toy_task_options("separate");
    options.regularizer = regularizer;
    const Model model = reloaded(train(data, options, {}).model);
    EXPECT_TRUE(verify(model, data, {}).agrees) << regularizer;
    const ConstSpan first = model.task_weights(0);
    EXPECT_FALSE(std::ranges::equal(first, model.task_weights(1)));
  }
}

TEST(TrainTasks, ProofsOfCuttingPlanesAreKept) {
  const Dataset data = toy_classes(80, 3, 11);
  TrainOptions options = toy_task_options("minimax");
  options.solver.solver = "lazy-bundle";
  options.solver.tolerance = 1e-4;
  Model model = reloaded(train(data, options, {}).model);
  ASSERT_FALSE(model.tasks[0].witness.empty() && model.tasks[1].witness.empty());
  EXPECT_TRUE(verify(model, data, {}).agrees);
  for (TaskModel& task : model.tasks) task.witness.clear();
  EXPECT_FALSE(verify(model, data, {}).agrees);
}

/// Task weights of a sum are 1 in the model, whatever rounding makes of the multipliers of cuts.
TEST(TrainTasks, SumsOfCuttingPlanesCanBeSaved) {
  for (const double C : {0.1, 1.0, 10.0}) {
    TrainOptions options = toy_task_options("sum");
    options.solver.solver = "lazy-bundle";
    options.C = C;
    const Model model = train(toy_classes(80, 3, 21), options, {}).model;
    EXPECT_NO_THROW(check_model(model)) << C;
    EXPECT_EQ(model.gamma, Vector(3, 1.0));
  }
}

TEST(VerifyTasks, SeesDualVariablesOfSamplesThatATaskDoesNotHave) {
  const Dataset data = toy_classes(60, 3, 13);
  Model model = train(data, toy_task_options("separate", TaskScheme::one_vs_one), {}).model;
  ASSERT_TRUE(verify(model, data, {}).agrees);
  TaskModel& task = model.tasks[0];  // c0 against c1
  Index other = 0;
  while (
      data.table.labels[static_cast<std::size_t>(model.support[static_cast<std::size_t>(other)])] !=
          "c2" ||
      std::ranges::binary_search(task.support, other)) {
    ++other;
  }
  const auto place = std::ranges::lower_bound(task.support, other) - task.support.begin();
  task.support.insert(task.support.begin() + place, other);
  task.coefficients.insert(task.coefficients.begin() + place, 50.0);
  if (!task.witness.empty()) task.witness.insert(task.witness.begin() + place, 0.0);
  EXPECT_FALSE(verify(model, data, {}).agrees);
}

TEST(VerifyTasks, SeesOtherDataAndOtherModels) {
  const Dataset data = toy_classes(60, 3, 12);
  const Model model = train(data, toy_task_options(), {}).model;
  Dataset value = data;
  value.table.values(59, 0) = std::nextafter(value.table.values(59, 0), 100.0);
  EXPECT_FALSE(verify(model, value, {}).same_data);
  Dataset label = data;
  std::swap(label.table.labels[0], label.table.labels[1]);
  EXPECT_FALSE(verify(model, label, {}).same_data);
  Model altered = model;
  altered.tasks[1].coefficients[0] *= 0.5;
  EXPECT_TRUE(verify(altered, data, {}).same_data);
  EXPECT_FALSE(verify(altered, data, {}).agrees);
  std::vector<Index> backwards(60);
  std::iota(backwards.rbegin(), backwards.rend(), Index{0});
  EXPECT_TRUE(verify(model, rows_of(data, backwards), {}).agrees);
}

}  // namespace
}  // namespace kernmix::testing
