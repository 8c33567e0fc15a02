/// \file
/// Many classes and many labels from files to a report, in every scheme and form of sharing, and
/// what is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

constexpr int kColoured = 90;

double across(int i) { return spread(i, 1.4142135623730951); }
double along(int i) { return spread(i, 1.7320508075688772); }
double noise(int i) { return spread(i, 2.23606797749979); }

const char* colour(int i) { return i % 3 == 0 ? "blue" : i % 3 == 1 ? "green" : "red"; }

/// Three overlapping classes; columns id, colour, a, b, c, of which c tells nothing.
void write_classes(const Folder& folder) {
  std::ostringstream text;
  text.precision(17);
  text << "id,colour,a,b,c\n";
  for (int i = 0; i < kColoured; ++i) {
    text << "s" << i << "," << colour(i) << "," << 0.9 * across(i) + (i % 3 == 0 ? 1.0 : 0.0) << ","
         << 0.9 * along(i) + (i % 3 == 1 ? 1.0 : 0.0) << "," << noise(i) << "\n";
  }
  folder.write("classes.csv", text.str());
}

/// Two labels of which a sample has any number; columns warm, loud, a, b, c.
void write_labels(const Folder& folder) {
  std::ostringstream text;
  text.precision(17);
  text << "warm,loud,a,b,c\n";
  for (int i = 0; i < kColoured; ++i) {
    text << (across(i) + 0.3 * noise(i) > 0.2 ? 1 : 0) << "," << (along(i) > 0.5 ? 1 : 0) << ","
         << across(i) << "," << along(i) << "," << spread(i, 2.6457513110645907) << "\n";
  }
  folder.write("labels.csv", text.str());
}

/// Two numbers of each sample; columns up, side, a, b, c.
void write_targets(const Folder& folder) {
  std::ostringstream text;
  text.precision(17);
  text << "up,side,a,b,c\n";
  for (int i = 0; i < kColoured; ++i) {
    text << 2.0 * across(i) + along(i) + 0.1 * noise(i) << ","
         << std::sin(3.0 * along(i)) + 0.05 * noise(i) << "," << across(i) << "," << along(i) << ","
         << spread(i, 2.6457513110645907) << "\n";
  }
  folder.write("numbers.csv", text.str());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

struct Form {
  std::string options;
  std::size_t tasks;
};

class ManyClasses : public ::testing::TestWithParam<Form> {};

TEST_P(ManyClasses, TrainPredictEvaluateVerifyInspectAndReport) {
  const Folder folder;
  write_classes(folder);
  const ToolRun train = tool(folder, "train classes.csv --label colour --id id " +
                                         GetParam().options + " -C 10 --json run.json -o m.kmx");
  ASSERT_EQ(train.code, 0) << train.err;
  const Json run = json_of(folder, "run.json");
  EXPECT_EQ(run.at("names"), (Json{"blue", "green", "red"}));
  EXPECT_EQ(run.at("tasks").size(), GetParam().tasks);
  EXPECT_LE(run.at("relative_gap").get<double>(), run.at("tolerance").get<double>());
  EXPECT_EQ(run.at("n_samples_of_name"), (Json{30, 30, 30}));

  const ToolRun verify = tool(folder, "verify m.kmx classes.csv --label colour --id id");
  EXPECT_EQ(verify.code, 0) << verify.out << verify.err;
  const ToolRun alphas = tool(folder, "inspect m.kmx --full --alphas - --json alphas.json");
  ASSERT_EQ(alphas.code, 0) << alphas.err;
  const std::string header = lines_of(alphas.out).front();
  for (const Json& task : run.at("tasks")) {
    const std::string name = task.at("name");
    EXPECT_NE(header.find(",alpha " + name), std::string::npos) << header;
    std::size_t used = 0;
    const Json document = json_of(folder, "alphas.json");
    for (const Json& vector : document.at("support_vectors")) {
      if (vector.at("alpha").at(name) != 0.0) ++used;
    }
    EXPECT_LE(used, task.at("n_support").get<std::size_t>()) << name;
    EXPECT_GT(used, 0U) << name;
  }
  const ToolRun inspect = tool(folder, "inspect m.kmx --json inspect.json");
  ASSERT_EQ(inspect.code, 0) << inspect.err;
  EXPECT_EQ(json_of(folder, "inspect.json").at("tasks").size(), GetParam().tasks);

  const ToolRun predict = tool(folder, "predict m.kmx classes.csv --id id");
  ASSERT_EQ(predict.code, 0) << predict.err;
  const std::vector<std::string> lines = lines_of(predict.out);
  ASSERT_EQ(lines.size(), kColoured + 1U);
  EXPECT_EQ(lines.front(), "sample,label,decision blue,decision green,decision red");
  EXPECT_EQ(lines[1].substr(0, 3), "s0,");

  const ToolRun evaluate =
      tool(folder, "evaluate m.kmx classes.csv --label colour --id id --json e.json");
  ASSERT_EQ(evaluate.code, 0) << evaluate.err;
  const Json evaluation = json_of(folder, "e.json");
  EXPECT_GT(value_of(evaluation, "accuracy"), 0.7);
  EXPECT_EQ(evaluation.at("confusion").size(), 3U);
  const ToolRun report = tool(folder, "report run.json --evaluation e.json -o r.html");
  ASSERT_EQ(report.code, 0) << report.err;
  const std::string page = read_text(folder.file("r.html"));
  EXPECT_NE(page.find("True classes (rows)"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, ManyClasses,
    ::testing::Values(Form{"", 3}, Form{"--sharing minimax", 3}, Form{"--sharing separate", 3},
                      Form{"--multiclass one-vs-one", 3},
                      Form{"--multiclass one-vs-one --sharing minimax", 3},
                      Form{"--multiclass one-vs-one --sharing separate --regularizer lp:p=2", 3},
                      Form{"--multiclass joint", 3}, Form{"--loss crammer-singer", 3},
                      Form{"--solver stochastic-approximation --sharing minimax --bias none "
                           "--tolerance 0.1",
                           3}),
    [](const auto& test) { return "form_" + std::to_string(test.index); });

TEST(Labels, TrainPredictEvaluateVerifyAndReport) {
  const Folder folder;
  write_labels(folder);
  const ToolRun train = tool(folder,
                             "train labels.csv --labels warm,loud --loss logistic "
                             "--threshold-folds 3 -C 10 --json run.json -o m.kmx");
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_EQ(tool(folder, "verify m.kmx labels.csv --labels warm,loud").code, 0);
  const ToolRun predict = tool(folder, "predict m.kmx labels.csv");
  ASSERT_EQ(predict.code, 0) << predict.err;
  EXPECT_EQ(lines_of(predict.out).front(),
            "sample,warm,loud,decision warm,decision loud,probability warm,probability loud");
  const ToolRun evaluate =
      tool(folder, "evaluate m.kmx labels.csv --labels loud,warm --json e.json");
  ASSERT_EQ(evaluate.code, 0) << evaluate.err;
  const Json evaluation = json_of(folder, "e.json");
  EXPECT_EQ(evaluation.at("names"), (Json{"warm", "loud"}));
  EXPECT_LT(value_of(evaluation, "hamming_loss"), 0.2);
  ASSERT_EQ(tool(folder, "report run.json --evaluation e.json -o r.html").code, 0);
  EXPECT_NE(read_text(folder.file("r.html")).find("average precision"), std::string::npos);
}

TEST(Targets, TrainPredictEvaluateVerifyInspectAndReport) {
  const Folder folder;
  write_targets(folder);
  for (const char* sharing : {"", "--sharing minimax", "--sharing separate"}) {
    const ToolRun train = tool(folder, "train numbers.csv --targets up,side --loss squared -C 10 " +
                                           std::string(sharing) + " --json run.json -o m.kmx");
    ASSERT_EQ(train.code, 0) << train.err;
    EXPECT_NE(train.err.find("2 targets"), std::string::npos) << train.err;
    const Json run = json_of(folder, "run.json");
    EXPECT_EQ(run.at("scheme"), "targets");
    EXPECT_EQ(run.at("target"), "numbers");
    EXPECT_EQ(run.at("names"), (Json{"up", "side"}));
    EXPECT_EQ(run.at("tasks").size(), 2U);
    EXPECT_FALSE(run.at("tasks").front().contains("n_positive"));
    EXPECT_FALSE(run.contains("n_samples_of_name"));
    EXPECT_EQ(run.at("data").at("n_columns"), 3);
    EXPECT_EQ(tool(folder, "verify m.kmx numbers.csv --targets 1-2").code, 0);
    ASSERT_EQ(tool(folder, "inspect m.kmx").code, 0);

    const ToolRun predict = tool(folder, "predict m.kmx numbers.csv --json p.json");
    ASSERT_EQ(predict.code, 0) << predict.err;
    EXPECT_EQ(lines_of(predict.out).front(), "sample,up,side");
    ASSERT_EQ(lines_of(predict.out).size(), kColoured + 1U);
    const Json first = json_of(folder, "p.json").at("predictions").front();
    EXPECT_TRUE(first.at("prediction").at("side").is_number());

    const ToolRun evaluate =
        tool(folder, "evaluate m.kmx numbers.csv --targets side,up --json e.json");
    ASSERT_EQ(evaluate.code, 0) << evaluate.err;
    const Json evaluation = json_of(folder, "e.json");
    EXPECT_GT(value_of(evaluation, "mean_r2"), 0.9);
    for (const Json& metric : evaluation.at("classwise")) {
      EXPECT_EQ(metric.at("values").size(), 2U);
      double sum = 0.0;
      for (const Json& value : metric.at("values")) sum += value.at("value").get<double>();
      EXPECT_DOUBLE_EQ(metric.at("macro").get<double>(), 0.5 * sum);
    }
    ASSERT_EQ(tool(folder, "report run.json --evaluation e.json -o r.html").code, 0);
    const std::string page = read_text(folder.file("r.html"));
    EXPECT_NE(page.find("mean RMSE"), std::string::npos);
    EXPECT_NE(page.find("<th scope=\"row\">side</th>"), std::string::npos);
    EXPECT_NE(page.find("set of regression functions"), std::string::npos);
  }
}

TEST(Targets, AreFollowedByATrace) {
  const Folder folder;
  write_targets(folder);
  const ToolRun train = tool(folder,
                             "train numbers.csv --targets up,side --loss squared --trace "
                             "numbers.csv --json run.json -o m.kmx");
  ASSERT_EQ(train.code, 0) << train.err;
  ASSERT_EQ(tool(folder, "evaluate m.kmx numbers.csv --targets up,side --json e.json").code, 0);
  EXPECT_EQ(value_of(json_of(folder, "run.json").at("trace").back(), "mean_r2"),
            value_of(json_of(folder, "e.json"), "mean_r2"));
}

TEST(TwoClasses, AskedForAsManyHaveTheWeightsOfTwo) {
  const Folder folder;
  write_labels(folder);
  const std::string common = "train labels.csv --label loud --ignore warm -C 10 --tolerance 1e-6 ";
  ASSERT_EQ(tool(folder, common + "--json two.json -o two.kmx").code, 0);
  ASSERT_EQ(tool(folder, common + "--multiclass one-vs-one --json many.json -o many.kmx").code, 0);
  const Json two = json_of(folder, "two.json");
  const Json many = json_of(folder, "many.json");
  const double primal = two.at("primal").get<double>();
  EXPECT_NEAR(many.at("primal").get<double>(), primal, 2e-6 * primal);
}

TEST(TraceOfTraining, IsEvaluatedOnHeldOutSamplesAndReported) {
  const Folder folder;
  write_classes(folder);
  write_labels(folder);
  for (const char* options : {"--multiclass joint", "--sharing minimax", ""}) {
    const ToolRun train =
        tool(folder, "train classes.csv --label colour --id id -C 10 " + std::string(options) +
                         " --trace classes.csv --json run.json -o m.kmx");
    ASSERT_EQ(train.code, 0) << train.err;
    const Json run = json_of(folder, "run.json");
    EXPECT_EQ(run.at("trace").size(), run.at("history").size() + 1);
    ASSERT_EQ(tool(folder, "evaluate m.kmx classes.csv --label colour --id id --json e.json").code,
              0);
    EXPECT_EQ(value_of(run.at("trace").back(), "accuracy"),
              value_of(json_of(folder, "e.json"), "accuracy"));
    for (const Json& row : run.at("history")) EXPECT_FALSE(row.at("weights").empty());
    ASSERT_EQ(tool(folder, "report run.json -o r.html").code, 0);
    const std::string page = read_text(folder.file("r.html"));
    EXPECT_NE(page.find("Evolution of kernel weights"), std::string::npos);
    EXPECT_NE(page.find("Held-out samples: mean AUC"), std::string::npos);
  }
  const ToolRun late = tool(folder,
                            "train classes.csv --label colour --id id --sharing minimax "
                            "--solver stochastic-approximation --bias none --tolerance 1e-9 "
                            "--max-iterations 1000000 --time-limit 1s --trace classes.csv "
                            "--json run.json -o late.kmx");
  EXPECT_EQ(late.code, 5) << late.err;
  EXPECT_FALSE(json_of(folder, "run.json").at("trace").empty());
  EXPECT_EQ(tool(folder, "verify late.kmx classes.csv --label colour --id id").code, 0);
  const ToolRun labels = tool(folder,
                              "train labels.csv --labels warm,loud --threshold-folds 3 "
                              "--trace labels.csv --json run.json -o m.kmx");
  ASSERT_EQ(labels.code, 0) << labels.err;
  EXPECT_GT(value_of(json_of(folder, "run.json").at("trace").back(), "mean_auc"), 0.8);
}

struct Refusal {
  std::string line;
  int code;
  std::string message;
};

class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, InOneSentence) {
  const Folder folder;
  write_classes(folder);
  write_labels(folder);
  std::ostringstream numbers;
  numbers << "y,a\n";
  for (int i = 0; i < 20; ++i) numbers << i << "," << across(i) << "\n";
  folder.write("numbers.csv", numbers.str());
  folder.write("full.csv", "p,q,a\n1,1,0.5\n1,0,0.7\n1,1,0.1\n");
  const ToolRun run = tool(folder, GetParam().line);
  EXPECT_EQ(run.code, GetParam().code) << run.err;
  EXPECT_NE(run.err.find(GetParam().message), std::string::npos) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    Inputs, Refused,
    ::testing::Values(
        Refusal{"train classes.csv --label colour --id id --sharing most -o m.kmx", 2, "most"},
        Refusal{"train classes.csv --label colour --id id --multiclass all -o m.kmx", 2,
                "one-vs-rest"},
        Refusal{"train classes.csv --label colour --id id --loss squared --multiclass one-vs-one "
                "-o m.kmx",
                2, "squared"},
        Refusal{"train classes.csv --label colour --id id --sharing minimax --solver newton "
                "-o m.kmx",
                2, "minimax"},
        Refusal{"train no.csv --label y --trace t.csv --sharing separate --json r.json -o m.kmx", 2,
                "one after the other"},
        Refusal{"train no.csv --label y --trace t.csv --loss squared --json r.json -o m.kmx", 2,
                "one task"},
        Refusal{"train no.csv --label y --trace t.csv --multiclass joint -o m.kmx", 2, "--json"},
        Refusal{"train labels.csv --label loud --trace labels.csv --json r.json -o m.kmx", 2,
                "one task"},
        Refusal{"train classes.csv --label colour --id id --trace labels.csv --json r.json "
                "-o m.kmx",
                3, "labels.csv"},
        Refusal{"train labels.csv --labels warm,loud --trace full.csv --json r.json -o m.kmx", 2,
                "full.csv"},
        Refusal{"train no.csv --label y --multiclass joint --solver smo -o m.kmx", 2, "newton"},
        Refusal{"train no.csv --label y --multiclass joint --loss logistic -o m.kmx", 2, "hinge"},
        Refusal{"train no.csv --label y --loss crammer-singer --multiclass one-vs-rest -o m.kmx", 2,
                "trains all classes together"},
        Refusal{"train no.csv --label y --loss crammer-singer --sharing sum -o m.kmx", 2,
                "trains all classes together"},
        Refusal{"train no.csv --label y --loss crammer-singer --solver silp -o m.kmx", 2, "newton"},
        Refusal{"train no.csv --label y --loss crammer-singer --bias penalised -o m.kmx", 2,
                "biases"},
        Refusal{
            "train classes.csv --label a --id id --ignore colour --loss crammer-singer -o m.kmx", 3,
            "numbers to predict"},
        Refusal{"train labels.csv --labels warm,loud --loss crammer-singer -o m.kmx", 2,
                "choose hinge"},
        Refusal{"train no.csv --label y --multiclass joint --sharing minimax -o m.kmx", 2,
                "sharing"},
        Refusal{"train classes.csv --label colour --id id --positive blue -o m.kmx", 2, "positive"},
        Refusal{"train classes.csv --label colour --id id --class-weight pink=2 -o m.kmx", 2,
                "pink"},
        Refusal{"train numbers.csv --label y -o m.kmx", 3, "--loss squared"},
        Refusal{"train full.csv --labels p,q -o m.kmx", 3, "'p'"},
        Refusal{"train labels.csv --labels warm,lout -o m.kmx", 2, "loud"},
        Refusal{"train labels.csv --labels warm,loud --class-weight 1=2 -o m.kmx", 2, "class"},
        Refusal{"train labels.csv --targets b,c -o m.kmx", 2, "--loss squared"},
        Refusal{"train labels.csv --targets b,cc --loss squared -o m.kmx", 2, "--targets"},
        Refusal{"train labels.csv --targets b,c --label a --loss squared -o m.kmx", 2,
                "give one of them"},
        Refusal{"train labels.csv --targets b,c --labels a --loss squared -o m.kmx", 2,
                "give one of them"},
        Refusal{"train labels.csv --targets b,c --multiclass joint --loss squared -o m.kmx", 2,
                "--multiclass"},
        Refusal{"train classes.csv --targets colour,a --id id --loss squared -o m.kmx", 3,
                "'blue'"},
        Refusal{"train labels.csv --targets b,c --loss squared --class-weight 1=2 -o m.kmx", 2,
                "--class-weight"}),
    [](const auto& test) { return "input_" + std::to_string(test.index); });

}  // namespace
}  // namespace kernmix::test
