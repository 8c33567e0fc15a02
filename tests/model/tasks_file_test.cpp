/// \file
/// The model file of many tasks: every bit comes back, and nothing hostile gets in.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>

#include "kernmix/error.hpp"
#include "model/example_tasks.hpp"
#include "model/file/file.hpp"
#include "model/file/model_container.hpp"

namespace kernmix::testing {
namespace {

std::string bytes_of(const Model& model) { return encode_model(model); }

/// Loads a model after `change`, with a correct checksum.
void load_changed(const std::function<void(Container&)>& change,
                  const Model& model = example_labels()) {
  Container container = to_container(model);
  change(container);
  (void)decode_model(pack(container));
}

TEST(TasksFile, RoundTripsEveryBit) {
  for (const Model& model : {example_labels(), example_pairs(), example_joint()}) {
    const Model back = decode_model(bytes_of(model));
    EXPECT_EQ(bytes_of(back), bytes_of(model));
    EXPECT_EQ(back.names, model.names);
    EXPECT_EQ(back.weights.values, model.weights.values);
    EXPECT_EQ(back.norms.values, model.norms.values);
    EXPECT_EQ(back.gamma, model.gamma);
    for (std::size_t k = 0; k < model.tasks.size(); ++k) {
      EXPECT_EQ(back.tasks[k].support, model.tasks[k].support);
      EXPECT_EQ(back.tasks[k].coefficients, model.tasks[k].coefficients);
      EXPECT_EQ(back.tasks[k].witness, model.tasks[k].witness);
      EXPECT_EQ(back.tasks[k].negative, model.tasks[k].negative);
      EXPECT_EQ(back.tasks[k].threshold, model.tasks[k].threshold);
    }
  }
}

TEST(TasksFile, GoldenFilesOfVersion3) {
  const std::vector<std::pair<std::string, Model>> files = {{"multi-v3.kmx", example_labels()},
                                                            {"joint-v3.kmx", example_joint()}};
  for (const auto& [name, example] : files) {
    const std::string golden = KERNMIX_SOURCE_DIR "/tests/model/golden/" + name;
    const Model model = load_model(golden);
    EXPECT_EQ(bytes_of(model), bytes_of(example));
  }
}

TEST(TasksFile, GoldenFilesOfVersion4) {
  const std::vector<std::pair<std::string, Model>> files = {
      {"regression-v4.kmx", example_regression()}, {"labels-v4.kmx", example_labels()}};
  for (const auto& [name, example] : files) {
    const std::string golden = KERNMIX_SOURCE_DIR "/tests/model/golden/" + name;
    EXPECT_EQ(bytes_of(load_model(golden)), bytes_of(example));
  }
}

/// Two views of which one has roots and the rule of the other was chosen.
Model example_scaled() {
  Model model = example_labels();
  model.views = {{"roots", ScalingRule::root, ScalingRule::root, {model.columns[0]}},
                 {"a=b", ScalingRule::automatic, ScalingRule::none, {model.columns[1]}}};
  model.scaling = {{0.0, 0.0}, {1.0, 1.0}, {true, false}};
  return model;
}

/// Run with KERNMIX_WRITE_GOLDEN=1 to write the files of a new version.
TEST(TasksFile, GoldenFilesOfVersion6) {
  const std::vector<std::pair<std::string, Model>> files = {{"labels-v6.kmx", example_labels()},
                                                            {"scaled-v6.kmx", example_scaled()}};
  for (const auto& [name, example] : files) {
    const std::string golden = KERNMIX_SOURCE_DIR "/tests/model/golden/" + name;
    if (std::getenv("KERNMIX_WRITE_GOLDEN") != nullptr) save_model(example, golden);
    EXPECT_EQ(bytes_of(load_model(golden)), read_file(golden));
    EXPECT_EQ(bytes_of(example), read_file(golden));
  }
}

TEST(TasksFile, RefusesEveryTruncationAndAlteredByte) {
  const std::string bytes = bytes_of(example_labels());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW((void)decode_model(bytes.substr(0, size)), DataError) << size;
    std::string altered = bytes;
    altered[size] = static_cast<char>(altered[size] ^ 0x80);
    EXPECT_THROW((void)decode_model(altered), DataError) << size;
  }
}

TEST(TasksFile, RefusesEveryMissingKeyAndBlock) {
  const Container whole = to_container(example_labels());
  for (const auto& [key, value] : whole.header.items()) {
    const std::string name = key;
    EXPECT_THROW(load_changed([&](Container& c) { c.header.erase(name); }), DataError) << name;
  }
  for (const auto& [key, value] : whole.header["tasks"][0].items()) {
    const std::string name = key;
    EXPECT_THROW(load_changed([&](Container& c) { c.header["tasks"][0].erase(name); }), DataError)
        << name;
  }
  for (std::size_t i = 0; i < whole.blocks.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    EXPECT_THROW(load_changed([=](Container& c) { c.blocks.erase(c.blocks.begin() + at); }),
                 DataError)
        << whole.blocks[i].name;
  }
}

TEST(TasksFile, RefusesHostileHeadersWithACorrectChecksum) {
  EXPECT_NO_THROW(load_changed([](Container&) {}));
  EXPECT_NO_THROW(load_changed([](Container&) {}, example_pairs()));
  EXPECT_NO_THROW(load_changed([](Container&) {}, example_joint()));
  std::vector<std::pair<std::string, Json>> cases = {
      {"/format", "kernmix run"},
      {"/format", 3},
      {"/scheme", "sideways"},
      {"/scheme", "one-vs-one"},
      {"/scheme", "one-vs-rest"},
      {"/scheme", "joint"},
      {"/sharing", "sum"},
      {"/sharing", "joint"},
      {"/sharing", 1},
      {"/names", Json::array({"quiet"})},
      {"/names", Json::array({"quiet", "quiet"})},
      {"/names", Json::array({"quiet", "loud"})},
      {"/names", Json::array()},
      {"/settings/loss", "squared"},
      {"/settings/loss", "crammer-singer"},
      {"/settings/class_weights", Json::array({1.0, 1.0})},
      {"/certificate/primal", nullptr},
      {"/tasks", Json::array()},
      {"/tasks", 2},
      {"/tasks/0", 2},
      {"/tasks/0/name", "other"},
      {"/tasks/0/positive", 1},
      {"/tasks/0/positive", -1},
      {"/tasks/0/negative", 1},
      {"/tasks/0/negative", -1},
      {"/tasks/0/support_vectors", 3},
      {"/tasks/0/support_vectors", 9007199254740992ULL},
      {"/tasks/0/support_vectors", 1},
      {"/tasks/0/proof", false},
      {"/tasks/1/proof", 0},
      {"/tasks/0/bias", "x"},
      {"/tasks/0/threshold", nullptr},
      {"/kernels/0/weight", 0.5},
      {"/kernels/0/norm", 1.0},
      {"/kernels/2/weight", 0.25},
  };
  for (const auto& [pointer, value] : cases) {
    const auto set = [&](Container& c) { c.header[Json::json_pointer(pointer)] = value; };
    EXPECT_THROW(load_changed(set), DataError) << pointer << " = " << value.dump();
  }
  const std::vector<std::pair<std::string, Json>> joint = {
      {"/sharing", "sum"},      {"/settings/loss", "logistic"}, {"/settings/bias", "penalised"},
      {"/tasks/0/primal", 1.0}, {"/tasks/2/gap", 0.5},          {"/tasks/1/negative", 2}};
  for (const auto& [pointer, value] : joint) {
    const auto set = [&](Container& c) { c.header[Json::json_pointer(pointer)] = value; };
    EXPECT_THROW(load_changed(set, example_joint()), DataError) << pointer;
  }
  const auto threshold = [](Container& c) { c.header["tasks"][0]["threshold"] = 0.5; };
  EXPECT_THROW(load_changed(threshold, example_pairs()), DataError);
  EXPECT_THROW(load_changed([](Container& c) { c.version = 2; }), DataError);
}

TEST(TasksFile, RefusesHostileNumbersInBlocks) {
  for (const Model& model : {example_labels(), example_pairs()}) {
    const Container whole = to_container(model);
    for (std::size_t i = 0; i < whole.blocks.size(); ++i) {
      const std::string& name = whole.blocks[i].name;
      for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), -1e300}) {
        const bool any_finite = name == "scaling_offset" || name == "task_coefficients" ||
                                name == "support_values" || name == "column_means" ||
                                name == "task_proof";
        if (any_finite && std::isfinite(value)) continue;
        const auto poison = [=](Container& c) { c.blocks[i].values.values[0] = value; };
        EXPECT_THROW(load_changed(poison, model), DataError) << name << " " << value;
      }
    }
  }
}

TEST(TasksFile, RefusesBlocksOfOtherShapes) {
  for (const char* name : {"weights", "norms"}) {
    const auto turned = [&](Container& c) {
      for (Block& block : c.blocks) {
        if (block.name == name) std::swap(block.values.rows, block.values.cols);
      }
    };
    EXPECT_THROW(load_changed(turned), DataError) << name;
  }
}

}  // namespace
}  // namespace kernmix::testing
