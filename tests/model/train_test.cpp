#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "altered_container.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "model/file/model_container.hpp"
#include "model/pipeline.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

/// The same model after a journey through the file format.
Model reloaded(const Model& model) { return decode_model(encode_model(model)); }

/// K(d) a + b on the training data, from kernels built anew.
Vector training_decision(const Dataset& data, const TrainResult& result) {
  std::vector<KernelDescription> kernels;
  for (const ModelKernel& kernel : result.model.kernels) kernels.push_back(kernel.description);
  const auto built = training_kernels(data.table, data.matrices, kernels, result.model.views,
                                      MissingRule::refuse, {}, result.model.sample_weights, {});
  const auto bank = exact_bank(built.sources);
  Vector z = combined_product(*bank, result.model.weights.values, dual_vector(result.model), {});
  for (double& value : z) value += result.model.tasks[0].bias;
  return z;
}

double largest_difference(const Vector& left, const Vector& right) {
  double largest = 0.0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    largest = std::max(largest, std::abs(left[i] - right[i]));
  }
  return left.size() == right.size() ? largest : INFINITY;
}

TEST(Train, CertifiesItsAnswerAndPredictsItsTrainingDecision) {
  const Dataset data = toy_data(60, 1);
  for (const char* regularizer : {"l1", "lp:p=2", "average", "sum"}) {
    for (const char* rule : {"trace", "unit-trace", "none", "center+trace", "cosine"}) {
      TrainOptions options = toy_options();
      options.regularizer = regularizer;
      options.normalization = parse_normalization(rule);
      const TrainResult result = train(data, options, {});
      EXPECT_EQ(result.status, Status::converged) << regularizer << " " << rule;
      EXPECT_LE(result.model.certificate.relative_gap(), 1e-3);
      const Prediction prediction = predict(reloaded(result.model), data, {});
      EXPECT_LE(largest_difference(prediction.decision.values, training_decision(data, result)),
                1e-10)
          << regularizer << " " << rule;
    }
  }
}

/// A column of one value, of which centring leaves nothing but rounding.
TEST(Train, CentredKernelsOfAConstantColumnAreZero) {
  for (const double constant : {0.3, 7.0, 123456.7}) {
    Dataset data = toy_data(60, 1);
    for (Index i = 0; i < 60; ++i) data.table.values(i, 4) = constant;
    for (const char* kernels :
         {"poly(degree=2, coef0=0.7) on all, each", "linear on all, each",
          "poly(degree=1..4, coef0=1000) on all, each", "rbf(gamma=2^-30..2^-10) on all, each"}) {
      for (const char* rule : {"center+trace", "cosine+center+trace"}) {
        for (const ScalingRule scaling : {ScalingRule::standard, ScalingRule::none}) {
          SCOPED_TRACE(fmt::format("{}, {}, {}", constant, kernels, rule));
          TrainOptions options;
          options.kernels = {kernels};
          options.normalization = parse_normalization(rule);
          options.scaling = scaling;
          const TrainResult result = train(data, options, {});
          EXPECT_EQ(result.status, Status::converged);
          for (const ModelKernel& kernel : result.model.kernels) {
            if (kernel.description.columns != std::vector<std::string>{"b2"}) continue;
            EXPECT_EQ(kernel.normalization.scale, 0.0) << kernel.description.name();
          }
          const Prediction prediction = predict(reloaded(result.model), data, {});
          EXPECT_LE(largest_difference(prediction.decision.values, training_decision(data, result)),
                    1e-6);
        }
      }
    }
  }
}

TEST(Train, LogisticProbabilitiesAreAsManyPositivesAsThereAre) {
  TrainOptions options = toy_options();
  options.loss = "logistic";
  options.solver.tolerance = 1e-8;
  const Dataset data = toy_data(61, 4);
  const Model model = reloaded(train(data, options, {}).model);
  const Prediction prediction = predict(model, data, {});
  double sum = 0.0;
  for (std::size_t i = 0; i < prediction.winner.size(); ++i) {
    const double probability = prediction.probability.values.at(i);
    sum += probability;
    EXPECT_EQ(label_of(model, prediction, i) == "yes", probability >= 0.5) << i;
  }
  // The derivative of the loss by the bias, sum_i (p_i - [y_i = 1]), is 0 at the best one.
  EXPECT_NEAR(sum, 31.0, 1e-6);

  options.loss = "hinge";
  EXPECT_EQ(predict(train(data, options, {}).model, data, {}).probability.rows, 0);
}

TEST(Train, TwoStageModelsVerifyWithTheWeightsThatTheyHold) {
  const Dataset data = toy_data(60, 9);
  for (const char* regularizer : {"alignment", "alignf"}) {
    TrainOptions options = toy_options();
    options.regularizer = regularizer;
    const TrainResult result = train(data, options, {});
    EXPECT_EQ(result.status, Status::converged) << regularizer;
    const Model model = reloaded(result.model);
    EXPECT_EQ(model.settings.regularizer, regularizer);
    EXPECT_TRUE(verify(model, data, {}).agrees) << regularizer;
  }
}

TEST(Train, TightTolerancesHoldOnTheExactKernels) {
  TrainOptions options = toy_options();
  options.solver.tolerance = 1e-8;
  const TrainResult result = train(toy_data(60, 2), options, {});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(result.model.certificate.relative_gap(), 1e-8);
}

TEST(Train, KernelsAreStoredAsExactlyAsToleranceAndCNeed) {
  const Dataset data = toy_data(60, 2);
  const auto bank_bytes = [&](double tolerance, double C, const char* rule) {
    TrainOptions options = toy_options();
    options.normalization = parse_normalization(rule);
    options.solver.tolerance = tolerance;
    options.C = C;
    const TrainResult result = train(data, options, {});
    EXPECT_LE(result.model.certificate.relative_gap(), tolerance) << rule << ", C = " << C;
    return result.plan.bank_bytes;
  };
  const std::size_t single = bank_bytes(1e-3, 1.0, "trace");
  const std::size_t exact = bank_bytes(1e-8, 1.0, "trace");
  EXPECT_LT(single, exact);
  EXPECT_EQ(bank_bytes(1e-6, 1.0, "trace"), single);
  EXPECT_EQ(bank_bytes(1e-6, 100.0, "trace"), exact);
  EXPECT_EQ(bank_bytes(1e-6, 100.0, "unit-trace"), bank_bytes(1e-3, 1.0, "unit-trace"));
}

TEST(Train, SolvesAgainWhereSinglePrecisionHidesTheGap) {
  TrainOptions options = toy_options();
  options.regularizer = "sum";
  options.normalization = parse_normalization("trace");
  options.C = 30.0;
  options.solver.tolerance = 1e-6;
  std::string log;
  Context context;
  context.log = [&](std::string_view line) { log.append(line).append("\n"); };
  const TrainResult result = train(toy_data(60, 2), options, context);
  EXPECT_NE(log.find("solving again"), std::string::npos) << log;
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(result.model.certificate.relative_gap(), 1e-6);
}

TEST(Train, VerifyAgreesAfterLoading) {
  const Dataset data = toy_data(60, 3);
  TrainOptions options = toy_options();
  options.class_weights = {{"yes", 2.0}, {"no", 0.5}};
  options.sample_weights.assign(60, 1.0);
  options.sample_weights[7] = 3.0;
  for (const char* rule : {"trace", "center+trace"}) {
    options.normalization = parse_normalization(rule);
    const TrainResult result = train(data, options, {});
    const Verification check = verify(reloaded(result.model), data, {});
    EXPECT_TRUE(check.same_data);
    EXPECT_TRUE(check.agrees) << check.difference;
    EXPECT_EQ(check.recomputed.primal, result.model.certificate.primal);
  }
}

TEST(Train, VerifySeesOtherDataAndOtherModels) {
  const Dataset data = toy_data(60, 4);
  const Model model = train(data, toy_options(), {}).model;
  Dataset value = data;
  value.table.values(59, 0) = std::nextafter(value.table.values(59, 0), 100.0);
  EXPECT_FALSE(verify(model, value, {}).same_data);
  Dataset label = data;
  std::swap(label.table.labels[0], label.table.labels[1]);
  EXPECT_FALSE(verify(model, label, {}).same_data);
  EXPECT_FALSE(verify(model, toy_data(58, 4), {}).agrees);
  Model coefficients = model;
  coefficients.tasks[0].coefficients[0] *= 0.5;
  const Verification altered = verify(coefficients, data, {});
  EXPECT_TRUE(altered.same_data);
  EXPECT_FALSE(altered.agrees);
  coefficients.tasks[0].coefficients[0] = 1e6;
  EXPECT_EQ(failing(verify(coefficients, data, {})), "dual");
  Model claim = model;
  claim.certificate.gap *= 0.5;
  EXPECT_FALSE(verify(claim, data, {}).agrees);
  Model values = model;
  values.support_values(0, 0) += 1.0;
  EXPECT_EQ(failing(verify(values, data, {})), "support");
}

TEST(Train, VerifyFindsReorderedSamplesByTheirIds) {
  const Dataset data = toy_data(60, 5);
  const Model model = train(data, toy_options(), {}).model;
  std::vector<Index> order(60);
  std::iota(order.begin(), order.end(), Index{0});
  std::reverse(order.begin(), order.end());
  Dataset reversed = rows_of(data, order);
  EXPECT_TRUE(verify(model, reversed, {}).agrees);
  reversed.table.ids.clear();
  EXPECT_EQ(failing(verify(model, reversed, {})), "support");
}

TEST(Train, SameBytesForAnyNumberOfThreads) {
  const Dataset data = toy_data(150, 6);
  for (const char* rule : {"trace", "center+trace"}) {
    TrainOptions options = toy_options();
    options.normalization = parse_normalization(rule);
    Context context;
    const std::string one = encode_model(train(data, options, context).model);
    const Vector decision = predict(decode_model(one), data, context).decision.values;
    context.threads = 3;
    EXPECT_EQ(encode_model(train(data, options, context).model), one) << rule;
    EXPECT_EQ(predict(decode_model(one), data, context).decision.values, decision) << rule;
  }
}

TEST(Train, PermutedSamplesGiveTheSameOptimum) {
  const Dataset data = toy_data(60, 7);
  TrainOptions options = toy_options();
  options.solver.tolerance = 1e-7;
  std::vector<Index> order(60);
  for (Index i = 0; i < 60; ++i) order[static_cast<std::size_t>(i)] = (i * 7) % 60;
  const Model plain = train(data, options, {}).model;
  const Model permuted = train(rows_of(data, order), options, {}).model;
  EXPECT_NEAR(plain.certificate.primal, permuted.certificate.primal,
              2e-7 * plain.certificate.primal);
  EXPECT_EQ(plain.training_hash, permuted.training_hash);
}

TEST(Train, WeightsOfClassesAndSamplesScaleC) {
  const Dataset data = toy_data(60, 8);
  TrainOptions scaled = toy_options();
  scaled.C = 6.0;
  TrainOptions by_class = toy_options();
  by_class.class_weights = {{"yes", 3.0}, {"no", 3.0}};
  TrainOptions by_sample = toy_options();
  by_sample.sample_weights.assign(60, 3.0);
  const Vector expected = dual_vector(train(data, scaled, {}).model);
  EXPECT_EQ(dual_vector(train(data, by_class, {}).model), expected);
  EXPECT_EQ(dual_vector(train(data, by_sample, {}).model), expected);
}

/// Each class has its own: the weight of a class is that of its samples.
TEST(Train, TheWeightOfAClassIsThatOfItsSamples) {
  const Dataset data = toy_data(60, 8);
  TrainOptions by_sample = toy_options();
  // Weights of samples, unlike those of classes, count in scaling and normalisation, too.
  by_sample.scaling = ScalingRule::none;
  by_sample.normalization = parse_normalization("none");
  TrainOptions by_class = by_sample;
  by_class.class_weights = {{"yes", 3.0}, {"no", 0.5}};
  for (const std::string& label : data.table.labels) {
    by_sample.sample_weights.push_back(label == "yes" ? 3.0 : 0.5);
  }
  const TrainResult expected = train(data, by_sample, {});
  EXPECT_EQ(dual_vector(train(data, by_class, {}).model), dual_vector(expected.model));
  by_class.positive = "no";
  EXPECT_NEAR(train(data, by_class, {}).model.certificate.primal, expected.model.certificate.primal,
              2.0 * by_class.solver.tolerance * expected.model.certificate.primal);
}

/// Predicts with the contributions of kernels to the decision values, and adds these up.
void expect_contributions_sum_up(const Model& model) {
  const Prediction prediction = predict(model, toy_data(20, 10), {}, true);
  const auto M = length(prediction.contributing);
  ASSERT_EQ(prediction.contributions.cols, M * length(model.tasks));
  for (Index i = 0; i < 20; ++i) {
    for (Index k = 0; k < length(model.tasks); ++k) {
      const ConstSpan parts = prediction.contributions.row(i).subspan(to_size(k * M), to_size(M));
      EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(),
                                  model.tasks[static_cast<std::size_t>(k)].bias),
                  prediction.task_decision(i, k), 1e-12);
    }
  }
}

TEST(Train, ContributionsSumToTheDecision) {
  Dataset data = toy_data(60, 9);
  expect_contributions_sum_up(train(data, toy_options(), {}).model);
  for (std::size_t i = 0; i < data.table.labels.size(); i += 3) data.table.labels[i] = "maybe";
  for (const std::string coupling : {"sum", "separate"}) {
    TrainOptions options = toy_options();
    options.coupling = coupling;
    expect_contributions_sum_up(train(data, options, {}).model);
  }
}

TEST(Train, KeepsOnlyTheColumnsOfKernelsWithWeight) {
  const Dataset data = toy_data(60, 11);
  TrainOptions options;
  options.kernels = {"linear on a", "linear on b"};
  options.regularizer = "fixed:1,0";
  const Model model = train(data, options, {}).model;
  EXPECT_EQ(model.columns, (std::vector<std::string>{"a1", "a2", "a3"}));
  EXPECT_TRUE(verify(model, data, {}).agrees);
  Dataset narrow = data;
  narrow.table.columns = {"a3", "a1", "a2"};
  narrow.table.values = select_columns(data.table, narrow.table.columns);
  EXPECT_EQ(predict(model, narrow, {}).decision.values, predict(model, data, {}).decision.values);
}

TEST(Train, NamesAMissingColumnAndItsFile) {
  const Dataset data = toy_data(60, 12);
  const Model model = train(data, toy_options(), {}).model;
  Dataset narrow = data;
  narrow.table.columns = {"a1", "a2", "b1"};
  narrow.table.values = select_columns(data.table, narrow.table.columns);
  narrow.table.source = "other.csv";
  try {
    (void)predict(model, narrow, {});
    FAIL();
  } catch (const DataError& failure) {
    const std::string sentence = failure.what();
    EXPECT_NE(sentence.find("a3"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("other.csv"), std::string::npos) << sentence;
  }
}

TEST(Train, AnInterruptedRunStillReturnsACertifiedAnswer) {
  Context context;
  std::atomic<bool> stop = false;
  context.cancelled = &stop;
  context.progress = [&](const Progress& moment) {
    if (moment.stage == "solve") stop = true;
  };
  TrainOptions options = toy_options();
  options.solver.tolerance = 1e-9;
  const TrainResult result = train(toy_data(60, 13), options, context);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_GT(result.model.certificate.primal, 0.0);
  EXPECT_TRUE(verify(result.model, toy_data(60, 13), {}).agrees);
}

}  // namespace
}  // namespace kernmix
