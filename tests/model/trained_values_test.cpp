// Predictions of the training samples are the values that training certified, for every scheme,
// sharing, loss and bias: K(d_k) a_k + b_k of kernels normalised by their definitions.

#include <gtest/gtest.h>

#include "kernmix/error.hpp"
#include "model/naive_kernels.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

constexpr Index kSamples = 40;

std::optional<Model> trained(const SchemeCase& c, const Dataset& data, const std::string& loss,
                             Bias bias, const std::string& rule) {
  TrainOptions options = toy_task_options(c.sharing, c.scheme);
  options.kernels = naive_expressions;
  options.regularizer = "lp:p=2";
  options.loss = loss;
  options.C = takes_cost(parse_loss(loss)) ? 2.0 : 1.0;
  options.bias = bias;
  options.scaling = ScalingRule::none;
  options.normalization = parse_normalization(rule);
  options.solver.tolerance = 1e-2;
  options.solver.max_iterations = 20;  // what is equal is so at any point
  try {
    return train(data, options, {}).model;
  } catch (const ParameterError&) {  // what the scheme does not take
    return std::nullopt;
  }
}

void expect_trained_decisions(const Model& model, const Dataset& data, const std::string& rule) {
  const std::vector<Eigen::MatrixXd> kernels = naive_kernels(data, rule);
  const Matrix decision = predict(model, data, {}).task_decision;
  for (Index k = 0; k < length(model.tasks); ++k) {
    const TaskModel& task = model.tasks[static_cast<std::size_t>(k)];
    std::vector<Index> samples;
    for (const Index s : task.support) {
      samples.push_back(model.support[static_cast<std::size_t>(s)]);
    }
    Eigen::VectorXd expected = Eigen::VectorXd::Constant(kSamples, task.bias);
    Eigen::VectorXd size = expected.cwiseAbs();
    for (std::size_t m = 0; m < kernels.size(); ++m) {
      const NaiveProduct part = naive_product(kernels[m], samples, task.coefficients);
      expected += model.task_weights(k)[m] * part.value;
      size += model.task_weights(k)[m] * part.size;
    }
    for (Index i = 0; i < kSamples; ++i) {
      EXPECT_NEAR(decision(i, k), expected[i], 1e-9 * size[i]) << task.name << ", sample " << i;
    }
  }
}

class TrainedValues : public ::testing::TestWithParam<SchemeCase> {};

TEST_P(TrainedValues, AreWhatTrainingSamplesArePredicted) {
  const SchemeCase& c = GetParam();
  const Dataset data = data_for(c.scheme, kSamples, 11);
  Index cases = 0;
  for (const LossInfo& loss : losses()) {
    const bool targets = c.scheme == TaskScheme::targets;
    const Target learned = targets ? Target::numbers : Target::classes;
    if (loss_target(parse_loss(loss.example)) != learned) continue;
    for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
      for (const std::string& rule : naive_rules) {
        if (rule == "none") continue;
        SCOPED_TRACE(fmt::format("{}, bias {}, {}", loss.example, bias_name(bias), rule));
        const auto model = trained(c, data, loss.example, bias, rule);
        if (!model) continue;
        expect_trained_decisions(*model, data, rule);
        ++cases;
      }
    }
  }
  EXPECT_GE(cases, c.scheme == TaskScheme::joint ? 6 : 27);
}

INSTANTIATE_TEST_SUITE_P(Schemes, TrainedValues, ::testing::ValuesIn(scheme_cases()), test_name_of);

/// The tasks keep their own support vectors; all samples are there for their means only.
TEST(TrainedValues, OfModelsThatKeepAllSamples) {
  const Dataset data = toy_classes(kSamples, 4, 11);
  const SchemeCase c{TaskScheme::one_vs_rest, "sum"};
  const auto model = trained(c, data, "hinge", Bias::none, "center+trace");
  ASSERT_TRUE(model);
  EXPECT_EQ(length(model->support), kSamples);
  for (const TaskModel& task : model->tasks) EXPECT_LT(length(task.support), kSamples);
  const auto cancelled = trained(c, data, "hinge", Bias::free, "center+trace");
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(support_vectors(*cancelled), length(cancelled->support));
}

}  // namespace
}  // namespace kernmix::testing
