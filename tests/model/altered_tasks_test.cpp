// Whatever of a model of many tasks is altered, `verify` says which claim does not hold.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "altered_container.hpp"
#include "kernmix/error.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

Dataset data_without_ids(const SchemeCase& c) {
  Dataset data = data_for(c.scheme, 40, 81);
  data.table.ids.clear();
  return data;
}

TrainOptions options_for(const SchemeCase& c, const std::string& regularizer) {
  TrainOptions options = toy_task_options(c.sharing, c.scheme);
  options.kernels = {"rbf(gamma=2^-3..2^-1) on a|b"};
  options.regularizer = regularizer;
  options.normalization = parse_normalization("center+trace");
  return options;
}

bool states_no_claim(const std::string& place) {
  if (place.starts_with("/scaling/") && place.ends_with("/view")) return true;
  for (const char* known :
       {"/settings/solver", "/settings/version", "/settings/seed", "/settings/tolerance"}) {
    if (place == known) return true;
  }
  // Chosen by cross-fitting, which the model does not repeat.
  if (place.starts_with("/tasks/") && place.ends_with("/threshold")) return true;
  if (place.starts_with("/scaling/") && place.ends_with("/view")) return true;
  // Columns that no kernel reads may be others in data that is verified.
  if (place.starts_with("/table_columns/")) return true;
  if (!place.starts_with("/kernels/")) return false;
  const std::size_t slash = place.find('/', 9);
  const std::string field = place.substr(slash + 1);
  return field == "view" || field == "group";
}

TEST(AlteredTasks, EveryNumberAndTextOfItIsChecked) {
  for (const SchemeCase& c : scheme_cases()) {
    SCOPED_TRACE(name_of(c));
    const Dataset data = data_without_ids(c);
    const TrainOptions options = options_for(c, "lp:p=2");
    const Model model = train(data, options, {}).model;
    ASSERT_EQ(failing(verify(model, data, {})), "");
    // A second dual vector that proves no more than the first is not needed.
    Model without = model;
    for (TaskModel& task : without.tasks) task.witness.clear();
    const bool needs_proof = !verify(without, data, {}).agrees;
    alter_each(to_container(model), 3, [&](const Alteration& altered) {
      bool noticed = false;
      try {
        const Model read = decode_model(pack(altered.container));
        noticed = !verify(read, data, {}).agrees;
      } catch (const DataError&) {
        noticed = true;
      }
      const bool idle = !needs_proof && altered.place.starts_with("block task_proof");
      EXPECT_TRUE(noticed || idle || states_no_claim(altered.place)) << altered.place;
    });
  }
}

struct NamedAlteration {
  const char* claim;
  std::function<void(Model&)> alter;
};

std::vector<NamedAlteration> named_alterations() {
  return {{"bias", [](Model& m) { m.tasks[1].bias += 3.0; }},
          {"scaling", [](Model& m) { m.scaling.divisor[0] *= 3.0; }},
          {"kernels", [](Model& m) { m.kernels[0].normalization.scale *= 7.0; }},
          {"kernels",
           [](Model& m) {
             for (double& mean : m.kernels[0].normalization.column_means) mean += 1.0;
           }},
          {"weights",
           [](Model& m) {  // by a power of two: means over tasks stay what they were
             for (double& weight : m.weights.values) weight *= 8.0;
             for (ModelKernel& kernel : m.kernels) kernel.weight *= 8.0;
           }},
          {"weights",
           [](Model& m) {  // that of the kernel is the root of the sum of their squares
             const double before = m.norms(1, 0);
             m.norms(1, 0) *= 1.01;
             double& norm = m.kernels[0].norm;
             norm = std::sqrt(norm * norm - before * before + m.norms(1, 0) * m.norms(1, 0));
           }},
          {"dual", [](Model& m) { m.tasks[0].coefficients[0] = 1e6; }},
          {"bounds", [](Model& m) { m.certificate.primal *= 0.99; }},
          {"bounds", [](Model& m) { m.certificate.dual += 1.0; }},
          {"status", [](Model& m) { m.settings.status = "time limit"; }},
          {"support", [](Model& m) { m.support_values(0, 0) += 1.0; }}};
}

TEST(AlteredTasks, TheClaimThatFailsIsNamed) {
  for (const SchemeCase& c : scheme_cases()) {
    SCOPED_TRACE(name_of(c));
    const Dataset data = data_without_ids(c);
    const Model model = train(data, options_for(c, "lp:p=2"), {}).model;
    for (const NamedAlteration& named : named_alterations()) {
      Model altered = model;
      named.alter(altered);
      const Verification verification = verify(altered, data, {});
      // Dual vectors of numbers have no box: what they prove is another bound.
      const bool unbounded = c.scheme == TaskScheme::targets && std::string("dual") == named.claim;
      EXPECT_TRUE(fails(verification, unbounded ? "bounds" : named.claim))
          << named.claim << ": " << failing(verification);
    }
  }
}

TEST(AlteredTasks, BoundsOfTasksAreTheirOwn) {
  const SchemeCase c{TaskScheme::one_vs_rest, "separate"};
  const Dataset data = data_without_ids(c);
  Model model = train(data, options_for(c, "l1"), {}).model;
  // The sum over the tasks stays.
  model.tasks[0].primal += 0.5;
  model.tasks[1].primal -= 0.5;
  EXPECT_EQ(failing(verify(model, data, {})), "bounds");
}

TEST(AlteredTasks, WeightsOfTwoStageRulesComeFromTheRule) {
  const SchemeCase c{TaskScheme::one_vs_rest, "separate"};
  const Dataset data = data_without_ids(c);
  const Model fixed = train(data, options_for(c, "fixed:0.7,0.1,0.1,0.1,0.1,0.7"), {}).model;
  for (const char* rule : {"alignment", "alignf", "easy:lambda=0.2"}) {
    EXPECT_EQ(failing(verify(train(data, options_for(c, rule), {}).model, data, {})), "");
    Model model = fixed;
    model.settings.regularizer = rule;
    EXPECT_EQ(failing(verify(model, data, {})), "weights") << rule;
  }
}

}  // namespace
}  // namespace kernmix::testing
