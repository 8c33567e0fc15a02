/// \file
/// What training would have given, had it ended sooner.

#include <gtest/gtest.h>

#include <algorithm>

#include "kernmix/error.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_tasks.hpp"
#include "weights/snapshots.hpp"

namespace kernmix::testing {
namespace {

struct Traced {
  TrainResult result;
  std::vector<TrainingSnapshot> moments;
};

Traced traced(const Dataset& data, TrainOptions options) {
  Traced run;
  options.trace = [&](const TrainingSnapshot& moment) { run.moments.push_back(moment); };
  run.result = train(data, options, {});
  return run;
}

TEST(Trace, ModelsOfMomentsPredictAndTheLastIsTheModel) {
  for (const SchemeCase& c : scheme_cases()) {
    if (c.sharing == "separate") continue;
    const Dataset data = data_for(c.scheme, 70, 51);
    const TrainOptions options = toy_task_options(c.sharing, c.scheme);
    const Traced run = traced(data, options);
    const Model& model = run.result.model;
    ASSERT_EQ(run.moments.size(), run.result.history.size() + 1) << name_of(c);
    EXPECT_EQ(encode_model(run.moments.back().model), encode_model(model));
    EXPECT_EQ(encode_model(train(data, options, {}).model), encode_model(model));
    for (std::size_t t = 0; t + 1 < run.moments.size(); ++t) {
      const TrainingSnapshot& moment = run.moments[t];
      EXPECT_EQ(moment.seconds, run.result.history[t].seconds);
      EXPECT_EQ(moment.svm_solves, run.result.history[t].svm_solves);
      EXPECT_EQ(moment.model.weights.values, run.result.history[t].weights);
      EXPECT_EQ(predict(moment.model, data, {}).decision.rows, 70);
    }
  }
}

/// The dual vectors of the last iteration are those of the answer but for a last training of every
/// task, and so are the predictions.
TEST(Trace, TheLastIterationPredictsAsTheModelDoes) {
  for (const TaskScheme scheme : {TaskScheme::one_vs_rest, TaskScheme::joint}) {
    const Dataset data = toy_classes(70, 3, 52);
    TrainOptions options = toy_task_options("sum", scheme);
    options.solver.tolerance = 1e-6;
    const Traced run = traced(data, options);
    const Matrix now = predict(run.result.model, data, {}).decision;
    const Matrix then = predict(run.moments[run.moments.size() - 2].model, data, {}).decision;
    for (std::size_t e = 0; e < now.values.size(); ++e) {
      EXPECT_NEAR(then.values[e], now.values[e], 0.02) << scheme_name(scheme);
    }
  }
}

TEST(Trace, WeightsOfTheHistoryEndWithThoseOfTheModel) {
  for (const SchemeCase& c : scheme_cases()) {
    const Dataset data = data_for(c.scheme, 60, 53);
    const TrainResult result = train(data, toy_task_options(c.sharing, c.scheme), Context());
    const Vector& last = result.history.back().weights;
    if (c.sharing == "separate") {
      EXPECT_TRUE(last.empty());
    } else {
      EXPECT_EQ(last, result.model.weights.values) << name_of(c);
    }
  }
}

TEST(Trace, SeparateTasksHaveNone) {
  TrainOptions options = toy_task_options("separate");
  options.trace = [](const TrainingSnapshot&) {};
  try {
    (void)train(toy_classes(40, 3, 54), options, {});
    FAIL();
  } catch (const ParameterError& failure) {
    EXPECT_STREQ(failure.what(),
                 "a trace needs shared weights; separate tasks are trained one after the other");
  }
}

TEST(Trace, TheMemoryOfItsMomentsIsPlanned) {
  const Dataset data = toy_classes(400, 4, 55);
  for (const TaskScheme scheme : {TaskScheme::one_vs_rest, TaskScheme::joint}) {
    TrainOptions options = toy_task_options("sum", scheme);
    options.kernels = {"rbf(gamma=2^-3..2^-2) on a"};
    const std::size_t without = train(data, options, {}).plan.total();
    const std::size_t with = traced(data, options).result.plan.total();
    EXPECT_GE(with, without + 50U * 4U * 400U * sizeof(double));
  }
}

TEST(Snapshots, AreEvenlySpreadHoweverLongTheRun) {
  for (const Index steps : {1, 7, 8, 9, 100, 1000}) {
    Snapshots moments(8);
    for (Index t = 0; t < steps; ++t) {
      if (moments.next()) moments.keep({static_cast<double>(t), t, {}, {}});
    }
    const std::vector<Snapshot> kept = moments.take();
    EXPECT_LE(length(kept), 8);
    EXPECT_GE(length(kept), std::min<Index>(steps, 5));
    const Index stride = kept.size() > 1 ? kept[1].svm_solves : 1;
    for (Index k = 0; k < length(kept); ++k) {
      EXPECT_EQ(kept[static_cast<std::size_t>(k)].svm_solves, k * stride) << steps;
    }
    EXPECT_LT(steps - 1 - kept.back().svm_solves, stride);
  }
  Snapshots none(0);
  EXPECT_FALSE(none.next());
}

}  // namespace
}  // namespace kernmix::testing
