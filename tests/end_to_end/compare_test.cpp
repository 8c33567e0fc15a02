/// \file
/// kernmix compare: an experiment from a file to tables, a figure and JSON, and on from a journal.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

constexpr int kCompared = 40;

/// Two classes, three columns; `shift` makes another data set.
std::string rows_of(const std::vector<int>& samples, int shift) {
  std::string text = "y,a,b,c\n";
  for (const int i : samples) {
    const double a = spread(i + shift, 1.41421356);
    const double b = spread(i + shift, 1.73205081);
    text += std::string((b > a * a - 0.3) != (i % 9 == 0) ? "in" : "out") + "," +
            std::to_string(a) + "," + std::to_string(b) + "," +
            std::to_string(spread(i + shift, 2.23606798)) + "\n";
  }
  return text;
}

std::vector<int> samples_where(const std::string& mask, char wanted) {
  std::vector<int> samples;
  for (int i = 0; i < kCompared; ++i) {
    if (mask[static_cast<std::size_t>(i)] == wanted) samples.push_back(i);
  }
  return samples;
}

/// Every third sample is tested, from the first or the second on.
std::string mask_from(int first) {
  std::string mask(kCompared, '1');
  for (int i = first; i < kCompared; i += 3) mask[static_cast<std::size_t>(i)] = '0';
  return mask;
}

const char* const kMethods = R"(
[[method]]
name = "sparse"
regularizer = "l1"
grid = { C = [0.1, 10] }

[[method]]
name = "norms"
regularizer = "lp"
grid = { p = [1.5, 3] }
)";

/// Two data sets with two splits each.
void write_experiment(const Folder& folder) {
  std::vector<int> all(kCompared);
  for (int i = 0; i < kCompared; ++i) all[static_cast<std::size_t>(i)] = i;
  folder.write("first.csv", rows_of(all, 0));
  folder.write("second.csv", rows_of(all, 100));
  folder.write("splits.txt", mask_from(0) + "\n" + mask_from(1) + "\n");
  folder.write("experiment.toml", std::string(R"([experiment]
score = ["accuracy", "auc"]
inner-folds = 2
seed = 4

[[data]]
name = "first"
files = "first.csv"
label = "y"
split-file = "splits.txt"

[[data]]
name = "second"
files = ["second.csv"]
label = "y"
splits = 2
test = 0.4
)") + kMethods);
}

/// Without what clocks say.
Json without_seconds(Json document) {
  document.erase("seconds");
  for (Json& data : document["data"]) {
    for (Json& cost : data["costs"]) {
      cost.erase("solve_seconds");
      cost.erase("choose_seconds");
    }
  }
  for (Json& split : document["splits"]) {
    split.erase("kernel_seconds");
    for (Json& method : split["methods"]) {
      method.erase("solve_seconds");
      method.erase("choose_seconds");
    }
  }
  return document;
}

const Json& method_of(const Json& split, const std::string& name) {
  for (const Json& method : split["methods"]) {
    if (method["method"] == name) return method;
  }
  throw std::out_of_range(name);
}

TEST(Compare, ACellIsWhatTrainAndEvaluateSay) {
  const Folder folder;
  write_experiment(folder);
  const ToolRun run = tool(folder, "compare experiment.toml --json c.json -q");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json document = json_of(folder, "c.json");
  EXPECT_EQ(document["methods"], Json({"average kernel", "best single kernel", "sparse", "norms"}));
  const Json& split = document["splits"][1];
  EXPECT_EQ(split["data"], "first");
  const std::string mask = mask_from(1);
  folder.write("train.csv", rows_of(samples_where(mask, '1'), 0));
  folder.write("test.csv", rows_of(samples_where(mask, '0'), 0));
  for (const char* name : {"sparse", "norms", "best single kernel"}) {
    const Json& cell = method_of(split, name);
    const std::string options = " --regularizer " + cell["regularizer"].get<std::string>() +
                                " -C " + std::to_string(cell["C"].get<double>());
    ASSERT_EQ(tool(folder, "train train.csv --label y -q -o m.kmx" + options).code, 0);
    ASSERT_EQ(tool(folder, "evaluate m.kmx test.csv --label y --json e.json").code, 0);
    const Json evaluation = json_of(folder, "e.json");
    EXPECT_EQ(cell["scores"]["accuracy"], value_of(evaluation, "accuracy")) << name;
    EXPECT_EQ(cell["scores"]["auc"], value_of(evaluation, "auc")) << name;
  }
}

TEST(Compare, TablesFigureAndJsonHaveTheSameNumbers) {
  const Folder folder;
  write_experiment(folder);
  const ToolRun run = tool(folder,
                           "compare experiment.toml --json c.json --csv c.csv --latex c.tex "
                           "--figure c.svg -q");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json document = json_of(folder, "c.json");
  const Json& accuracy = document["scores"][0];
  const std::string latex = read_text(folder.file("c.tex"));
  EXPECT_NE(latex.find("\\toprule"), std::string::npos);
  for (const Json& data : accuracy["data"]) {
    for (const Json& method : data["methods"]) {
      char mean[32];
      std::snprintf(mean, sizeof mean, "%.4f", method["mean"].get<double>());
      EXPECT_NE(run.out.find(mean), std::string::npos) << mean;
      EXPECT_NE(latex.find(mean), std::string::npos) << mean;
    }
  }
  const std::string csv = read_text(folder.file("c.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 4 * 4);
  EXPECT_TRUE(csv.starts_with("data,split,method,chosen,n_train,n_test,accuracy,auc,"));
  const std::string svg = read_text(folder.file("c.svg"));
  EXPECT_TRUE(svg.starts_with("<svg xmlns="));
  EXPECT_NE(svg.find("<style>"), std::string::npos);
  EXPECT_NE(svg.find(">best single kernel "), std::string::npos);
  EXPECT_NE(run.out.find("Ranks over 2 data sets are not meaningful"), std::string::npos);
}

TEST(Compare, ThreadsDoNotChangeIt) {
  const Folder folder;
  write_experiment(folder);
  for (const char* threads : {"1", "3"}) {
    const std::string words = std::string("compare experiment.toml -q --threads ") + threads;
    ASSERT_EQ(tool(folder, words + " --json c" + threads + ".json").code, 0);
  }
  EXPECT_EQ(without_seconds(json_of(folder, "c1.json")),
            without_seconds(json_of(folder, "c3.json")));
}

TEST(Compare, GoesOnFromAJournalThatWasCutShort) {
  const Folder folder;
  write_experiment(folder);
  const std::string line = "compare experiment.toml -q --threads 1 --journal j.jsonl --json ";
  ASSERT_EQ(tool(folder, line + "whole.json").code, 0);
  const std::string journal = read_text(folder.file("j.jsonl"));
  const Json whole = without_seconds(json_of(folder, "whole.json"));
  for (const double share : {0.3, 0.5, 0.8, 1.0}) {
    const auto bytes = static_cast<std::size_t>(share * static_cast<double>(journal.size()));
    folder.write("j.jsonl", journal.substr(0, bytes));
    ASSERT_EQ(tool(folder, line + "again.json").code, 0) << share;
    EXPECT_EQ(without_seconds(json_of(folder, "again.json")), whole) << share;
  }
}

TEST(Compare, AJournalIsOfOneExperiment) {
  const Folder folder;
  write_experiment(folder);
  const std::string line = "compare experiment.toml -q --journal j.jsonl";
  ASSERT_EQ(tool(folder, line).code, 0);
  const ToolRun seed = tool(folder, line + " --seed 5");
  EXPECT_EQ(seed.code, 3);
  EXPECT_NE(seed.err.find("j.jsonl is of another run"), std::string::npos) << seed.err;
  std::string damaged = read_text(folder.file("j.jsonl"));
  damaged.replace(damaged.find("\nsplit ") + 7, 1, "9");
  folder.write("j.jsonl", damaged);
  const ToolRun broken = tool(folder, line);
  EXPECT_EQ(broken.code, 3);
  EXPECT_NE(broken.err.find("line 2 of j.jsonl is damaged"), std::string::npos) << broken.err;
  folder.write("j.jsonl", "y,a\n1,2\n");
  EXPECT_EQ(tool(folder, line).code, 3);
}

TEST(Compare, RefusesKernelsThatADataSetCannotHaveBeforeAnySplit) {
  const Folder folder;
  write_experiment(folder);
  folder.write("experiment.toml",
               read_text(folder.file("experiment.toml")) +
                   "\n[[method]]\nname = \"odd\"\nkernel = \"rbf on nowhere\"\n");
  const ToolRun run = tool(folder, "compare experiment.toml -q --journal j.jsonl");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("[[method]] 'odd': kernel expression: unknown view 'nowhere'"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(std::ranges::count(folder.names(), "j.jsonl"), 0);
}

TEST(Compare, StoppedBeforeASplitThereIsNothingToWrite) {
  const Folder folder;
  write_experiment(folder);
  const ToolRun run = tool(folder, "compare experiment.toml -q --time-limit 1ms --json c.json");
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(std::ranges::count(folder.names(), "c.json"), 0);
}

}  // namespace
}  // namespace kernmix::test
