#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>

#include "kernmix/error.hpp"
#include "model/example_model.hpp"
#include "model/file/file.hpp"
#include "model/file/model_container.hpp"

namespace kernmix {
namespace {

/// A file name of this test alone, removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& ending)
      : name_(std::filesystem::temp_directory_path() /
              ("kernmix-" + std::to_string(::getpid()) + ending)) {}
  ~TemporaryFile() { std::filesystem::remove(name_); }
  [[nodiscard]] std::string name() const { return name_.string(); }

 private:
  std::filesystem::path name_;
};

/// Loads a model after `change`, with a correct checksum.
void load_changed(const std::function<void(Container&)>& change,
                  const Model& model = example_model()) {
  Container container = to_container(model);
  change(container);
  (void)decode_model(pack(container));
}

TEST(ModelFile, RoundTripsEveryBit) {
  const TemporaryFile file("-round.kmx");
  save_model(example_model(), file.name());
  const Model back = load_model(file.name());
  EXPECT_EQ(pack(to_container(back)), read_file(file.name()));
  EXPECT_EQ(back.settings.seed, example_model().settings.seed);
  EXPECT_EQ(back.training_hash, example_model().training_hash);
  EXPECT_EQ(back.columns, example_model().columns);
  EXPECT_EQ(back.support_values.values, example_model().support_values.values);
  EXPECT_TRUE(std::signbit(back.support_values(1, 0)));
  EXPECT_EQ(back.kernels[0].normalization.column_means, (Vector{0.1, 0.2, 0.3}));
  EXPECT_EQ(back.kernels[2].normalization.rule, example_model().kernels[2].normalization.rule);
  EXPECT_EQ(back.certificate.inner_gap, 0.004);
}

TEST(ModelFile, EqualModelsGiveEqualBytes) {
  EXPECT_EQ(pack(to_container(example_model())), pack(to_container(example_model())));
}

TEST(ModelFile, GoldenFileOfVersion1) {
  const Model model = load_model(KERNMIX_SOURCE_DIR "/tests/model/golden/model-v1.kmx");
  EXPECT_EQ(pack(to_container(model)), pack(to_container(example_model())));
  EXPECT_EQ(model.target, Target::classes);
  EXPECT_EQ(model.settings.bias, "free");
  EXPECT_EQ(model.names[1], "malignant");
  EXPECT_EQ(model.kernels[1].description.view, "similarity");
  EXPECT_EQ(model.tasks[0].coefficients, (Vector{-1.5, 0.5, 1.0}));
}

TEST(ModelFile, GoldenFileOfVersion2) {
  const std::string golden = KERNMIX_SOURCE_DIR "/tests/model/golden/model-v2.kmx";
  const Model model = load_model(golden);
  EXPECT_EQ(encode_model(model), encode_model(example_regression()));
  EXPECT_EQ(model.target, Target::numbers);
  EXPECT_EQ(model.settings.loss, "squared");
  EXPECT_EQ(model.settings.bias, "penalised");
  EXPECT_TRUE(model.names.empty());
}

TEST(ModelFile, RefusesTargetsThatContradictTheRest) {
  const auto set = [](const char* pointer, const Json& value) {
    return [=](Container& c) { c.header[Json::json_pointer(pointer)] = value; };
  };
  EXPECT_NO_THROW(load_changed([](Container&) {}, example_regression()));
  EXPECT_THROW(load_changed(set("/target", "classes"), example_regression()), DataError);
  EXPECT_THROW(load_changed(set("/target", "none"), example_regression()), DataError);
  EXPECT_THROW(load_changed(set("/settings/loss", "hinge"), example_regression()), DataError);
  EXPECT_THROW(
      load_changed(set("/settings/class_weights", Json::array({1.0, 1.0})), example_regression()),
      DataError);
  EXPECT_THROW(load_changed(set("/target", "numbers")), DataError);
}

TEST(ModelFile, RefusesEveryTruncation) {
  const std::string bytes = pack(to_container(example_model()));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW((void)decode_model(bytes.substr(0, size)), DataError) << size;
  }
  EXPECT_THROW((void)decode_model(bytes + '\0'), DataError);
}

TEST(ModelFile, RefusesEveryAlteredByte) {
  const std::string bytes = pack(to_container(example_model()));
  for (std::size_t position = 0; position < bytes.size(); ++position) {
    for (const int change : {0x01, 0x80, 0xff}) {
      std::string altered = bytes;
      altered[position] = static_cast<char>(altered[position] ^ change);
      EXPECT_THROW((void)decode_model(altered), DataError) << position;
    }
  }
}

TEST(ModelFile, NamesWhatIsNotAModel) {
  const TemporaryFile file("-text.kmx");
  write_file(file.name(), "radius,texture\n1,2\n3,4\n5,6\n7,8\n");
  try {
    (void)load_model(file.name());
    FAIL();
  } catch (const DataError& failure) {
    EXPECT_NE(std::string(failure.what()).find(file.name()), std::string::npos);
    EXPECT_NE(std::string(failure.what()).find("not a kernmix file"), std::string::npos);
  }
  EXPECT_THROW((void)load_model("/nonexistent/model.kmx"), DataError);
  EXPECT_THROW((void)load_model("/dev/zero"), DataError);
  EXPECT_THROW((void)load_model("/"), DataError);
}

TEST(ModelFile, RefusesToReplaceWhatIsNoFile) {
  EXPECT_THROW(save_model(example_model(), "/dev/null"), ResourceError);
  EXPECT_THROW(save_model(example_model(), std::filesystem::temp_directory_path().string()),
               ResourceError);
  EXPECT_THROW(save_model(example_model(), "/nonexistent/model.kmx"), ResourceError);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(ModelFile, RefusesNamesThatAreNotUtf8) {
  Model model = example_model();
  model.names[1] = "caf\xe9";
  const TemporaryFile file("-latin.kmx");
  EXPECT_THROW(save_model(model, file.name()), DataError);
  EXPECT_FALSE(std::filesystem::exists(file.name()));
}

TEST(ModelFile, TheUnchangedExamplePasses) {
  EXPECT_NO_THROW(load_changed([](Container&) {}));
}

struct Hostile {
  std::string what;
  std::function<void(Container&)> change;
};

const std::vector<Hostile>& hostile_headers() {
  const auto set = [](const char* pointer, const Json& value) {
    return Hostile{std::string(pointer) + " = " + value.dump().substr(0, 40),
                   [=](Container& c) { c.header[Json::json_pointer(pointer)] = value; }};
  };
  static const std::vector<Hostile> cases = {
      set("/format", "kernmix run"),
      set("/format", 7),
      set("/target", "sideways"),
      set("/target", 1),
      set("/names", Json::array({1, 2})),
      set("/names/0", "malignant"),
      set("/names", Json::array()),
      set("/scheme", "sideways"),
      set("/scheme", "one-vs-one"),
      set("/sharing", "separate"),
      set("/tasks/0/threshold", 0.5),
      set("/tasks/0/positive", 0),
      set("/settings/C", -1.0),
      set("/settings/C", nullptr),
      set("/settings/C", "10"),
      set("/settings/C", true),
      set("/settings/class_weights", Json::array({1.0})),
      set("/settings/class_weights", Json::array({1.0, "x"})),
      set("/settings/loss", "nope"),
      set("/settings/loss", "squared"),
      set("/settings/bias", "nope"),
      set("/settings/bias", 0),
      set("/settings/regularizer", "lp:p=0"),
      set("/settings/regularizer", "fixed:1,2"),
      set("/settings/tolerance", 2.0),
      set("/settings/seed", "-1"),
      set("/training_samples", -5),
      set("/training_samples", 4),
      set("/training_samples", 1e300),
      set("/training_samples", 18446744073709551615ULL),
      set("/training_hash", "xyz"),
      set("/scaling", "standard"),
      set("/scaling", Json::array()),
      set("/scaling/0/rule", "sideways"),
      set("/scaling/0/rule", "auto"),
      set("/scaling/0/rule", "minmax"),
      set("/scaling/0/asked", "none"),
      set("/scaling/0/view", 3),
      set("/scaling/0/columns", Json::array({"radius"})),
      set("/scaling/0/columns", Json::array({"radius", "radius"})),
      set("/columns", Json::array({"radius", "radius"})),
      set("/columns", Json::array({"radius"})),
      set("/columns", Json::array({"radius", 1})),
      set("/columns", "radius"),
      set("/matrices", Json::array()),
      set("/kernels", Json::array()),
      set("/kernels", 3),
      set("/kernels/0", 3),
      set("/kernels/0/function", "nope"),
      set("/kernels/0/parameters", Json::object({{"gamma", 1.0}})),
      set("/kernels/0/parameters", Json::object({{"gamma", Json::array()}})),
      set("/kernels/0/relative_width", 2.0),
      set("/kernels/0/relative_width", Json::object({{"factor", 2.0}, {"distance", "median"}})),
      set("/kernels/0/columns", Json::array()),
      set("/kernels/0/columns", Json::array({"unknown"})),
      set("/kernels/0/normalization", "sideways"),
      set("/kernels/0/weight", -0.5),
      set("/kernels/0/weight", 0.0),
      set("/kernels/0/norm", -1.0),
      set("/kernels/0/scale", -0.1),
      set("/kernels/1/scale", 0.0),
      set("/kernels/0/centred", false),
      set("/kernels/2/centred", true),
      set("/kernels/1/from_matrix", false),
      set("/kernels/1/view", "other"),
      set("/support_ids", Json::array({"a"})),
      set("/support_ids", Json::array({"a", "a", "b"})),
  };
  return cases;
}

TEST(ModelFile, RefusesHostileHeadersWithACorrectChecksum) {
  for (const Hostile& hostile : hostile_headers()) {
    EXPECT_THROW(load_changed(hostile.change), DataError) << hostile.what;
  }
}

TEST(ModelFile, RefusesEveryMissingKeyAndBlock) {
  const Container whole = to_container(example_model());
  for (const auto& [key, value] : whole.header.items()) {
    const std::string name = key;
    EXPECT_THROW(load_changed([&](Container& c) { c.header.erase(name); }), DataError) << name;
  }
  for (std::size_t i = 0; i < whole.blocks.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    EXPECT_THROW(load_changed([=](Container& c) { c.blocks.erase(c.blocks.begin() + at); }),
                 DataError)
        << whole.blocks[i].name;
  }
}

TEST(ModelFile, RefusesHostileNumbersInBlocks) {
  const Container whole = to_container(example_model());
  for (std::size_t i = 0; i < whole.blocks.size(); ++i) {
    if (whole.blocks[i].values.values.empty()) continue;  // as weights of samples that have none
    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), -1e300}) {
      const auto poison = [=](Container& c) { c.blocks[i].values.values[0] = value; };
      const bool any_finite =
          whole.blocks[i].name == "scaling_offset" || whole.blocks[i].name == "task_coefficients" ||
          whole.blocks[i].name == "support_values" || whole.blocks[i].name == "column_means";
      if (any_finite && std::isfinite(value)) continue;
      EXPECT_THROW(load_changed(poison), DataError) << whole.blocks[i].name << " " << value;
    }
  }
}

/// A file of the given header text, with a correct frame and checksum around no block at all.
std::string framed(const std::string& header, std::uint64_t claimed_length) {
  Container empty;
  empty.header["format"] = "x";
  std::string bytes = pack(empty);
  const std::size_t old_length = bytes.size() - 32;
  bytes.replace(24, old_length, header);
  for (std::size_t byte = 0; byte < 8; ++byte) {
    bytes[16 + byte] = static_cast<char>(static_cast<unsigned char>(claimed_length >> (8 * byte)));
  }
  return with_checksum(bytes.substr(0, bytes.size() - 8));
}

std::string padded(std::string text) {
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

TEST(ModelFile, RefusesHostileFrames) {
  const std::string nested = padded(std::string(1 << 20, '['));
  const std::string deep =
      padded("{\"a\":" + std::string(1000, '[') + std::string(1000, ']') + "}");
  const std::string huge = padded(R"({"format":"kernmix model","blocks":[)"
                                  R"({"name":"x","rows":9007199254740992,"cols":2,"offset":0}]})");
  const std::string wide =
      padded(R"({"format":"kernmix model","blocks":[)"
             R"({"name":"x","rows":4294967296,"cols":4294967296,"offset":0}]})");
  const std::string gap = padded(R"({"format":"kernmix model","blocks":[)"
                                 R"({"name":"x","rows":0,"cols":1,"offset":8}]})");
  for (const std::string& header :
       {nested, deep, huge, wide, gap, padded("[]"), padded("nul"), padded("{\"a\":1e999}"),
        padded("{\"a\":\"\xff\"}"), std::string()}) {
    EXPECT_THROW((void)decode_model(framed(header, header.size())), DataError)
        << header.substr(0, 60);
  }
  const std::string good = padded("{}");
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{16},
                                     std::uint64_t{1} << 40, ~std::uint64_t{0} - 7}) {
    EXPECT_THROW((void)decode_model(framed(good, length)), DataError) << length;
  }
}

/// The time to find a key grows with their number.
TEST(ModelFile, RefusesObjectsOfManyKeys) {
  std::string many = R"({"format":"kernmix model")";
  for (int key = 0; key < 1000; ++key) many += ",\"" + std::to_string(key) + "\":0";
  many = padded(many + "}");
  try {
    (void)decode_model(framed(many, many.size()));
    FAIL() << "a header of 1001 keys was read";
  } catch (const DataError& failure) {
    EXPECT_NE(std::string(failure.what()).find("too many keys"), std::string::npos);
  }
}

TEST(ModelFile, KeepsHowNewSamplesAreRead) {
  Model model = example_model();
  model.table_columns = {"z", model.columns[0], "a"};
  model.categories = {{"a", {"no", "yes"}}, {"z", {"x"}}};
  model.class_type = "boolean";
  const Model back = decode_model(encode_model(model));
  EXPECT_EQ(back.table_columns, model.table_columns);
  EXPECT_EQ(back.class_type, "boolean");
  ASSERT_EQ(back.categories.size(), 2u);
  EXPECT_EQ(back.categories[0].column, "a");
  EXPECT_EQ(back.categories[0].values, model.categories[0].values);
}

TEST(ModelFile, RefusesImpossibleColumnsAndWords) {
  Model model = example_model();
  model.table_columns = {"a", "b"};
  model.categories = {{"a", {"no", "yes"}}};
  const auto set = [](const char* pointer, const Json& value) {
    return [=](Container& c) { c.header[Json::json_pointer(pointer)] = value; };
  };
  EXPECT_NO_THROW(load_changed([](Container&) {}, model));
  EXPECT_THROW(load_changed(set("/table_columns/1", "a"), model), DataError);
  EXPECT_THROW(load_changed(set("/table_columns", 3), model), DataError);
  EXPECT_THROW(load_changed(set("/categories/0/column", "c"), model), DataError);
  EXPECT_THROW(load_changed(set("/categories/0/values/1", "no"), model), DataError);
  EXPECT_THROW(load_changed(set("/categories/0/values", Json::array()), model), DataError);
  EXPECT_THROW(load_changed(set("/categories/0", "a"), model), DataError);
  EXPECT_THROW(load_changed(set("/class_type", "colour"), model), DataError);
}

}  // namespace
}  // namespace kernmix
