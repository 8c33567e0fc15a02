/// \file
/// A run that is stopped writes the best certified answer, ends with code 5, and leaves a model
/// that verifies.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

constexpr int kStoppedBeforeKernels = 4;

/// Closed-form updates for L1 approach this tolerance too slowly to reach it in any test.
std::string endless() {
  return "train " + example("breast_cancer_train.csv") +
         " --label diagnosis --id sample --view mean=mean_* --view worst=worst_*"
         " --kernel 'rbf(gamma=2^-9..2^2) on *' -C 100 --solver alternating --tolerance 1e-12"
         " --max-iterations 1000000000 -o m.kmx --json run.json ";
}

void expect_valid_answer(const Folder& folder, const ToolRun& run, const std::string& status) {
  ASSERT_EQ(run.code, 5) << run.err;
  const auto document = nlohmann::json::parse(read_text(folder.file("run.json")));
  EXPECT_EQ(document.at("status"), status);
  EXPECT_GT(document.at("relative_gap").get<double>(), 0.0);
  EXPECT_LT(document.at("relative_gap").get<double>(), 1.0);
  const ToolRun verify =
      run_tool(folder, words("verify m.kmx " + example("breast_cancer_train.csv") +
                             " --label diagnosis --id sample"));
  EXPECT_EQ(verify.code, 0) << verify.out << verify.err;
}

TEST(Stopping, TheTimeLimitSavesTheBestAnswer) {
  const Folder folder;
  ToolRun run;
  for (int milliseconds = 500; milliseconds < 100000; milliseconds *= 2) {
    run =
        run_tool(folder, words(endless() + "--time-limit " + std::to_string(milliseconds) + "ms"));
    if (run.code != kStoppedBeforeKernels) break;
  }
  expect_valid_answer(folder, run, "time limit");
}

TEST(Stopping, BeforeTheKernelsThereIsNoAnswerAndNoFile) {
  const Folder folder;
  const ToolRun run = run_tool(folder, words(endless() + "--time-limit 1ms"));
  EXPECT_EQ(run.code, kStoppedBeforeKernels);
  // On a busy machine it comes while the file is read.
  EXPECT_NE(run.err.find("time limit"), std::string::npos) << run.err;
  const bool reading = run.err.find("while it was read") != std::string::npos;
  const char* const nothing =
      reading ? "there is no result to write" : "there is no answer to write";
  EXPECT_NE(run.err.find(nothing), std::string::npos) << run.err;
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(folder.names().empty());
}

TEST(Stopping, CtrlCSavesTheBestAnswer) {
  const Folder folder;
  ToolRun run;
  for (int milliseconds = 500; milliseconds < 100000; milliseconds *= 2) {
    const ToolProcess process(folder, words(endless()));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    process.send(SIGINT);
    run = process.wait();
    const bool before_the_handler = run.code == 128 + SIGINT;
    if (!before_the_handler && run.code != kStoppedBeforeKernels) break;
  }
  expect_valid_answer(folder, run, "interrupted");
}

TEST(Stopping, TheIterationLimitIsNoError) {
  const Folder folder;
  std::string line = endless();
  const std::string many = "1000000000";
  line.replace(line.find(many), many.size(), "2");
  expect_valid_answer(folder, run_tool(folder, words(line)), "iteration limit");
}

/// Entries of 1e49 and more: rounding keeps every SVM from being solved, at thousands of steps
/// each.
TEST(Stopping, KernelsThatRoundingForbidsStallAtOnce) {
  const Folder folder;
  std::string text = "y,a,b,c\n";
  for (int i = 0; i < 100; ++i) {
    text += i * 7919 % 13 < 6 ? "p" : "n";
    for (const double seed : {1.41421356, 1.73205081, 2.2360679}) {
      text += "," + std::to_string(1e7 + spread(i, seed));
    }
    text += "\n";
  }
  folder.write("huge.csv", text);
  const ToolRun run = tool(folder,
                           "train huge.csv --label y --kernel poly(degree=7) --scale none "
                           "--normalize none -C 100 -o m.kmx --json r.json");
  EXPECT_EQ(run.code, 5) << run.err;
  const Json document = json_of(folder, "r.json");
  EXPECT_EQ(document.at("status"), "stalled");
  EXPECT_LE(document.at("iterations"), 50);
}

/// Without a finished split there is no table of zeros.
TEST(Stopping, CrossValidationWithoutASplitHasNoScores) {
  const Folder folder;
  const ToolRun run = run_tool(
      folder, words("cv " + example("breast_cancer_train.csv") +
                    " --label diagnosis --id sample --solver alternating --tolerance 1e-12"
                    " --max-iterations 1000000000 -C 100 --kernel 'rbf(gamma=2^-9..2^2) on *'"
                    " --time-limit 300ms --json run.json"));
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_EQ(run.out, "");
}

TEST(Stopping, AClosedPipeIsSilent) {
  const Folder folder;
  const std::string command = "'" KERNMIX_TOOL "' list | true";
  EXPECT_EQ(
      std::system(
          ("bash -o pipefail -c \"" + command + "\" 2> '" + folder.file("err") + "'").c_str()),
      0);
  EXPECT_EQ(read_text(folder.file("err")), "");
}

}  // namespace
}  // namespace kernmix::test
