/// \file
/// Many models of one training set: what each must agree with when it is trained alone.

#include "kernmix/training.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernmix/error.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

TrainOptions with_regularizer(TrainOptions options, const std::string& regularizer, double C) {
  options.regularizer = regularizer;
  options.C = C;
  options.solver.tolerance = 1e-6;
  return options;
}

/// Two answers to one problem, each proven: their bounds must overlap.
void expect_same_optimum(const Bounds& left, const Bounds& right) {
  const double rounding = 1e-9 * left.size();
  EXPECT_LE(left.dual, right.primal + rounding);
  EXPECT_LE(right.dual, left.primal + rounding);
}

TEST(Training, GivesTheFirstModelTheBitsOfTrain) {
  const Dataset data = toy_data(80, 3);
  const TrainOptions options = toy_options();
  Training training(data);
  EXPECT_EQ(encode_model(training.fit(options, {}).model),
            encode_model(train(data, options, {}).model));
}

TEST(Training, ReachesTheOptimumOfEveryProblemOnOneSetOfKernels) {
  for (const SchemeCase& c : scheme_cases()) {
    const Dataset data = data_for(c.scheme, 90, 1);
    TrainOptions options = toy_task_options(c.sharing, c.scheme);
    options.normalization = parse_normalization("trace");
    Training training(data);
    for (const char* regularizer : {"l1", "lp:p=1.5", "lp:p=3"}) {
      for (const double C : {0.5, 5.0}) {
        if (c.scheme == TaskScheme::joint && std::string(regularizer) == "lp:p=3") continue;
        const TrainOptions own = with_regularizer(options, regularizer, C);
        const TrainResult shared = training.fit(own, {});
        const TrainResult alone = train(data, own, {});
        const std::string where = name_of(c) + " " + regularizer;
        EXPECT_EQ(shared.status, alone.status) << where;
        expect_same_optimum(shared.model.certificate, alone.model.certificate);
        EXPECT_TRUE(verify(shared.model, data, {}).agrees) << where;
      }
    }
    EXPECT_LE(training.reuse().kernel_builds, 2) << name_of(c);
    EXPECT_EQ(training.reuse().warm_starts, training.reuse().models - 1) << name_of(c);
  }
}

/// Kernels in memory may be rounded to single precision, which moves each bound by 1e-7 of a sum
/// over kernels and samples; a hundred times that is allowed.
TEST(Training, ModelsForScoresSolveTheSameProblems) {
  for (const SchemeCase& c : scheme_cases()) {
    const Dataset data = data_for(c.scheme, 90, 1);
    Training training(data);
    for (const char* regularizer : {"l1", "lp:p=1.5", "average"}) {
      TrainOptions own = toy_task_options(c.sharing, c.scheme);
      own.regularizer = regularizer;
      const TrainResult found = training.fit_for_score(own, {});
      const Bounds proven = train(data, own, {}).model.certificate;
      const Bounds claimed = found.model.certificate;
      const std::string where = name_of(c) + " " + regularizer;
      EXPECT_EQ(found.status, Status::converged) << where;
      EXPECT_LE(claimed.relative_gap(), own.solver.tolerance) << where;
      EXPECT_LE(claimed.dual, proven.primal + 1e-5 * proven.size()) << where;
      EXPECT_LE(proven.dual, claimed.primal + 1e-5 * proven.size()) << where;
      EXPECT_TRUE(found.warnings.empty()) << where;
      EXPECT_EQ(predict(found.model, data, {}).decision.rows, 90) << where;
    }
  }
}

TEST(Training, ComputesKernelsOnceForOneTolerance) {
  const Dataset data = toy_data(80, 3);
  Training training(data);
  TrainOptions options = toy_options();
  for (const double C : {0.1, 1.0, 10.0}) {
    options.C = C;
    const TrainResult result = training.fit(options, {});
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_EQ(result.seconds.kernels > 0.0, C == 0.1);
  }
  EXPECT_EQ(training.reuse().kernel_builds, 1);
  EXPECT_GT(training.reuse().saved_seconds, training.reuse().kernel_seconds);
  options.solver.tolerance = 1e-7;  // asks for double precision
  EXPECT_EQ(training.fit(options, {}).status, Status::converged);
  EXPECT_EQ(training.reuse().kernel_builds, 2);
  options.solver.tolerance = 1e-3;  // for which that does as well
  static_cast<void>(training.fit(options, {}));
  EXPECT_EQ(training.reuse().kernel_builds, 2);
}

TEST(Training, ComputesOtherKernelsWhereTheyAreAskedFor) {
  const Dataset data = toy_data(60, 3);
  Training training(data);
  TrainOptions options = toy_options();
  static_cast<void>(training.fit(options, {}));
  options.scaling = ScalingRule::minmax;
  static_cast<void>(training.fit(options, {}));
  options.kernels = {"linear on a"};
  const TrainResult third = training.fit(options, {});
  EXPECT_EQ(training.reuse().kernel_builds, 3);
  EXPECT_EQ(training.reuse().warm_starts, 0);
  EXPECT_EQ(encode_model(third.model), encode_model(train(data, options, {}).model));
}

TEST(Training, ServesLossesOfDistancesAndOthersInTurn) {
  Dataset data = toy_data(60, 3);
  data.table.labels.clear();
  Training training(data);
  TrainOptions options = toy_options();
  options.kernels = {"rbf(gamma=2^-4..2^0) on a|b"};
  for (const char* loss : {"svdd:nu=0.2", "one-class:nu=0.2", "svdd:nu=0.3"}) {
    options.loss = loss;
    options.C = 1.0;
    const TrainResult shared = training.fit(options, {});
    EXPECT_EQ(shared.status, Status::converged) << loss;
    expect_same_optimum(shared.model.certificate, train(data, options, {}).model.certificate);
  }
}

TEST(Training, TheSameModelsInTheSameOrderHaveTheSameBits) {
  const Dataset data = toy_classes(90, 3, 1);
  std::vector<std::string> first;
  for (const int threads : {1, 3}) {
    Context context;
    context.threads = threads;
    Training training(data);
    std::vector<std::string> models;
    for (const double C : {0.5, 5.0, 1.0}) {
      const TrainOptions options = with_regularizer(toy_task_options("sum"), "lp:p=2", C);
      models.push_back(encode_model(training.fit(options, context).model));
    }
    if (first.empty()) first = models;
    EXPECT_EQ(models, first);
  }
}

TEST(Training, RefusesBeforeAnythingIsComputedAndGoesOn) {
  const Dataset data = toy_data(60, 3);
  Training training(data);
  TrainOptions options = toy_options();
  options.C = -1.0;
  EXPECT_THROW(static_cast<void>(training.fit(options, {})), ParameterError);
  EXPECT_EQ(training.reuse().models, 0);
  options.C = 1.0;
  EXPECT_EQ(training.fit(options, {}).status, Status::converged);
}

/// Exact kernels beside the stored ones are a comfort: they go where a run has no room for them.
TEST(Training, KeepsToTheMemoryOfEachRun) {
  const Dataset data = toy_data(150, 3);
  const TrainOptions options = toy_options();
  Context enough;
  enough.memory_bytes = train(data, options, {}).plan.total() + 1000;
  Training training(data);
  EXPECT_EQ(training.fit(options, {}).status, Status::converged);
  std::string log;
  enough.log = [&](std::string_view sentence) { log += sentence; };
  const TrainResult small = training.fit(options, enough);
  EXPECT_EQ(small.status, Status::converged);
  EXPECT_LE(small.plan.total(), enough.memory_bytes);
  EXPECT_NE(log.find("exact kernels are removed from memory"), std::string::npos) << log;
  enough.memory_bytes = 1000;
  EXPECT_THROW(static_cast<void>(training.fit(options, enough)), ResourceError);
}

}  // namespace
}  // namespace kernmix::testing
