// Whatever of a model is altered, `verify` says which claim does not hold.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "altered_container.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/claims/prediction_claims.hpp"
#include "model/file/fingerprint.hpp"
#include "model/file/model_container.hpp"
#include "model/targets.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

Dataset without_ids(Dataset data) {
  data.table.ids.clear();
  return data;
}

/// Numbers to learn, nearly linear in the first column.
Dataset with_numbers(Dataset data) {
  for (std::size_t i = 0; i < data.table.labels.size(); ++i) {
    const double value = data.table.values(static_cast<Index>(i), 0);
    data.table.labels[i] = fmt::format("{}", value + (i % 3 == 0 ? 0.5 : 0.0));
  }
  return data;
}

struct Case {
  const char* loss;
  const char* regularizer;
  const char* normalization;
  const char* solver = "auto";
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"hinge", "lp:p=2", "trace"},
      {"hinge", "l1", "center+trace"},
      {"hinge", "l1", "trace", "silp"},
      {"hinge", "mixed-norm:q=1.5", "cosine"},
      {"hinge", "alignment", "trace"},
      {"hinge", "alignf", "trace"},
      {"hinge", "easy:lambda=0.2", "trace"},
      {"nu-svc:nu=0.4", "lp:p=2", "center+trace"},
      {"squared", "lp:p=2", "center+unit-trace"},
      {"one-class:nu=0.3", "lp:p=2", "trace"},
      {"svdd:nu=0.3", "soft-margin:theta=0.5", "trace"},
  };
  return all;
}

std::string name_of(const Case& c) {
  return fmt::format("{} {} {} {}", c.loss, c.regularizer, c.normalization, c.solver);
}

Dataset data_for(const Case& c) {
  const Dataset data = without_ids(toy_data(40, 71));
  return loss_target(parse_loss(c.loss)) == Target::numbers ? with_numbers(data) : data;
}

TrainOptions options_for(const Case& c) {
  TrainOptions options = toy_options();
  options.kernels = {"rbf(gamma=2^-3..2^0) on a|b", "rbf(width=median) on a", "linear on a, each"};
  options.loss = c.loss;
  options.regularizer = c.regularizer;
  options.normalization = parse_normalization(c.normalization);
  options.solver.solver = c.solver;
  options.solver.tolerance = 1e-4;
  if (!takes_cost(parse_loss(c.loss))) options.C = 1.0;
  if (loss_target(parse_loss(c.loss)) == Target::classes) options.class_weights = {{"yes", 1.5}};
  options.sample_weights.assign(40, 1.0);
  options.sample_weights[3] = 0.5;
  return options;
}

/// What is no claim: it states what was asked, tells where the model comes from, or is the name of
/// a thing.
bool states_no_claim(const std::string& place, const Model& model) {
  for (const char* known :
       {"/settings/solver", "/settings/version", "/settings/seed", "/settings/tolerance"}) {
    if (place == known) return true;
  }
  // What a view is called, and that its rule was asked for, is no claim about numbers.
  if (place.starts_with("/scaling/") && place.ends_with("/view")) return true;
  // Columns that no kernel reads may be others in data that is verified.
  if (place.starts_with("/table_columns/")) return true;
  if (!place.starts_with("/kernels/")) return false;
  const std::size_t slash = place.find('/', 9);
  const ModelKernel& kernel = model.kernels.at(std::stoul(place.substr(9, slash - 9)));
  const std::string field = place.substr(slash + 1);
  if (field == "view" || field == "group") return true;
  // A kernel without weight is a part of the problem that no answer depends on.
  return kernel.weight == 0.0 && field.starts_with("parameters/");
}

TEST(AlteredModel, EveryNumberAndTextOfItIsChecked) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(name_of(c));
    const Dataset data = data_for(c);
    const Model model = decode_model(encode_model(train(data, options_for(c), {}).model));
    ASSERT_EQ(failing(verify(model, data, {})), "");
    alter_each(to_container(model), 3, [&](const Alteration& altered) {
      EXPECT_TRUE(is_noticed(altered, data) || states_no_claim(altered.place, model))
          << altered.place;
    });
  }
}

struct NamedAlteration {
  const char* claim;
  std::function<void(Model&)> alter;
};

std::size_t first_used(const Model& model) {
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    if (model.kernels[m].weight > 0.0) return m;
  }
  return 0;
}

void scale_weight(Model& model, std::size_t m, double factor) {
  model.kernels[m].weight *= factor;
  model.weights.values[m] = model.kernels[m].weight;
}

void scale_norm(Model& model, std::size_t m, double factor) {
  model.kernels[m].norm *= factor;
  model.norms.values[m] = model.kernels[m].norm;
}

std::vector<NamedAlteration> named_alterations() {
  return {{"bias", [](Model& m) { m.tasks[0].bias += 5.0; }},
          {"scaling", [](Model& m) { m.scaling.divisor[0] *= 3.0; }},
          {"predictions", [](Model& m) { m.scaling.divisor[0] *= 3.0; }},
          {"scaling", [](Model& m) { m.scaling.offset[0] += 1.0; }},
          {"kernels", [](Model& m) { m.kernels[first_used(m)].normalization.scale *= 7.0; }},
          {"kernels", [](Model& m) { m.kernels[first_used(m)].normalization.grand_mean += 1.0; }},
          {"kernels",
           [](Model& m) {
             for (double& mean : m.kernels[first_used(m)].normalization.column_means) mean += 1.0;
             if (m.kernels[first_used(m)].normalization.column_means.empty()) {
               m.kernels[first_used(m)].normalization.scale += 1.0;
             }
           }},
          {"weights", [](Model& m) { scale_norm(m, first_used(m), 1.01); }},
          {"weights",
           [](Model& m) {
             for (std::size_t k = 0; k < m.kernels.size(); ++k) scale_weight(m, k, 10.0);
           }},
          {"dual", [](Model& m) { m.tasks[0].coefficients[0] = 1e6; }},
          {"bounds",
           [](Model& m) {
             for (double& a : m.tasks[0].coefficients) a *= m.target == Target::none ? 1.0 : 0.9;
             m.certificate.dual += 1e-3 * std::abs(m.certificate.primal);
           }},
          {"bounds", [](Model& m) { m.certificate.primal *= 0.99; }},
          {"bounds", [](Model& m) { m.certificate.gap = 0.0; }},
          {"bounds", [](Model& m) { m.certificate.inner_gap += 1.0; }},
          {"status", [](Model& m) { m.settings.status = "stalled"; }},
          {"status", [](Model& m) { m.settings.tolerance = 1e-15; }},
          {"support", [](Model& m) { m.support_values(0, 0) += 1.0; }},
          {"data", [](Model& m) { m.sample_weights[0] = 2.0; }},
          {"data", [](Model& m) { m.training_samples = 41, m.sample_weights.push_back(1.0); }}};
}

TEST(AlteredModel, TheClaimThatFailsIsNamed) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(name_of(c));
    const Dataset data = data_for(c);
    const Model model = train(data, options_for(c), {}).model;
    for (const NamedAlteration& named : named_alterations()) {
      // The dual variables of the squared loss have no bounds.
      if (model.target == Target::numbers && named.claim == std::string("dual")) continue;
      Model altered = model;
      named.alter(altered);
      const Verification verification = verify(altered, data, {});
      EXPECT_TRUE(fails(verification, named.claim)) << named.claim << ": " << failing(verification);
    }
  }
}

TEST(AlteredModel, NamesOfClassesThatAreSwappedAreOtherData) {
  const Dataset data = toy_data(40, 71);
  Model model = train(data, toy_options(), {}).model;
  std::swap(model.names[0], model.names[1]);
  EXPECT_EQ(failing(verify(model, data, {})), "data");
}

TEST(AlteredModel, SettingsThatTheDataRefuses) {
  const Case c{"nu-svc:nu=0.4", "lp:p=2", "trace"};
  const Dataset data = data_for(c);
  Model model = train(data, options_for(c), {}).model;
  model.settings.loss = "nu-svc:nu=0.99999";
  model.settings.class_weights = {1e-3, 1.0};
  EXPECT_EQ(failing(verify(model, data, {})), "settings");
}

/// A model whose weights and norms are ten times what was trained: its weights are not in D.
Model with_large_weights(const Case& c, const Dataset& data) {
  Model model = train(data, options_for(c), {}).model;
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    scale_weight(model, m, 10.0);
    scale_norm(model, m, 10.0);
  }
  return model;
}

/// The same problem with another claim: all numbers but one kind are right.
TEST(AlteredModel, WeightsOutsideTheirSetFailWithACertificateThatFits) {
  const Case c{"hinge", "l1", "trace"};
  const Dataset data = data_for(c);
  Model model = with_large_weights(c, data);
  const Verification once = verify(model, data, {});
  model.certificate = once.recomputed;
  model.tasks[0].bias = once.biases.front();
  model.tasks[0].primal = once.recomputed.primal;
  model.tasks[0].gap = once.recomputed.gap;
  model.settings.tolerance = 0.999;
  EXPECT_EQ(failing(verify(model, data, {})), "weights");
}

TEST(AlteredModel, WeightsOutsideTheirSetHaveNoBoundsWhereKernelsAreOfDistances) {
  const Case c{"svdd:nu=0.3", "l1", "trace"};
  const Dataset data = data_for(c);
  const Verification found = verify(with_large_weights(c, data), data, {});
  EXPECT_TRUE(fails(found, "weights"));
  EXPECT_TRUE(fails(found, "bounds"));
}

TEST(AlteredModel, WeightsOfTwoStageRulesComeFromTheRule) {
  const Case c{"hinge", "fixed:0.7,0.1,0.1,0.1,0.1,0.1,0.5,0.4,0.3,0.2,0.1,0", "trace"};
  const Dataset data = data_for(c);
  const Model fixed = train(data, options_for(c), {}).model;
  ASSERT_EQ(failing(verify(fixed, data, {})), "");
  for (const char* rule : {"alignment", "alignf", "easy:lambda=0.2"}) {
    Model model = fixed;
    model.settings.regularizer = rule;
    EXPECT_EQ(failing(verify(model, data, {})), "weights") << rule;
  }
}

TEST(AlteredModel, IndefiniteMatricesAreNoKernels) {
  Dataset data = without_ids(toy_data(40, 72));
  auto matrix = std::make_shared<Matrix>(40, 40);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 40; ++j) {
      (*matrix)(i, j) = (i % 2 == j % 2 ? 1.0 : 0.0) + (i == j ? 1.0 : 0.0);
    }
  }
  data.table.columns.clear();
  data.table.values = Matrix(40, 0);
  data.views.clear();
  data.matrices = {{"similarity", KernelInput::gram, matrix}};
  TrainOptions options;
  options.normalization =
      parse_normalization("trace");  // the change below does not alter the scale
  Model model = train(data, options, {}).model;
  ASSERT_EQ(failing(verify(model, data, {})), "");
  (*matrix)(0, 1) = (*matrix)(1, 0) = -3.0;
  const auto kernels = training_kernels(data.table, data.matrices, {model.kernels[0].description},
                                        model.views, MissingRule::refuse, {}, {}, {});
  const TaskTargets targets =
      encode_targets(model.scheme, model.target, model.names, data.table, 40);
  model.training_hash = fingerprint(targets.values, kernels, model.sample_weights, {});
  const Verification verification = verify(model, data, {});
  ASSERT_TRUE(fails(verification, "kernels"));
  for (const Claim& claim : verification.claims) {
    if (claim.name != "kernels") continue;
    EXPECT_NE(claim.finding.find("not positive semidefinite"), std::string::npos);
  }
}

/// The mend of a prediction that goes wrong is not for verification to know.
TEST(AlteredModel, PredictionsOtherThanTrainedFail) {
  const Case c = cases().front();
  const Dataset data = data_for(c);
  const Model model = train(data, options_for(c), {}).model;
  std::vector<Claim> list;
  Claims claims(list);
  const TaskTargets targets =
      encode_targets(model.scheme, model.target, model.names, data.table, 40);
  const auto found = find_training_data(claims, model, data, targets.values, {});
  ASSERT_TRUE(found);
  Matrix decision = predict(model, data, {}).decision;
  const auto check = [&] {
    claims.open("predictions");
    compare_predictions(claims, model, *found, all_samples(40), decision);
    return claims.holds("predictions");
  };
  EXPECT_TRUE(check());
  decision(5, 0) += 1e-6;
  EXPECT_FALSE(check());
  EXPECT_NE(list.back().finding.find("training sample 6"), std::string::npos)
      << list.back().finding;
}

}  // namespace
}  // namespace kernmix
