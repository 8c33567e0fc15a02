#include "kernmix/settings.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "kernmix/error.hpp"
#include "toy_data.hpp"

namespace kernmix {
namespace {

using Texts = std::vector<std::string>;

/// Values of every setting that are not its default.
const std::map<std::string, std::vector<Texts>> kOthers = {
    {"kernels", {{"linear"}, {"rbf(gamma=1)", "linear"}}},
    {"normalization", {{"cosine"}, {"center+trace"}}},
    {"combination", {{"product"}}},
    {"weight_penalty", {{"linear:lambda=0.5"}, {"quadratic:lambda=2"}}},
    {"weight_start", {{"0.25"}}},
    {"scaling", {{"none"}, {"standard", "a=minmax"}}},
    {"assume_psd", {{"true"}}},
    {"repair", {{"clip"}, {"flip"}}},
    {"landmarks", {{"none"}, {"300"}, {"ids.txt"}}},
    {"certificate", {{"exact"}}},
    {"missing", {{"mean"}, {"median+indicator"}}},
    {"absent", {{"drop"}, {"refuse"}}},
    {"regularizer", {{"lp:p=1.5"}, {"average"}}},
    {"loss", {{"squared"}, {"epsilon:eps=0.25"}}},
    {"C", {{"0.1"}, {"1e-30"}}},
    {"bias", {{"none"}, {"penalised"}}},
    {"class_weights", {{"balanced"}, {"a=2", "b=c=0.1"}}},
    {"positive", {{"yes"}}},
    {"scheme", {{"one-vs-one"}, {"joint"}}},
    {"coupling", {{"minimax"}, {"separate"}}},
    {"threshold_folds", {{"3"}}},
    {"calibration", {{"platt"}, {"beta"}}},
    {"calibration_folds", {{"2"}}},
    {"solver", {{"newton"}}},
    {"tolerance", {{"1e-05"}}},
    {"max_iterations", {{"1"}}},
    {"without", {{"a"}, {"a", "b"}}}};

TEST(Settings, HaveDifferentNamesFlagsAndKeys) {
  std::set<std::string> names;
  std::set<std::string> keys;
  for (const Field& field : fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_TRUE(keys.insert(field.key()).second) << field.key();
    EXPECT_EQ(field_of_key(field.key()), &field);
    EXPECT_EQ(&field_named(field.name), &field);
    EXPECT_FALSE(field.help.empty()) << field.name;
    EXPECT_EQ(kOthers.count(field.name), 1U) << field.name << ": give this test other values";
  }
  EXPECT_EQ(field_of_key("cost"), field_of_key("C"));
  EXPECT_EQ(field_of_key("colour"), nullptr);
}

TEST(Settings, NothingWrittenIsTheDefaults) {
  const TrainOptions defaults;
  const TrainOptions read = options_of({});
  for (const Field& field : fields()) EXPECT_EQ(field.texts(read), field.texts(defaults));
}

/// Each setting changes its own text and no other one, and texts read back.
TEST(Settings, ReadBackWhatTheyWrite) {
  for (const auto& [name, values] : kOthers) {
    for (const Texts& value : values) {
      const TrainOptions options = options_of({{name, value}});
      const TrainOptions again = options_of({{name, field_named(name).texts(options)}});
      for (const Field& field : fields()) {
        EXPECT_EQ(field.texts(again), field.texts(options)) << name;
        const bool changed = field.texts(options) != field.texts(TrainOptions());
        EXPECT_EQ(changed, field.name == name) << name << " and " << field.name;
      }
    }
  }
}

TEST(Settings, RefuseOtherValuesByTheNameThatTheCallerUses) {
  const std::vector<std::pair<std::string, Texts>> bad = {{"C", {"0"}},
                                                          {"C", {"1e60"}},
                                                          {"C", {"x"}},
                                                          {"tolerance", {"-1"}},
                                                          {"max_iterations", {"0"}},
                                                          {"calibration_folds", {"1"}},
                                                          {"scaling", {"wrong"}},
                                                          {"assume_psd", {"maybe"}},
                                                          {"threshold_folds", {"-1"}},
                                                          {"coupling", {"all"}},
                                                          {"class_weights", {"a"}},
                                                          {"class_weights", {"a=0"}},
                                                          {"repair", {"mend"}},
                                                          {"missing", {"zero"}},
                                                          {"absent", {"zero"}},
                                                          {"class_weights", {"a=1", "a=2"}}};
  for (const auto& [name, texts] : bad) {
    for (const SettingNames called : {SettingNames::flags, SettingNames::names}) {
      const std::string flag = name == "C" ? "-C" : field_named(name).flag;
      const std::string expected = called == SettingNames::flags ? flag : name;
      try {
        (void)options_of({{name, texts}}, called);
        ADD_FAILURE() << name << " takes " << texts.front();
      } catch (const ParameterError& error) {
        EXPECT_EQ(std::string(error.what()).rfind(expected, 0), 0U) << error.what();
      }
    }
  }
  EXPECT_THROW((void)options_of({{"colour", {"red"}}}), ParameterError);
}

/// Models share kernels exactly where Training computes them once.
TEST(Settings, ShareKernelsAsTrainingDoes) {
  const Dataset data = toy_data(20, 3);
  for (const auto& [name, values] : kOthers) {
    const Field& field = field_named(name);
    if (field.name == "solver" || field.name == "without" || field.name == "positive") continue;
    TrainOptions first;
    first.kernels = {"rbf(width=median) on *", "linear on *"};
    TrainOptions second = first;
    field.set(second, values.front(), field.name);
    if (field.kind == SettingKind::kernels) {
      EXPECT_FALSE(share_kernels(first, second)) << name;
    } else if (loss_target(second.loss) == Target::classes && second.bias == Bias::free) {
      EXPECT_TRUE(share_kernels(first, second)) << name;
    }
  }
}

}  // namespace
}  // namespace kernmix
