// The default normalisation in models: `variance` where dual variables sum to zero. Oracle:
// center+trace, which is the same problem there.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/fitted_kernels.hpp"
#include "kernmix/loss.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_data.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix {
namespace {

using testing::data_for;
using testing::scheme_cases;
using testing::toy_targets;
using testing::toy_task_options;

/// Two answers to one problem, each proven: their bounds must overlap.
void expect_same_optimum(const Bounds& left, const Bounds& right, const std::string& where) {
  const double rounding = 1e-8 * left.size();
  EXPECT_LE(left.dual, right.primal + rounding) << where;
  EXPECT_LE(right.dual, left.primal + rounding) << where;
}

TrainOptions with_rule(TrainOptions options, const char* rule) {
  options.normalization = parse_normalization(rule);
  return options;
}

Model trained(const Dataset& data, const TrainOptions& options, const char* rule) {
  return train(data, with_rule(options, rule), {}).model;
}

/// Any column, all columns, nearly constant: dense kernels and families of factors.
const std::vector<std::string> kinds_of_kernels = {"rbf(gamma=2^-6..2^-2) on *, each",
                                                   "poly(degree=1..2) on *, each",
                                                   "rbf(gamma=0.1) on *", "rbf(gamma=1e-6) on *"};

TEST(VarianceDefault, IsWhereDualVariablesSumToZero) {
  const auto rule = [](const char* loss, Bias bias) {
    return default_normalization(parse_loss(loss), bias).text();
  };
  for (const char* loss : {"hinge", "squared-hinge", "logistic", "squared", "epsilon:eps=0.1"}) {
    EXPECT_EQ(rule(loss, Bias::free), "variance") << loss;
    EXPECT_EQ(rule(loss, Bias::none), "trace") << loss;
    EXPECT_EQ(rule(loss, Bias::penalised), "trace") << loss;
  }
  EXPECT_EQ(rule("crammer-singer", Bias::free), "variance");
  EXPECT_EQ(rule("svdd:nu=0.2", Bias::free), "variance");
  EXPECT_EQ(rule("one-class:nu=0.2", Bias::free), "trace");
}

TEST(VarianceDefault, IsWhatTrainingTakes) {
  const Dataset data = toy_data(40, 1);
  TrainOptions options = toy_options();
  EXPECT_EQ(encode_model(train(data, options, {}).model),
            encode_model(trained(data, options, "variance")));
  options.bias = Bias::none;
  EXPECT_EQ(encode_model(train(data, options, {}).model),
            encode_model(trained(data, options, "trace")));
}

TEST(VarianceRule, HasTheOptimumOfCentredKernels) {
  for (const auto& c : scheme_cases()) {
    const Dataset data = data_for(c.scheme, 60, 3);
    TrainOptions options = toy_task_options(c.sharing, c.scheme);
    options.kernels = kinds_of_kernels;
    options.solver.tolerance = 1e-4;
    const Model divided = trained(data, options, "variance");
    const Model centred = trained(data, options, "center+trace");
    expect_same_optimum(divided.certificate, centred.certificate, name_of(c));
    EXPECT_TRUE(verify(decode_model(encode_model(divided)), data, {}).agrees) << name_of(c);
  }
}

TEST(VarianceRule, HasTheOptimumOfCentredKernelsForEveryLoss) {
  Dataset numbers = toy_targets(60, 4);
  for (const char* loss :
       {"hinge", "squared-hinge", "logistic", "squared", "epsilon:eps=0.1", "svdd:nu=0.2"}) {
    const bool of_numbers = loss_target(parse_loss(loss)) == Target::numbers;
    Dataset data = of_numbers ? numbers : toy_data(60, 4);
    if (loss_target(parse_loss(loss)) == Target::none) data.table.labels.clear();
    TrainOptions options;
    options.loss = loss;
    options.kernels = kinds_of_kernels;
    const Model divided = trained(data, options, "variance");
    const Model centred = trained(data, options, "center+trace");
    expect_same_optimum(divided.certificate, centred.certificate, loss);
  }
}

/// J is 1-strongly convex in the function, so that functions whose objectives are within g of the
/// optimum differ by at most sqrt(2 g) from it in the norm of their space.
TEST(VarianceRule, PredictsAsCentredKernels) {
  const Dataset data = toy_data(80, 5);
  const Dataset fresh = toy_data(50, 6);
  TrainOptions options;
  options.kernels = {"rbf(gamma=0.1) on all"};
  options.solver.tolerance = 1e-8;
  for (const char* loss : {"hinge", "squared-hinge", "logistic"}) {
    options.loss = loss;
    const Model divided = trained(data, options, "variance");
    const Model centred = trained(data, options, "center+trace");
    const Vector left = predict(divided, fresh, {}).decision.values;
    const Vector right = predict(centred, fresh, {}).decision.values;
    const auto distance = [](const Model& model) {
      return std::sqrt(2.0 * std::max(model.certificate.gap, 0.0));
    };
    const double between_samples = std::sqrt(2.0 * divided.kernels[0].normalization.scale);
    const double room = (distance(divided) + distance(centred)) * between_samples + 1e-9;
    for (std::size_t i = 1; i < left.size(); ++i) {
      EXPECT_NEAR(left[i] - left[0], right[i] - right[0], room) << loss;
    }
  }
}

TEST(VarianceRule, KeepsNearlyConstantKernelsAboutTheirMeanInTheFile) {
  const Dataset data = toy_data(60, 7);
  TrainOptions options = toy_options();
  options.kernels = {"rbf(gamma=1e-6) on a", "linear on b"};
  options.regularizer = "average";
  const Model model = train(data, options, {}).model;
  ASSERT_TRUE(model.kernels[0].normalization.rule.center);
  EXPECT_EQ(model.kernels[0].description.normalization.text(), "variance");
  EXPECT_FALSE(model.kernels[1].normalization.rule.center);
  const std::string bytes = encode_model(model);
  const Model read = decode_model(bytes);
  EXPECT_EQ(encode_model(read), bytes);
  EXPECT_TRUE(verify(read, data, {}).agrees);
  const Dataset fresh = toy_data(30, 8);
  EXPECT_EQ(predict(read, fresh, {}).decision.values, predict(model, fresh, {}).decision.values);
}

/// Without a bias dual variables do not sum to zero, and the mean of a new sample is needed.
TEST(VarianceRule, WithoutBiasPredictsWhatTrainingEvaluates) {
  const Dataset data = toy_data(60, 9);
  for (const Bias bias : {Bias::none, Bias::penalised}) {
    TrainOptions options = toy_options();
    options.bias = bias;
    options.kernels = {"rbf(gamma=1e-6) on a", "linear on b"};
    options.regularizer = "average";
    const Model model = trained(data, options, "variance");
    EXPECT_EQ(length(model.support), 60);
    EXPECT_TRUE(verify(model, data, {}).agrees);
    FittedKernels kernels(std::make_shared<const Dataset>(data), with_rule(options, "variance"),
                          {});
    const Vector K = all_entries(kernels.training(), {});
    const Vector a = dual_vector(model);
    const Vector found = predict(model, data, {}).decision.values;
    for (std::size_t i = 0; i < 60; ++i) {
      double expected = model.tasks[0].bias;
      double size = std::abs(expected);
      for (std::size_t m = 0; m < 2; ++m) {
        for (std::size_t j = 0; j < 60; ++j) {
          const double term = model.kernels[m].weight * K[(m * 60 + i) * 60 + j] * a[j];
          expected += term;
          size += std::abs(term);
        }
      }
      EXPECT_NEAR(found[i], expected, 1e-8 * size);
    }
  }
}

/// Nothing is left of a constant when it is centred, and its model agrees with the data all the
/// same.
TEST(VarianceRule, OfAConstantColumnHasTheScaleZero) {
  Dataset data = toy_data(60, 10);
  for (Index i = 0; i < 60; ++i) data.table.values(i, 4) = 3.0;
  TrainOptions options = toy_options();
  options.kernels = {"rbf(gamma=1) on b, each", "linear on a"};
  for (const char* rule : {"variance", "cosine+variance", "center+trace", "center"}) {
    const Model model = trained(data, options, rule);
    EXPECT_GT(model.kernels[0].normalization.scale, 0.0) << rule;
    EXPECT_EQ(model.kernels[1].normalization.scale, 0.0) << rule;
    EXPECT_TRUE(verify(decode_model(encode_model(model)), data, {}).agrees) << rule;
  }
}

TEST(VarianceRule, OfManySamplesDoesNotDependOnTheOrderOfRows) {
  const Dataset data = toy_data(1300, 11);
  std::vector<Index> order(1300);
  std::iota(order.rbegin(), order.rend(), Index{0});
  TrainOptions options;
  options.scaling = ScalingRule::none;  // a mean of columns is a sum in the order of rows
  options.kernels = {"rbf(gamma=0.1) on a", "linear on *, each", "rbf(gamma=1e-3) on *, each"};
  const FittedKernels one(std::make_shared<const Dataset>(data), options, {});
  const FittedKernels other(std::make_shared<const Dataset>(rows_of(data, order)), options, {});
  for (std::size_t m = 0; m < one.normalizations().size(); ++m) {
    ASSERT_FALSE(one.normalizations()[m].rule.center);
    EXPECT_EQ(one.normalizations()[m].scale, other.normalizations()[m].scale) << m;
  }
}

}  // namespace
}  // namespace kernmix
