/// \file
/// The main job on real data, from files to a report, as a stranger would run it.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "end_to_end/tool.hpp"
#include "kernmix/model.hpp"

namespace kernmix::test {
namespace {

const std::string kViews =
    " --view mean=mean_* --view error=error_* --view worst=worst_*"
    " --kernel 'rbf(gamma=2^-6..2^-2) on *' --kernel 'poly(degree=1..2) on mean' -C 10";

std::string train_line() {
  return "train " + example("breast_cancer_train.csv") + " --label diagnosis --id sample --quiet";
}

std::string test_data() { return example("breast_cancer_test.csv") + " --id sample "; }

Json read_json(const Folder& folder, const std::string& name) {
  return Json::parse(read_text(folder.file(name)));
}

const Json& metric(const Json& evaluation, const std::string& name) {
  const Json& list = evaluation.at("metrics");
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const Json& entry) { return entry.at("name") == name; });
  return *found;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

class EveryRegularizer : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryRegularizer, TrainsPredictsEvaluatesAndVerifies) {
  const Folder folder;
  const std::string name = GetParam();
  const ToolRun train = run_tool(folder, words(train_line() + kViews + " --regularizer " + name +
                                               " -o m.kmx --json run.json"));
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_EQ(train.out + train.err, "");

  const Json run = read_json(folder, "run.json");
  EXPECT_EQ(run.at("status"), "converged");
  EXPECT_LE(run.at("relative_gap").get<double>(), 1e-3);
  EXPECT_GE(run.at("gap").get<double>(), 0.0);
  EXPECT_EQ(run.at("n_kernels"), 17);
  EXPECT_EQ(run.at("weights").size(), 17U);
  EXPECT_EQ(run.at("plan").at("kernels").size(), 17U);
  EXPECT_EQ(run.at("data").at("views").size(), 3U);
  EXPECT_FALSE(run.at("history").empty());

  const ToolRun evaluate = run_tool(
      folder, words("evaluate m.kmx " + test_data() + "--label diagnosis --json evaluation.json"));
  ASSERT_EQ(evaluate.code, 0) << evaluate.err;
  EXPECT_NE(evaluate.out.find("accuracy"), std::string::npos);
  const Json evaluation = read_json(folder, "evaluation.json");
  EXPECT_GT(metric(evaluation, "accuracy").at("value").get<double>(), 0.9);
  EXPECT_GT(metric(evaluation, "auc").at("value").get<double>(), 0.95);

  const ToolRun verify =
      run_tool(folder, words("verify m.kmx " + example("breast_cancer_train.csv") +
                             " --label diagnosis --id sample --json verify.json"));
  EXPECT_EQ(verify.code, 0) << verify.out << verify.err;
  const Json verified = read_json(folder, "verify.json");
  EXPECT_TRUE(verified.at("agrees"));
  EXPECT_EQ(verified.at("claims").size(), 11U);
  for (const Json& claim : verified.at("claims"))
    EXPECT_TRUE(claim.at("agrees").get<bool>()) << claim;
}

INSTANTIATE_TEST_SUITE_P(MainJob, EveryRegularizer,
                         ::testing::Values("l1", "lp:p=1.33", "lp:p=2", "average", "sum",
                                           "fixed:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"));

TEST(Warnings, AreOnStandardErrorInTheJsonAndInTheReport) {
  const Folder folder;
  const std::string line =
      "train " + example("breast_cancer_train.csv") +
      " --label diagnosis --id sample --kernel rbf(gamma=1e6) -o m.kmx --json run.json";
  const ToolRun train = run_tool(folder, words(line));
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_NE(train.err.find("warning: "), std::string::npos);
  EXPECT_NE(train.err.find("[kernel-near-identity]"), std::string::npos);
  const Json run = read_json(folder, "run.json");
  EXPECT_EQ(run.at("warnings").at(0).at("code"), "kernel-near-identity");
  EXPECT_EQ(run.at("warnings").at(0).at("kernels"), Json::array({0}));
  const ToolRun report = run_tool(folder, words("report run.json -o report.html"));
  ASSERT_EQ(report.code, 0) << report.err;
  const std::string page = read_text(folder.file("report.html"));
  EXPECT_LT(page.find("<code>kernel-near-identity</code>"), page.find("<h2>Methods</h2>"));

  const ToolRun quiet = run_tool(folder, words(line + " --quiet"));
  EXPECT_EQ(quiet.err, "");
}

TEST(Warnings, AreNoneOfTheDefaultKernelsOnCleanData) {
  const Folder folder;
  const ToolRun train = run_tool(folder, words(train_line() + " -o m.kmx --json run.json"));
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_EQ(read_json(folder, "run.json").at("warnings"), Json::array());
}

/// One small model that the tests below share.
class MainJob : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = std::make_unique<Folder>();
    const ToolRun train =
        run_tool(*shared_, words(train_line() + kViews + " -o m.kmx --json run.json"));
    ASSERT_EQ(train.code, 0) << train.err;
  }
  static void TearDownTestSuite() { shared_.reset(); }
  static std::string model() { return shared_->file("m.kmx"); }
  static std::string run_file() { return shared_->file("run.json"); }

 private:
  static std::unique_ptr<Folder> shared_;
};
std::unique_ptr<Folder> MainJob::shared_;

TEST_F(MainJob, PredictionsAreCsvWithContributionsThatAddUp) {
  const Folder folder;
  const ToolRun predict = run_tool(folder, words("predict " + model() + " " + test_data()));
  ASSERT_EQ(predict.code, 0) << predict.err;
  EXPECT_EQ(predict.err, "");
  const auto rows = lines(predict.out);
  EXPECT_EQ(rows.front(), "sample,decision,label");
  EXPECT_EQ(rows.size(), lines(read_text(example("breast_cancer_test.csv"))).size());
  EXPECT_TRUE(rows[1].ends_with(",malignant") || rows[1].ends_with(",benign")) << rows[1];

  const ToolRun more = run_tool(folder, words("predict " + model() + " " + test_data() +
                                              "--contributions -o p.csv --json p.json"));
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(more.out, "");
  const double bias = Json::parse(read_text(run_file())).at("bias");
  const Json first = read_json(folder, "p.json").at("predictions").at(0);
  std::istringstream row(lines(read_text(folder.file("p.csv"))).at(1));
  std::string cell;
  double sum = bias;
  for (int column = 0; std::getline(row, cell, ','); ++column) {
    if (column >= 3) sum += std::stod(cell);
  }
  EXPECT_NEAR(sum, first.at("decision").get<double>(), 1e-9);
}

TEST_F(MainJob, OutputsNameThePositiveClass) {
  const Folder folder;
  const std::string train = tool(folder, "train " + example("breast_cancer_train.csv") +
                                             " --label diagnosis --id sample -o m.kmx")
                                .err;
  EXPECT_NE(train.find("(positive: 148 malignant, negative: 250 benign)"), std::string::npos)
      << train;
  const std::string data = model() + " " + test_data() + "--label diagnosis";
  const std::string evaluation = tool(folder, "evaluate " + data).out;
  EXPECT_NE(evaluation.find(" of them malignant, the positive class\n"), std::string::npos)
      << evaluation;
  const std::string explained = tool(folder, "explain " + data).out;
  EXPECT_TRUE(
      explained.ends_with("A direction above 0 means that larger values favour 'malignant'.\n"))
      << explained;
}

TEST_F(MainJob, EvaluateKnowsTheSamplesOfTraining) {
  const Folder folder;
  const std::string line = "evaluate " + model() + " ";
  const std::string options = " --label diagnosis --id sample";
  const std::string own = tool(folder, line + example("breast_cancer_train.csv") + options).err;
  EXPECT_NE(own.find("[training-samples-evaluated]"), std::string::npos) << own;
  EXPECT_EQ(tool(folder, line + example("breast_cancer_test.csv") + options).err, "");
}

TEST_F(MainJob, TheListOfWeightsSaysWhereItEnds) {
  const Folder folder;
  const std::string line = "train " + example("breast_cancer_train.csv") +
                           " --label diagnosis --id sample -o m.kmx --regularizer average ";
  const std::string sentence = "These 10 kernels have the largest norms; --json has all.\n";
  const std::string many = tool(folder, line + "--kernel 'linear on all, each'").err;
  EXPECT_NE(many.find(sentence), std::string::npos) << many;
  const std::string few = tool(folder, line).err;
  EXPECT_EQ(few.find(sentence), std::string::npos) << few;
}

TEST_F(MainJob, VerifyRefusesOtherData) {
  const Folder folder;
  const ToolRun verify =
      run_tool(folder, words("verify " + model() + " " + test_data() + "--label diagnosis"));
  EXPECT_EQ(verify.code, 3);
}

TEST_F(MainJob, VerifyNamesTheClaimThatFails) {
  const Folder folder;
  const auto verify_altered = [&](const std::function<void(Model&)>& alter) {
    Model model = load_model(MainJob::model());
    alter(model);
    save_model(model, folder.file("altered.kmx"));
    const ToolRun verify =
        run_tool(folder, words("verify altered.kmx " + example("breast_cancer_train.csv") +
                               " --label diagnosis --id sample --json v.json"));
    EXPECT_EQ(verify.code, 3);
    EXPECT_NE(verify.out.find("FAILS"), std::string::npos) << verify.out;
    const Json document = read_json(folder, "v.json");
    std::string failing;
    for (const Json& claim : document.at("claims")) {
      if (!claim.at("agrees").get<bool>()) failing += claim.at("name").get<std::string>() + " ";
    }
    return failing;
  };
  EXPECT_EQ(verify_altered([](Model& m) { m.tasks[0].bias += 5.0; }), "bias ");
  EXPECT_EQ(verify_altered([](Model& m) {
              for (double& divisor : m.scaling.divisor) divisor *= 3.0;
            }),
            "scaling predictions ");
  EXPECT_EQ(verify_altered([](Model& m) {
              for (ModelKernel& kernel : m.kernels) kernel.normalization.scale *= 7.0;
            }),
            "kernels predictions ");
  EXPECT_EQ(verify_altered([](Model& m) { m.certificate.gap = 0.0; }), "bounds ");
}

TEST_F(MainJob, InspectKnowsOurFiles) {
  const Folder folder;
  const ToolRun of_model = run_tool(folder, {"inspect", model(), "--json", "i.json"});
  ASSERT_EQ(of_model.code, 0) << of_model.err;
  EXPECT_NE(of_model.out.find("kernmix model"), std::string::npos);
  const Json document = read_json(folder, "i.json");
  EXPECT_EQ(document.at("kind"), "model");
  EXPECT_EQ(document.at("weights"), Json::parse(read_text(run_file())).at("weights"));

  const ToolRun of_run = run_tool(folder, {"inspect", run_file()});
  EXPECT_EQ(of_run.code, 0);
  EXPECT_NE(of_run.out.find("relative_gap"), std::string::npos);
  EXPECT_NE(of_run.out.find("kernel "), std::string::npos) << "the weights" << of_run.out;
  EXPECT_EQ(of_run.out.find("bank_passes"), std::string::npos);
  const ToolRun evaluate = run_tool(folder, words("evaluate " + model() + " " + test_data() +
                                                  "--label diagnosis --json evaluation.json"));
  ASSERT_EQ(evaluate.code, 0) << evaluate.err;
  const std::string of_evaluation = run_tool(folder, {"inspect", "evaluation.json"}).out;
  EXPECT_NE(of_evaluation.find("balanced_accuracy "), std::string::npos) << of_evaluation;
  const ToolRun of_data = run_tool(
      folder, words("inspect " + example("breast_cancer.csv") + " --label diagnosis --id sample"));
  EXPECT_EQ(of_data.code, 0) << of_data.err;
  EXPECT_NE(of_data.out.find("569"), std::string::npos);
}

TEST_F(MainJob, InspectShowsDualVariables) {
  const Folder folder;
  const ToolRun inspect = run_tool(
      folder, {"inspect", model(), "--full", "--alphas", "alphas.csv", "--json", "i.json"});
  ASSERT_EQ(inspect.code, 0) << inspect.err;
  EXPECT_NE(inspect.out.find("alpha"), std::string::npos);
  const Model trained = load_model(model());
  const auto rows = lines(read_text(folder.file("alphas.csv")));
  const Json vectors = read_json(folder, "i.json").at("support_vectors");
  ASSERT_EQ(rows.size(), trained.support.size() + 1);
  ASSERT_EQ(vectors.size(), trained.support.size());
  EXPECT_EQ(rows.front(), "row,sample,alpha");
  for (std::size_t s = 0; s < vectors.size(); ++s) {
    EXPECT_EQ(vectors[s].at("row"), trained.support[s] + 1);
    EXPECT_EQ(vectors[s].at("sample"), trained.support_ids[s]);
    EXPECT_EQ(vectors[s].at("alpha"), trained.tasks[0].coefficients[s]);
    const std::string& row = rows[s + 1];
    EXPECT_EQ(std::stod(row.substr(row.rfind(',') + 1)), trained.tasks[0].coefficients[s]) << row;
    EXPECT_NE(inspect.out.find(trained.support_ids[s]), std::string::npos);
  }
  const ToolRun piped = run_tool(folder, {"inspect", model(), "--alphas", "-"});
  EXPECT_EQ(piped.out, read_text(folder.file("alphas.csv")));
}

TEST_F(MainJob, ReportIsOnePageThatLoadsNothing) {
  const Folder folder;
  ASSERT_EQ(run_tool(folder, words("evaluate " + model() + " " + test_data() +
                                   "--label diagnosis --json e.json"))
                .code,
            0);
  const ToolRun report =
      run_tool(folder, {"report", run_file(), "--evaluation", "e.json", "-o", "r.html"});
  ASSERT_EQ(report.code, 0) << report.err;
  const std::string page = read_text(folder.file("r.html"));
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("src=\"http"), std::string::npos);
}

TEST_F(MainJob, ModelsDoNotDependOnThreads) {
  for (const char* threads : {"1", "3"}) {
    const Folder folder;
    const ToolRun train = run_tool(
        folder, words(train_line() + kViews + " -o m.kmx --threads " + std::string(threads)));
    ASSERT_EQ(train.code, 0) << train.err;
    EXPECT_TRUE(read_text(folder.file("m.kmx")) == read_text(model())) << threads << " threads";
  }
}

TEST(Tool, ListsWhatFitsTogether) {
  const Folder folder;
  const Json list = Json::parse(run_tool(folder, {"list", "--json"}).out);
  for (const char* topic : {"kernels", "losses", "regularizers", "solvers", "normalizations"}) {
    EXPECT_FALSE(list.at(topic).empty()) << topic;
  }
  const ToolRun kernels = run_tool(folder, {"list", "kernels"});
  EXPECT_EQ(kernels.code, 0);
  EXPECT_NE(kernels.out.find("rbf"), std::string::npos);
  EXPECT_EQ(kernels.out.find("newton"), std::string::npos);
}

TEST(Tool, HelpTeaches) {
  const Folder folder;
  for (const char* command :
       {"train", "predict", "evaluate", "verify", "inspect", "list", "report"}) {
    const ToolRun help = run_tool(folder, {command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("Examples:\n  kernmix " + std::string(command)), std::string::npos);
  }
  EXPECT_EQ(run_tool(folder, {"--version"}).out.find("kernmix "), 0U);
}

TEST(Tool, ConfigurationFilesGiveWayToFlags) {
  const Folder folder;
  folder.write("k.toml",
               "label = 'diagnosis'\nid = 'sample'\nC = 3\nquiet = true\n"
               "[train]\nregularizer = 'average'\nkernel = ['linear on *']\noutput = 'm.kmx'\n"
               "[evaluate]\nthreads = 1\n");
  const ToolRun train =
      run_tool(folder, words("train " + example("breast_cancer_train.csv") +
                             " --config k.toml --regularizer lp:p=2 --json run.json"));
  ASSERT_EQ(train.code, 0) << train.err;
  const Json settings = read_json(folder, "run.json").at("settings");
  EXPECT_EQ(settings.at("C"), 3.0);
  EXPECT_EQ(settings.at("kernels"), Json({"linear on *"}));
  EXPECT_EQ(settings.at("regularizer"), "lp:p=2");
}

}  // namespace
}  // namespace kernmix::test
