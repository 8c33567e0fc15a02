/// \file
/// Experiments of kernmix compare that are refused: file, line and key, before any data is read.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

struct BadExperiment {
  std::string text;
  int code;
  std::vector<std::string> fragments;  ///< of the message
  std::string options = "";
};

/// Five lines; the file is never read where the experiment is at fault.
const std::string kOneData = "[[data]]\nname = \"d\"\nfiles = \"d.csv\"\nlabel = \"y\"\n\n";

/// The [[method]] begins in line 6.
std::string experiment_of(const std::string& method) { return kOneData + "[[method]]\n" + method; }

const std::string kOneMethod = "[[method]]\nname = \"m\"\n";

void expect_refused(const BadExperiment& bad) {
  SCOPED_TRACE(bad.text);
  const Folder folder;
  folder.write("e.toml", bad.text);
  const std::vector<std::string> before = folder.names();
  const ToolRun run = tool(folder, "compare e.toml " + bad.options);
  EXPECT_EQ(run.code, bad.code) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(run.err.starts_with("kernmix: ")) << run.err;
  for (const std::string& fragment : bad.fragments) {
    EXPECT_NE(run.err.find(fragment), std::string::npos) << fragment << " not in: " << run.err;
  }
  EXPECT_EQ(folder.names(), before);
}

TEST(Experiments, FilesThatAreNone) {
  expect_refused({"[[", 3, {"e.toml:1: not TOML"}});
  expect_refused({"[experiment]\nseed = 1\n", 2, {"e.toml: has no [[data]]"}});
  expect_refused({kOneData, 2, {"e.toml: has no [[method]]"}});
  expect_refused({"[methods]\na = 1\n", 2, {"e.toml:1: unknown key 'methods'"}});
  const Folder folder;
  EXPECT_EQ(tool(folder, "compare no.toml").code, 3);
  EXPECT_EQ(tool(folder, "compare").code, 2);
}

TEST(Experiments, Keys) {
  expect_refused({"[experiment]\nsed = 1\n" + kOneData + kOneMethod,
                  2,
                  {"e.toml:2: unknown key 'sed' of [experiment]", "'seed'"}});
  expect_refused({"[experiment]\nscore = \"acuracy\"\n" + kOneData + kOneMethod,
                  2,
                  {"e.toml:2: 'score' of [experiment]", "'acuracy'", "accuracy"}});
  expect_refused({"[experiment]\nseed = \"x\"\n" + kOneData + kOneMethod,
                  2,
                  {"e.toml:2: 'seed' of [experiment] must be a whole number >= 0"}});
  expect_refused({"[experiment]\nfolds = 1\n" + kOneData + kOneMethod, 2, {"--folds"}});
  expect_refused({experiment_of("name = \"m\"\nregularzer = \"l1\"\n"),
                  2,
                  {"e.toml:8: unknown key 'regularzer' of [[method]]", "'regularizer'"}});
  expect_refused({experiment_of("name = \"m\"\nlabel = \"l1\"\n"), 2, {"unknown key 'label'"}});
  expect_refused({kOneData + "test = 2\nsplits = 3\n" + kOneMethod,
                  2,
                  {"e.toml:6: 'test' of [[data]]", "between 0 and 1"}});
  expect_refused({kOneData + "C = 1\ncost = 2\n" + kOneMethod,
                  2,
                  {"e.toml:7: 'C' and 'cost' are the same option"}});
  expect_refused({"[experiment]\ngrid = {C = [1, 10, 1.0]}\n" + kOneData + kOneMethod,
                  2,
                  {"e.toml:2: 'C' of grid of [experiment] has 1 twice"}});
  expect_refused({"[experiment]\ngrid = {C = [-1]}\n" + kOneData + kOneMethod,
                  2,
                  {"e.toml: [[method]] 'average kernel'", "-C must be a number > 0"}});
  expect_refused({kOneData + kOneData + kOneMethod,
                  2,
                  {"e.toml:7: 'name' of [[data]] is 'd', which occurs twice"}});
  expect_refused(
      {"[[data]]\nname = \"d\"\n" + kOneMethod, 2, {"e.toml:1: [[data]] lacks 'files'"}});
}

TEST(Experiments, Methods) {
  expect_refused({experiment_of("name = \"m\"\nregularizer = \"lp:p=0.5\"\n"),
                  2,
                  {"e.toml:6: [[method]] 'm'", "lp: p"}});
  expect_refused(
      {experiment_of("regularizer = \"l1\"\n"), 2, {"e.toml:6: [[method]] lacks 'name'"}});
  expect_refused({experiment_of("name = \"m\"\n" + kOneMethod),
                  2,
                  {"e.toml:9: 'name' of [[method]] is 'm', which occurs twice"}});
  expect_refused({experiment_of("name = \"average kernel\"\n"),
                  2,
                  {"e.toml:7: 'name' of [[method]] is 'average kernel', which occurs twice"}});
  expect_refused({experiment_of("name = \"m\"\ngrid = { q = [1, 2] }\n"),
                  2,
                  {"e.toml:8: 'q' of grid of [[method]]", "nor a parameter of the regularizer"}});
  expect_refused({experiment_of("name = \"m\"\ngrid = { C = 1 }\n"),
                  2,
                  {"e.toml:8: 'C' of grid of [[method]]", "a list of values"}});
  expect_refused({experiment_of("name = \"m\"\ngrid = { C = [1, -1] }\n"),
                  2,
                  {"e.toml:6: [[method]] 'm' (C=-1): ", "-C must be"}});
}

TEST(Experiments, FilesAndOutputs) {
  expect_refused({experiment_of("name = \"m\"\n"), 3, {"d.csv"}});
  expect_refused({experiment_of("name = \"m\"\n"), 2, {"--json", "e.toml"}, "--json e.toml"});
  const Folder folder;
  folder.write("e.toml", experiment_of("name = \"m\"\n"));
  folder.write("d.csv", "y,a\n1,2\n1,3\n1,4\n1,6\n1,7\n2,1\n2,5\n2,8\n2,3\n2,4\n");
  const ToolRun run = tool(folder, "compare e.toml --figure f.svg");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("--figure shows ranks over data sets: it needs two data sets"),
            std::string::npos)
      << run.err;
}

}  // namespace
}  // namespace kernmix::test
