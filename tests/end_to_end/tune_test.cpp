/// \file
/// kernmix tune: the winner, its model, the edge of a grid, a nested score, and a run that is
/// killed and goes on.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <sstream>
#include <string>
#include <thread>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

void write_curve(const Folder& folder) {
  std::ostringstream text;
  text << "y,a,b\n";
  for (int i = 0; i < 90; ++i) {
    const double a = spread(i, 1.41421356);
    const double b = spread(i, 1.73205081);
    text << ((b > a * a - 0.3) != (i % 8 == 0) ? "in" : "out") << "," << a << "," << b << "\n";
  }
  folder.write("curve.csv", text.str());
}

const std::string kTune =
    "tune curve.csv --label y --regularizer lp --grid C=0.01..100*10 --grid p=1.2,2 -o m.kmx ";

TEST(Tune, TrainsTheWinnerOnAllSamples) {
  const Folder folder;
  write_curve(folder);
  const ToolRun run = tool(folder, kTune + "--nested 3 --json t.json");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json document = json_of(folder, "t.json");
  EXPECT_EQ(document.at("candidates").size(), 10U);
  const Json& best = document.at("candidates")[document.at("best").get<std::size_t>()];
  for (const Json& candidate : document.at("candidates")) {
    if (candidate.at("mean").is_null()) continue;
    EXPECT_LE(candidate.at("mean"), best.at("mean"));
  }
  const Json& nested = document.at("nested");
  EXPECT_EQ(nested.at("folds").size(), 3U);
  EXPECT_NE(run.out.find("Expected of new samples"), std::string::npos) << run.out;
  const std::string options = " --regularizer " + best.at("regularizer").get<std::string>() +
                              " -C " + std::to_string(best.at("C").get<double>());
  ASSERT_EQ(tool(folder, "train curve.csv --label y -q -o own.kmx" + options).code, 0);
  EXPECT_EQ(tool(folder, "predict m.kmx curve.csv --label y").out,
            tool(folder, "predict own.kmx curve.csv --label y").out);
  EXPECT_EQ(tool(folder, "verify m.kmx curve.csv --label y").code, 0);
}

TEST(Tune, NamesTheEdgeOfTheGrid) {
  const Folder folder;
  write_curve(folder);
  const ToolRun run = tool(folder, "tune curve.csv --label y --grid C=0.01,1 -o m.kmx");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("of its grid: better values may lie beyond"), std::string::npos)
      << run.out;
}

TEST(Tune, ThatWasKilledGoesOnToTheSameResult) {
  const Folder folder;
  write_curve(folder);
  ASSERT_EQ(tool(folder, kTune + "--json whole.json --threads 1").code, 0);
  const std::vector<std::string> words_of_run =
      words(kTune + "--json t.json --journal t.jsonl --threads 1");
  for (int kill = 0; kill < 10; ++kill) {
    const ToolProcess process(folder, words_of_run);
    std::this_thread::sleep_for(std::chrono::milliseconds(7 * kill + 3));
    process.send(SIGKILL);
    static_cast<void>(process.wait());
  }
  const ToolRun last = run_tool(folder, words_of_run);
  ASSERT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(json_of(folder, "t.json"), json_of(folder, "whole.json"));
}

TEST(Tune, SaysWhatStandsInTheWay) {
  const Folder folder;
  write_curve(folder);
  const auto refused = [&](const std::string& options, const std::string& why, int code) {
    const ToolRun run = tool(folder, "tune curve.csv --label y -o m.kmx " + options);
    EXPECT_EQ(run.code, code) << options << "\n" << run.err;
    EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
  };
  refused("--grid C", "KEY=VALUES", 2);
  refused("--grid C=1,", "a value is missing", 2);
  refused("--grid C=1..10*0.5", "by a factor > 1", 2);
  refused("--grid C=1,2 --grid C=3", "has a grid already", 2);
  refused("--grid C=1,x", "must be a number > 0, got 'x'", 2);
  refused("--grid q=1,2", "'q' is neither an option", 2);
  refused("--regularizer lp --grid C=1,2", "give p", 2);
  refused("--score acuracy", "did you mean 'accuracy'", 2);
  refused("--score rmse --grid C=1,2", "the model has no score 'rmse'", 2);
  ASSERT_EQ(tool(folder, "tune curve.csv --label y --grid C=1,2 -o m.kmx --journal j.jsonl").code,
            0);
  refused("--grid C=1,3 --journal j.jsonl", "j.jsonl", 3);
}

}  // namespace
}  // namespace kernmix::test
