// A learned product of kernels as a model: its file, its claims, and what it refuses.

#include "model/product/product.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "altered_container.hpp"
#include "kernmix/error.hpp"
#include "kernmix/selection/stability.hpp"
#include "kernmix/settings.hpp"
#include "kernmix/training.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

TrainOptions product_options() {
  TrainOptions options = toy_options();
  options.kernels.clear();
  options.combination = Combination::product;
  options.weight_penalty.lambda = 2.0;
  return options;
}

/// Factors on columns and on a view, with fixed and with relative widths.
TrainOptions options_of_mixtures() {
  TrainOptions options = product_options();
  options.kernels = {"rbf(gamma=0.5) on a, each", "rbf(width=median) on b"};
  options.weight_penalty = {true, 1.0};
  options.weight_start = 0.4;
  options.C = 0.4;
  options.class_weights = {{"yes", 1.5}};
  return options;
}

Model trained(const TrainOptions& options, const Dataset& data) {
  return train(data, options, {}).model;
}

TEST(Product, TheModelIsAnSvmOnTheProductOfItsFactors) {
  const Dataset data = toy_data(40, 81);
  for (const TrainOptions& options : {product_options(), options_of_mixtures()}) {
    const TrainResult result = train(data, options, {});
    EXPECT_EQ(result.status, Status::converged);
    const Model& model = result.model;
    ASSERT_TRUE(model.product.has_value());
    EXPECT_LE(model.product->stationarity, options.solver.tolerance);
    EXPECT_LE(model.certificate.relative_gap(), 1e-9);
    EXPECT_GT(product_objective(*model.product, model.certificate), model.certificate.primal);
    EXPECT_TRUE(verify(model, data, {}).agrees);
  }
}

TEST(Product, DecisionValuesAreThoseOfTheFactors) {
  const Dataset data = toy_data(40, 82);
  const Model model = trained(options_of_mixtures(), data);
  const Dataset fresh = toy_data(10, 83);
  const Prediction found = predict(model, fresh, {});
  const auto scaled = [&](const std::string& column, double value) {
    const auto at = std::ranges::find(model.columns, column) - model.columns.begin();
    return model.scaling.at(at, value);
  };
  const Table& table = data.table;
  for (Index i = 0; i < 10; ++i) {
    double decision = model.tasks[0].bias;
    for (std::size_t s = 0; s < model.tasks[0].support.size(); ++s) {
      const Index row = model.support[static_cast<std::size_t>(model.tasks[0].support[s])];
      double exponent = 0.0;
      for (const ModelKernel& factor : model.product->factors) {
        if (factor.weight == 0.0) continue;
        const double gamma = factor.description.function.parameters.at("gamma");
        for (const std::string& column : factor.description.columns) {
          const Index at = std::ranges::find(table.columns, column) - table.columns.begin();
          const double difference =
              scaled(column, table.values(row, at)) - scaled(column, fresh.table.values(i, at));
          exponent += factor.weight * gamma * difference * difference;
        }
      }
      decision += model.tasks[0].coefficients[s] * std::exp(-exponent);
    }
    EXPECT_NEAR(found.decision(i, 0), decision, 1e-10);
  }
}

TEST(Product, ColumnsWithoutWeightAreNotRead) {
  const Dataset data = toy_data(60, 84);
  TrainOptions options = product_options();
  options.weight_penalty.lambda = 20.0;
  const Model model = trained(options, data);
  ASSERT_LT(model.columns.size(), data.table.columns.size());
  Dataset fresh = toy_data(10, 85);
  const Matrix whole = predict(model, fresh, {}).decision;
  for (const std::string& column : data.table.columns) {
    if (std::ranges::find(model.columns, column) != model.columns.end()) continue;
    const Index at = std::ranges::find(fresh.table.columns, column) - fresh.table.columns.begin();
    for (Index i = 0; i < 10; ++i) fresh.table.values(i, at) = 1e6;
  }
  EXPECT_EQ(predict(model, fresh, {}).decision.values, whole.values);
}

TEST(Product, APenaltyThatLeavesNoWeightPredictsAConstant) {
  const Dataset data = toy_data(30, 86);
  TrainOptions options = product_options();
  options.weight_penalty.lambda = 1e6;
  const Model model = decode_model(encode_model(trained(options, data)));
  EXPECT_TRUE(model.columns.empty());
  const Matrix decision = predict(model, toy_data(5, 87), {}).decision;
  EXPECT_EQ(std::ranges::max(decision.values), std::ranges::min(decision.values));
  EXPECT_TRUE(verify(model, data, {}).agrees);
}

/// Settings, and names of things.
bool states_no_claim(const std::string& place) {
  for (const char* known : {"/settings/solver", "/settings/version", "/settings/seed",
                            "/settings/tolerance", "/product/start", "/product/iterations"}) {
    if (place == known) return true;
  }
  if (place.starts_with("/table_columns/")) return true;
  return place.ends_with("/view") || place.ends_with("/group");
}

TEST(Product, EveryNumberAndTextOfItsFileIsChecked) {
  Dataset data = toy_data(40, 88);
  data.table.ids.clear();
  const Model model = decode_model(encode_model(trained(options_of_mixtures(), data)));
  EXPECT_EQ(encode_model(model)[8], 8);
  ASSERT_TRUE(verify(model, data, {}).agrees);
  alter_each(to_container(model), 3, [&](const Alteration& altered) {
    EXPECT_TRUE(is_noticed(altered, data) || states_no_claim(altered.place)) << altered.place;
  });
}

TEST(Product, DamagedProductsAreRefused) {
  const Model model = trained(product_options(), toy_data(30, 97));
  const auto refused = [&](const auto& damage) {
    Model damaged = model;
    damage(damaged);
    EXPECT_THROW(check_model(damaged), DataError);
  };
  refused([](Model& m) { m.kernels[0].description.column_weights.pop_back(); });
  refused([](Model& m) { m.kernels[0].description.column_weights.clear(); });
  refused([](Model& m) { m.kernels.clear(); });
  refused([](Model& m) { m.product.reset(); });
  refused([](Model& m) { m.product->factors.clear(); });
  refused([](Model& m) { m.product->factors[0].description.function.parameters.clear(); });
  refused([](Model& m) { m.product->factors[0].description.function.parameters["gamma"] = -1.0; });
  refused([](Model& m) { m.product->factors[0].description.columns.clear(); });
  refused([](Model& m) { m.product->factors[0].description.function.name = "linear"; });
  refused([](Model& m) { m.product->factors[0].weight = -1.0; });
  refused([](Model& m) { m.product->penalty = "cubic:lambda=1"; });
  refused([](Model& m) { m.product->start = 0.0; });
  refused([](Model& m) { m.product->stationarity = -1.0; });
  refused([](Model& m) { m.settings.regularizer = "l1"; });
}

TEST(Product, ASumIsWrittenForEarlierVersions) {
  EXPECT_EQ(encode_model(trained(toy_options(), toy_data(30, 89)))[8], 6);
}

TEST(Product, AnotherStationarityIsTheClaimThatFails) {
  const Dataset data = toy_data(40, 90);
  Model model = trained(product_options(), data);
  model.product->stationarity += 1e-6;
  const Verification verification = verify(model, data, {});
  for (const Claim& claim : verification.claims) {
    EXPECT_EQ(claim.agrees, claim.name != "stationarity") << claim.finding;
  }
}

TEST(Product, ATimeLimitKeepsTheBestAnswer) {
  const Dataset data = toy_data(40, 91);
  TrainOptions options = product_options();
  options.solver.max_iterations = 1;
  const TrainResult result = train(data, options, {});
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_GT(result.model.product->stationarity, options.solver.tolerance);
  EXPECT_TRUE(verify(result.model, data, {}).agrees);
}

TEST(Product, WantsMemoryForItsColumnsAndMatrices) {
  const Dataset data = toy_data(40, 96);
  Context small;
  small.memory_bytes = 16 * 40 * 5 - 1;
  EXPECT_THROW(static_cast<void>(train(data, product_options(), small)), ResourceError);
  small.memory_bytes = 4 * 40 * 40 * sizeof(double) - 1;
  EXPECT_THROW(static_cast<void>(train(data, product_options(), small)), ResourceError);
}

TEST(Product, AModelAfterAnotherOneIsTheSame) {
  const Dataset data = toy_data(40, 92);
  Training training(data);
  static_cast<void>(training.fit(toy_options(), {}));
  for (const double lambda : {1.0, 4.0}) {
    TrainOptions options = product_options();
    options.weight_penalty.lambda = lambda;
    const Model model = training.fit(options, {}).model;
    EXPECT_EQ(encode_model(model), encode_model(trained(options, data)));
    const Dataset fresh = toy_data(10, 93);
    EXPECT_EQ(training.predict(model, fresh, {}).decision.values.size(), 10u);
    EXPECT_NEAR(training.predict(model, fresh, {}).decision(3, 0),
                predict(model, fresh, {}).decision(3, 0), 1e-10);
  }
  const Model sum = training.fit(toy_options(), {}).model;
  EXPECT_FALSE(sum.product.has_value());
  EXPECT_TRUE(verify(sum, data, {}).agrees);
}

template <typename Change>
std::string refusal(const Change& change) {
  TrainOptions options = product_options();
  change(options);
  try {
    static_cast<void>(train(toy_data(20, 94), options, {}));
  } catch (const ParameterError& error) {
    return error.what();
  }
  return "";
}

TEST(Product, RefusesTheSettingsOfSums) {
  const auto says = [](const std::string& message, const char* what) {
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  says(refusal([](auto& o) { o.regularizer = "lp:p=2"; }), "no regularizer such as lp:p=2");
  says(refusal([](auto& o) { o.solver.solver = "silp"; }), "leave the solver");
  says(refusal([](auto& o) { o.kernels = {"linear on a"}; }), "not of linear on a");
  says(refusal([](auto& o) { o.normalization = parse_normalization("trace"); }),
       "no normalization, got trace");
  says(refusal([](auto& o) { o.scheme = TaskScheme::one_vs_rest; }), "scheme is one-vs-rest");
  says(refusal([](auto& o) { o.loss = "one-class:nu=0.3"; }), "needs classes or numbers");
  says(refusal([](auto& o) { o.combination = Combination::sum; }),
       "weight penalty belongs to a product");
  const Dataset data = toy_data(20, 95);
  const Model model = trained(product_options(), data);
  EXPECT_THROW(static_cast<void>(predict(model, data, {}, true)), ParameterError);
  EXPECT_THROW(static_cast<void>(weight_stability(data, product_options(), {}, {})),
               ParameterError);
}

}  // namespace
}  // namespace kernmix
