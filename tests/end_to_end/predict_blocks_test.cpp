/// \file
/// Predictions of a table that is read in blocks are those of the table that is read at once.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

constexpr int kNewSamples = 40'000;
/// Less than the text of these samples, which is then read in blocks.
const std::string kLittleMemory = " --memory 3M";

std::string three_columns(int i) {
  return std::to_string(spread(i, 1.41421356)) + "," + std::to_string(spread(i, 1.73205081)) + "," +
         std::to_string(spread(i, 2.23606798));
}

std::string region(int i) {
  const double a = spread(i, 1.41421356);
  return spread(i, 1.73205081) > a * a - 0.3 ? (a > 0.3 ? "east" : "north") : "south";
}

/// Training samples with a label of two classes, one of three, and a number.
void write_training(const Folder& folder) {
  std::string text = "id,a,b,c,two,three,number\n";
  for (int i = 0; i < 80; ++i) {
    text += "t" + std::to_string(i) + "," + three_columns(i) +
            (region(i) == "south" ? ",no," : ",yes,") + region(i) + "," +
            std::to_string(spread(i, 1.41421356) - spread(i, 1.73205081)) + "\n";
  }
  folder.write("train.csv", text);
}

std::string new_samples(int faulty = -1, const std::string& fault = "") {
  std::string text = "id,a,b,c\n";
  for (int i = 0; i < kNewSamples; ++i) {
    text += "n" + std::to_string(i) + "," + (i == faulty ? fault : three_columns(i + 100)) + "\n";
  }
  return text;
}

void train_on(const Folder& folder, const std::string& label, const std::string& options) {
  std::string left_out;
  for (const std::string name : {"two", "three", "number"}) {
    if (name != label) left_out += " --ignore " + name;
  }
  const ToolRun run = tool(folder, "train train.csv --id id --label " + label + left_out + " " +
                                       options + " -o m.kmx --quiet");
  ASSERT_EQ(run.code, 0) << run.err;
}

TEST(PredictBlocks, HaveTheBytesOfTheWholeTable) {
  const Folder folder;
  write_training(folder);
  folder.write("new.csv", new_samples());
  const std::pair<const char*, const char*> cases[] = {
      {"two", "--landmarks 12"},
      {"two", "--loss logistic"},
      {"two", "--calibrate platt --landmarks 20"},
      {"three", "--landmarks 15"},
      {"three", "--multiclass one-vs-one"},
      {"number", "--loss squared --landmarks 10 --missing mean"}};
  for (const auto& [label, options] : cases) {
    train_on(folder, label, options);
    for (const char* const more : {"", " --id id", " --id id --contributions"}) {
      const std::string line = "predict m.kmx new.csv" + std::string(more);
      ASSERT_EQ(tool(folder, line + " --memory 2G -o whole.csv").code, 0);
      const ToolRun run = tool(folder, line + kLittleMemory + " -o blocks.csv");
      ASSERT_EQ(run.code, 0) << run.err;
      const std::string whole = read_text(folder.file("whole.csv"));
      EXPECT_EQ(read_text(folder.file("blocks.csv")), whole) << label << options << more;
      EXPECT_EQ(tool(folder, line + kLittleMemory).out, whole);
    }
  }
  const std::string pipe = "cd '" + folder.path().string() +
                           "' && cat new.csv | '" KERNMIX_TOOL
                           "' predict m.kmx - --id id --memory 3M -o piped.csv";
  ASSERT_EQ(std::system(pipe.c_str()), 0);
  ASSERT_EQ(tool(folder, "predict m.kmx new.csv --id id -o whole.csv").code, 0);
  EXPECT_EQ(read_text(folder.file("piped.csv")), read_text(folder.file("whole.csv")));
}

TEST(PredictBlocks, WriteNothingWhereALineIsFaulty) {
  const Folder folder;
  write_training(folder);
  train_on(folder, "two", "--landmarks 12");
  const std::pair<const char*, const char*> cases[] = {{"1,2", "new.csv:39995:"},
                                                       {"1,none,2", "new.csv:39995: column 'b'"}};
  for (const auto& [fault, said] : cases) {
    folder.write("new.csv", new_samples(kNewSamples - 7, fault));
    const ToolRun whole = tool(folder, "predict m.kmx new.csv --memory 2G -o p.csv");
    const ToolRun blocks = tool(folder, "predict m.kmx new.csv -o p.csv" + kLittleMemory);
    EXPECT_EQ(blocks.code, 3);
    EXPECT_NE(blocks.err.find(said), std::string::npos) << blocks.err;
    EXPECT_EQ(blocks.err, whole.err);
    EXPECT_EQ(tool(folder, "predict m.kmx new.csv" + kLittleMemory).out, "");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"m.kmx", "new.csv", "train.csv"}));
  }
}

TEST(PredictBlocks, SayWhatNeedsTheWholeTable) {
  const Folder folder;
  write_training(folder);
  train_on(folder, "two", "--landmarks 12");
  folder.write("new.csv", new_samples());
  const ToolRun run = tool(folder, "predict m.kmx new.csv --json p.json --memory 1M");
  EXPECT_EQ(run.code, 4);
  EXPECT_NE(run.err.find("memory"), std::string::npos);
}

}  // namespace
}  // namespace kernmix::test
