// Predictions of the training samples are the values that training certified: K(d) a + b of kernels
// that are normalised by their definitions, for every loss, bias and normalisation.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "kernmix/error.hpp"
#include "model/file/model_container.hpp"
#include "model/naive_kernels.hpp"
#include "model/toy_data.hpp"

namespace kernmix::testing {
namespace {

constexpr Index n = 40;

Dataset data_of(Target target) {
  Dataset data = toy_data(n, 5);
  if (target == Target::none) data.table.labels.clear();
  for (Index i = 0; target == Target::numbers && i < n; ++i) {
    data.table.labels[static_cast<std::size_t>(i)] =
        fmt::format("{}", data.table.values(i, 0) - 0.5 * data.table.values(i, 4));
  }
  return data;
}

TrainOptions options_of(const LossInfo& loss, Bias bias, const std::string& rule) {
  TrainOptions options;
  options.kernels = naive_expressions;
  options.regularizer = on_distances(parse_loss(loss.example)) ? "l1" : "lp:p=2";
  options.loss = loss.example;
  options.bias = bias;
  options.scaling = ScalingRule::none;
  options.normalization = parse_normalization(rule);
  options.solver.tolerance = 1e-2;
  options.solver.max_iterations = 20;  // what is equal is so at any point
  return options;
}

/// -|phi(x_i) - phi(x_j)|^2
Eigen::MatrixXd negative_distances(const Eigen::MatrixXd& K) {
  const Eigen::VectorXd diagonal = K.diagonal();
  Eigen::MatrixXd D = 2.0 * K;
  D.colwise() -= diagonal;
  D.rowwise() -= diagonal.transpose();
  return D;
}

void expect_trained_values(const Model& model, const Dataset& data, const std::string& rule) {
  std::vector<Eigen::MatrixXd> kernels = naive_kernels(data, rule);
  if (on_distances(model.settings.loss)) {
    for (Eigen::MatrixXd& K : kernels) K = negative_distances(K);
  }
  const Prediction prediction = predict(model, data, {}, true);
  Eigen::VectorXd decision = Eigen::VectorXd::Constant(n, model.tasks[0].bias);
  Eigen::VectorXd size = decision.cwiseAbs();
  for (std::size_t k = 0; k < prediction.contributing.size(); ++k) {
    const auto m = static_cast<std::size_t>(prediction.contributing[k]);
    const double weight = model.kernels[m].weight;
    const NaiveProduct part =
        naive_product(kernels[m], model.support, coefficients_of(model).values);
    for (Index i = 0; i < n; ++i) {
      EXPECT_NEAR(prediction.contributions(i, static_cast<Index>(k)), weight * part.value[i],
                  1e-9 * weight * part.size[i]);
    }
    decision += weight * part.value;
    size += weight * part.size;
  }
  for (Index i = 0; i < n; ++i) {
    EXPECT_NEAR(prediction.decision.values[static_cast<std::size_t>(i)], decision[i],
                1e-9 * size[i]);
  }
}

bool takes_bias(const LossInfo& loss, Bias bias) {
  try {
    check_loss(parse_loss(loss.example), bias, Vector{1.0, -1.0}, Vector{1.0, 1.0});
  } catch (const ParameterError&) {
    return false;
  }
  return true;
}

TEST(Predictions, OfTrainingSamplesAreTheTrainedValues) {
  int cases = 0;
  for (const LossInfo& loss : losses()) {
    if (joins_classes(parse_loss(loss.example))) continue;  // TrainedValues has it
    const Dataset data = data_of(loss_target(parse_loss(loss.example)));
    for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
      if (!takes_bias(loss, bias)) continue;
      for (const std::string& rule : naive_rules) {
        SCOPED_TRACE(fmt::format("{}, bias {}, {}", loss.example, bias_name(bias), rule));
        const TrainResult result = train(data, options_of(loss, bias, rule), {});
        expect_trained_values(decode_model(encode_model(result.model)), data, rule);
        ++cases;
      }
    }
  }
  EXPECT_GE(cases, static_cast<int>((losses().size() - 1) * naive_rules.size()));
}

/// One sample at a time, of which no row of the training matrix says anything.
TEST(Predictions, OfNewSamplesDoNotDependOnOthers) {
  const Dataset data = data_of(Target::classes);
  const TrainResult result =
      train(data, options_of({"", "", "hinge"}, Bias::none, "cosine+center+trace"), {});
  const Dataset fresh = toy_data(9, 6);
  const Vector together = predict(result.model, fresh, {}).decision.values;
  for (Index i = 0; i < 9; ++i) {
    EXPECT_EQ(predict(result.model, rows_of(fresh, {i}), {}).decision.values.front(),
              together[static_cast<std::size_t>(i)]);
  }
}

TEST(Predictions, OfGivenMatricesWithBiasNone) {
  const Dataset columns = data_of(Target::classes);
  for (const std::string rule : {"center", "center+trace"}) {
    auto K = std::make_shared<Matrix>(n, n);
    as_matrix(*K) = naive_kernels(columns, "none").front();
    Dataset data;
    data.table.source = "matrix";
    data.table.labels = columns.table.labels;
    data.matrices = {{"K", KernelInput::gram, K}};
    TrainOptions options = options_of({"", "", "hinge"}, Bias::none, rule);
    options.kernels = {"precomputed on K"};
    const Model model = train(data, options, {}).model;
    EXPECT_EQ(length(model.support), n);
    EXPECT_LT(support_vectors(model), n);
    const NaiveProduct z = naive_product(naive_normalized(parse_normalization(rule), as_matrix(*K)),
                                         model.support, coefficients_of(model).values);
    const Vector decision = predict(model, data, {}).decision.values;
    for (Index i = 0; i < n; ++i) {
      EXPECT_NEAR(decision[static_cast<std::size_t>(i)], model.kernels[0].weight * z.value[i],
                  1e-9 * model.kernels[0].weight * z.size[i]);
    }
  }
}

/// Where the dual variables add up to zero, the support vectors are enough.
TEST(Predictions, NeedAllSamplesOnlyForWhatDoesNotCancel) {
  const Dataset data = data_of(Target::classes);
  const auto kept = [&](Bias bias, const char* rule) {
    const Model model = train(data, options_of({"", "", "hinge"}, bias, rule), {}).model;
    EXPECT_LT(support_vectors(model), n);
    return length(model.support) == n;
  };
  EXPECT_FALSE(kept(Bias::free, "center+trace"));
  EXPECT_FALSE(kept(Bias::none, "trace"));
  EXPECT_TRUE(kept(Bias::none, "center+trace"));
  EXPECT_TRUE(kept(Bias::penalised, "center+trace"));
}

TEST(Predictions, AreRefusedWhereAModelLacksTheSamplesOfTheMean) {
  const Dataset data = data_of(Target::classes);
  Model model = train(data, options_of({"", "", "hinge"}, Bias::none, "center"), {}).model;
  ++model.training_samples;  // one that it has not kept
  try {
    static_cast<void>(predict(model, data, {}));
    FAIL() << "accepted";
  } catch (const DataError& failure) {
    EXPECT_NE(std::string(failure.what()).find("train it again"), std::string::npos);
  }
}

TEST(Predictions, KeepTheirLimits) {
  const Dataset data = toy_data(n, 5);
  TrainOptions options;
  options.kernels = {"linear", "rbf(width=median)"};
  Context late;
  late.deadline = std::chrono::steady_clock::now();
  const Model model = train(data, options, {}).model;
  try {
    (void)predict(model, data, late);
    FAIL() << "no limit of time";
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("the time limit was reached while samples were"),
              std::string::npos)
        << error.what();
  }
  Context small;
  small.memory_bytes = n * sizeof(double);
  EXPECT_NO_THROW((void)predict(model, data, small));
  EXPECT_THROW((void)predict(model, data, small, true), ResourceError);
}

}  // namespace
}  // namespace kernmix::testing
