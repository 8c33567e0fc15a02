#include "config.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>

#include "command.hpp"
#include "kernmix/error.hpp"

namespace kernmix::cli {
namespace {

/// A tool with two commands of a few options, and a configuration file.
class Config : public ::testing::Test {
 protected:
  void SetUp() override {
    app_.require_subcommand(0, 1);
    (void)app_.add_subcommand("other");
    command_ = app_.add_subcommand("train");
    OptionGroup options(*command_, "");
    options.value("--label", label_, "COL", "");
    options.value("-C,--cost", cost_, "NUMBER", "");
    options.values("--kernel", kernels_, "EXPR", "");
    options.values("DATA", data_, reads("FILE"), "");
    options.toggle("--quiet", quiet_, "");
  }
  void TearDown() override { std::filesystem::remove(file_); }

  void apply(const std::string& toml, const std::string& line = "train") {
    std::ofstream(file_) << toml;
    app_.parse(line);
    apply_config(*command_, file_);
  }
  std::string refusal(const std::string& toml) {
    try {
      apply(toml);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  CLI::App app_{"tool"};
  CLI::App* command_ = nullptr;
  std::string file_ = ::testing::TempDir() + "kernmix_config_test_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml";
  std::string label_;
  std::string cost_ = "1";
  std::vector<std::string> kernels_;
  std::vector<std::string> data_;
  bool quiet_ = false;
};

TEST_F(Config, KeysAreOptions) {
  apply("label = 'y'\nC = 10\nkernel = ['linear', 'rbf']\nquiet = true\ndata = 'a.csv'\n");
  EXPECT_EQ(label_, "y");
  EXPECT_EQ(cost_, "10");
  EXPECT_EQ(kernels_, (std::vector<std::string>{"linear", "rbf"}));
  EXPECT_EQ(data_, std::vector<std::string>{"a.csv"});
  EXPECT_TRUE(quiet_);
}

TEST_F(Config, FlagsWin) {
  apply("label = 'y'\nkernel = ['linear']\n", "train --label z --kernel rbf");
  EXPECT_EQ(label_, "z");
  EXPECT_EQ(kernels_, std::vector<std::string>{"rbf"});
}

TEST_F(Config, TablesBelongToCommands) {
  apply("label = 'y'\n[train]\ncost = 0.5\n[other]\nanything = 3\n");
  EXPECT_EQ(label_, "y");
  EXPECT_EQ(cost_, "0.5");
}

TEST_F(Config, TheTableOfTheCommandWins) {
  apply("C = 10\nlabel = 'y'\n[train]\ncost = 0.5\nlabel = 'z'\n");
  EXPECT_EQ(cost_, "0.5");
  EXPECT_EQ(label_, "z");
}

TEST_F(Config, TwoKeysOfOneOptionAreRefused) {
  const std::string message = refusal("C = 10\nlabel = 'y'\ncost = 3\n");
  EXPECT_NE(message.find(file_ + ":3: 'C' and 'cost' are the same option"), std::string::npos)
      << message;
}

TEST_F(Config, UnknownKeysAreRefusedWithTheirLine) {
  const std::string message = refusal("label = 'y'\nlable = 'z'\n");
  EXPECT_NE(message.find(file_ + ":2: unknown key 'lable', did you mean 'label'?"),
            std::string::npos)
      << message;
}

TEST_F(Config, ValuesMustFit) {
  EXPECT_NE(refusal("label = ['y', 'z']").find("takes one value"), std::string::npos);
  EXPECT_NE(refusal("quiet = 'yes'").find("true or false"), std::string::npos);
  EXPECT_NE(refusal("label = true").find("must not be true or false"), std::string::npos);
  EXPECT_NE(refusal("label = {a = 1}").find("must be text"), std::string::npos);
  EXPECT_NE(refusal("label = ").find(":1: not TOML"), std::string::npos);
  EXPECT_NE(refusal("label = ''").find("must not be empty"), std::string::npos);
}

/// The parser calls itself for each part of a key.
TEST_F(Config, DeepKeysAreRefused) {
  std::string key = "a";
  for (int depth = 0; depth < 40000; ++depth) key += ".a";
  for (const std::string& text : {key + " = 1\n", "[" + key + "]\n", "x = {" + key + " = 1}\n"}) {
    EXPECT_NE(refusal(text).find("a key of more than 100 parts"), std::string::npos);
  }
  for (const std::string part : {"\"=\"", "'['", "\"\\\"=\"", "'{'", "\"#\"", "\"\""}) {
    std::string quoted = part;
    for (int depth = 0; depth < 40000; ++depth) quoted += " . " + part;
    EXPECT_NE(refusal(quoted + " = 1\n").find("a key of more than 100 parts"), std::string::npos)
        << part;
  }
  EXPECT_NE(refusal("x = " + std::string(40000, '[')).find("not TOML"), std::string::npos);
  apply("kernel = ['2..5', '0.5', '1e-3..1e3']\nlabel = 'a.b.c'\n");
  EXPECT_EQ(label_, "a.b.c");
}

TEST_F(Config, DotsOfTextAndCommentsAreNoDepth) {
  const std::string dots(500, '.');
  for (const std::string quote : {"'", "\"", "\'\'\'", "\"\"\""}) {
    label_.clear();
    apply("# it's a comment" + dots + "\nlabel = " + quote + dots + quote + " # \"" + dots + "\n");
    EXPECT_EQ(label_, dots);
  }
}

/// The key of an option in a file: its long name, its letter, or the name of DATA in small letters.
std::string key_of(const CLI::Option& option) {
  if (!option.get_lnames().empty()) return option.get_lnames().front();
  if (!option.get_snames().empty()) return option.get_snames().front();
  std::string key = option.get_name();
  for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return key;
}

/// What an option of a command receives on the command line or, with `toml`, in a file.
std::vector<std::string> received(Command (*make)(CLI::App&), std::size_t index,
                                  const std::vector<std::string>& values, const std::string& toml) {
  CLI::App root("tool");
  root.require_subcommand(0, 1);
  const Command command = make(root);
  CLI::App& app = *command.app;
  CLI::Option* const option = app.get_options()[index];
  std::vector<std::string> line;
  for (const std::string& value : values) {
    if (!toml.empty()) break;
    const bool positional = option->get_positional();
    if (!positional || line.empty()) line.push_back(positional ? "--" : option->get_name());
    if (option->get_expected_max() > 0) line.push_back(value);
  }
  line.insert(line.begin(), app.get_name());
  std::ranges::reverse(line);  // as CLI11 takes them
  root.parse(line);
  if (!toml.empty()) apply_config_text(app, key_of(*option) + " = " + toml + "\n", "c.toml");
  return option->results();
}

/// Every option of every command: one value as a text and as a list, and lists of two.
TEST(ConfigOfCommands, GivesEachOptionWhatTheCommandLineGives) {
  for (auto* const make :
       {make_train, make_predict, make_evaluate, make_explain, make_verify, make_inspect, make_auto,
        make_compare, make_cv, make_stability, make_tune}) {
    CLI::App root("tool");
    const Command command = make(root);
    if (command.config == nullptr) continue;
    const std::vector<CLI::Option*> options = command.app->get_options();
    for (std::size_t k = 0; k < options.size(); ++k) {
      const std::string key = key_of(*options[k]);
      const auto earlier = std::span(options).first(k);
      const bool second = options[k]->get_positional() &&
                          std::ranges::any_of(earlier, &CLI::Option::get_positional);
      if (second) continue;  // on the command line it follows the first
      if (key == "help" || key == "config") continue;
      SCOPED_TRACE(command.app->get_name() + " " + key);
      const auto line = [&](const std::vector<std::string>& values) {
        return received(make, k, values, "");
      };
      const auto file = [&](const std::string& toml) { return received(make, k, {}, toml); };
      if (options[k]->get_expected_max() == 0) {
        EXPECT_EQ(line({"true"}), file("true"));
        continue;
      }
      EXPECT_EQ(line({"a,b"}), file("'a,b'"));
      EXPECT_EQ(line({"a,b"}), file("['a,b']"));
      EXPECT_EQ(line({"10"}), file("10"));
      EXPECT_EQ(line({"-9"}), file("[-9]"));
      EXPECT_TRUE(file("[]").empty());
      if (options[k]->get_expected_max() > 1) {
        EXPECT_EQ(line({"a", "b,c"}), file("['a', 'b,c']"));
      } else {
        EXPECT_THROW(static_cast<void>(file("['a', 'b']")), ParameterError);
      }
    }
  }
}

TEST_F(Config, AFolderIsNoFile) {
  EXPECT_THROW(apply_config(*command_, ::testing::TempDir()), DataError);
}

}  // namespace
}  // namespace kernmix::cli
