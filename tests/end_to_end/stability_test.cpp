/// \file
/// kernmix stability: a planted view, JSON and CSV, refusals.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

/// The class moves column a; b and c know nothing of it.
void write_planted(const Folder& folder) {
  std::ostringstream text;
  text << "y,a,b,c\n";
  for (int i = 0; i < 60; ++i) {
    const bool yes = i % 2 == 0;
    text << (yes ? "yes" : "no") << "," << spread(i, 1.41421356) + (yes ? 1.2 : 0.0) << ","
         << spread(i, 1.73205081) << "," << spread(i, 2.23606798) << "\n";
  }
  folder.write("planted.csv", text.str());
}

const std::string kPlanted =
    "stability planted.csv --label y --view a=a --view b=b --view c=c --kernel 'linear on *' "
    "--resamples 20 ";

TEST(StabilityTool, FindsThePlantedView) {
  const Folder folder;
  write_planted(folder);
  const ToolRun run =
      tool(folder, kPlanted + "--permutations 19 --views --folds 3 --json s.json --csv s.csv");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("of 3 kernels are chosen in at least 90 % of 20 resamples"),
            std::string::npos)
      << run.out;
  const Json document = json_of(folder, "s.json");
  const Json& kernels = document.at("kernels");
  ASSERT_EQ(kernels.size(), 3U);
  EXPECT_EQ(kernels[0].at("selection_frequency"), 1.0);
  EXPECT_EQ(kernels[0].at("view"), "a");
  for (const Json& kernel : kernels) EXPECT_LE(kernel.at("low"), kernel.at("high"));
  const Json& tests = document.at("significance");
  EXPECT_NEAR(tests.at("labels").at("p").get<double>(), 0.05, 1e-12);
  EXPECT_GT(tests.at("views")[0].at("drop"), tests.at("views")[1].at("drop"));
  const std::string csv = read_text(folder.file("s.csv"));
  EXPECT_TRUE(csv.starts_with("kind,task,view,name,share,frequency,mean,low,high,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 3 + 3);
}

TEST(StabilityTool, DoesNotDependOnThreads) {
  const Folder folder;
  write_planted(folder);
  ASSERT_EQ(tool(folder, kPlanted + "--threads 1 --csv one.csv").code, 0);
  ASSERT_EQ(tool(folder, kPlanted + "--threads 3 --csv three.csv").code, 0);
  EXPECT_EQ(read_text(folder.file("one.csv")), read_text(folder.file("three.csv")));
}

TEST(StabilityTool, HasNoColumnOfChanceWithoutPermutedLabels) {
  const Folder folder;
  write_planted(folder);
  const std::string with = tool(folder, kPlanted).out;
  EXPECT_NE(with.find("chosen  by chance  share"), std::string::npos) << with;
  const std::string without = tool(folder, kPlanted + "--null-runs 0").out;
  EXPECT_NE(without.find("chosen  share"), std::string::npos) << without;
}

TEST(StabilityTool, SaysWhatStandsInTheWay) {
  const Folder folder;
  write_planted(folder);
  const auto refused = [&](const std::string& options, const std::string& why) {
    const ToolRun run = tool(folder, kPlanted + options);
    EXPECT_EQ(run.code, 2) << options << "\n" << run.err;
    EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
  };
  refused("--method jackknife", "bootstrap");
  refused("--null-runs x", "--null-runs must be a whole number");
  refused("--score acuracy --views", "did you mean 'accuracy'");
  refused("--loss svdd:nu=0.1", "svdd");
}

}  // namespace
}  // namespace kernmix::test
