/// \file
/// Regression and novelty detection from files to a report, the rules for the bias, and what each
/// refuses.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

constexpr int kRows = 60;

double first(int i) { return spread(i, 1.4142135623730951); }
double second(int i) { return spread(i, 1.7320508075688772); }

/// y = 5 + 2 a + sin(3 b), columns id, y, a, b.
void write_numbers(const Folder& folder) {
  std::ostringstream text;
  text.precision(17);
  text << "id,y,a,b\n";
  for (int i = 0; i < kRows; ++i) {
    text << "s" << i << "," << 5.0 + 2.0 * first(i) + std::sin(3.0 * second(i)) << "," << first(i)
         << "," << second(i) << "\n";
  }
  folder.write("numbers.csv", text.str());
}

/// Inliers near the origin, and every tenth sample far from it; columns kind, a, b.
void write_novelties(const Folder& folder) {
  std::ostringstream text;
  text.precision(17);
  text << "kind,a,b\n";
  for (int i = 0; i < kRows; ++i) {
    const bool far = i % 10 == 9;
    text << (far ? "odd" : "usual") << "," << first(i) + (far ? 6.0 : 0.0) << "," << second(i)
         << "\n";
  }
  folder.write("novelties.csv", text.str());
}

/// The report has a figure of this title, and a ROC exactly where classes are compared.
void expect_page(const Folder& folder, const std::string& title, bool roc) {
  const ToolRun report = tool(folder, "report run.json --evaluation e.json -o r.html");
  ASSERT_EQ(report.code, 0) << report.err;
  const std::string page = read_text(folder.file("r.html"));
  EXPECT_NE(page.find("<title>" + title + "</title>"), std::string::npos);
  EXPECT_EQ(page.find("Receiver operating") != std::string::npos, roc);
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST(Regression, TrainsPredictsEvaluatesVerifiesAndReports) {
  const Folder folder;
  write_numbers(folder);
  const ToolRun train = tool(folder,
                             "train numbers.csv --id id --label y --loss squared -C 100 "
                             "-o m.kmx --json run.json");
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_NE(train.err.find("60  (targets from "), std::string::npos) << train.err;
  const Json run = json_of(folder, "run.json");
  EXPECT_EQ(run.at("target"), "numbers");
  EXPECT_TRUE(run.at("classes").is_null());
  EXPECT_EQ(run.at("settings").at("bias"), "free");
  EXPECT_EQ(run.at("settings").at("class_weights"), Json::array());

  const ToolRun predict = tool(folder, "predict m.kmx numbers.csv --id id --json p.json");
  ASSERT_EQ(predict.code, 0) << predict.err;
  EXPECT_TRUE(predict.out.starts_with("sample,prediction\ns0,")) << predict.out.substr(0, 60);
  const Json predictions = json_of(folder, "p.json").at("predictions");

  const ToolRun evaluate =
      tool(folder, "evaluate m.kmx numbers.csv --id id --label y --json e.json");
  ASSERT_EQ(evaluate.code, 0) << evaluate.err;
  EXPECT_NE(evaluate.out.find("rmse"), std::string::npos);
  const Json evaluation = json_of(folder, "e.json");
  EXPECT_EQ(evaluation.at("target"), "numbers");
  double squares = 0.0;
  for (int i = 0; i < kRows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double truth = 5.0 + 2.0 * first(i) + std::sin(3.0 * second(i));
    const double error = truth - predictions[k].at("prediction").get<double>();
    squares += error * error / kRows;
    EXPECT_EQ(evaluation.at("values").at("predicted")[k], predictions[k].at("prediction"));
  }
  EXPECT_NEAR(value_of(evaluation, "mse"), squares, 1e-9);
  EXPECT_GT(value_of(evaluation, "r2"), 0.95);

  const ToolRun verify = tool(folder, "verify m.kmx numbers.csv --id id --label y");
  EXPECT_EQ(verify.code, 0) << verify.out << verify.err;
  const ToolRun inspect = tool(folder, "inspect m.kmx");
  EXPECT_NE(inspect.out.find("numbers: regression"), std::string::npos) << inspect.out;
  expect_page(folder, "Residuals", false);
}

TEST(Regression, ContributionsAndTheBiasAreThePrediction) {
  const Folder folder;
  write_numbers(folder);
  for (const char* rule : {"free", "none", "penalised"}) {
    const ToolRun train =
        tool(folder, std::string("train numbers.csv --id id --label y --loss squared -o m.kmx "
                                 "--json run.json --quiet --bias ") +
                         rule);
    ASSERT_EQ(train.code, 0) << train.err;
    const Json run = json_of(folder, "run.json");
    EXPECT_EQ(run.at("settings").at("bias"), rule);
    const double bias = run.at("bias");
    EXPECT_EQ(bias == 0.0, std::string(rule) == "none");
    const ToolRun predict = tool(folder, "predict m.kmx numbers.csv --id id --contributions");
    ASSERT_EQ(predict.code, 0) << predict.err;
    std::istringstream lines(predict.out);
    std::string line;
    std::getline(lines, line);
    std::getline(lines, line);
    std::istringstream cells(line);
    double prediction = 0.0;
    double sum = bias;
    for (int column = 0; std::getline(cells, line, ','); ++column) {
      if (column == 1) prediction = std::stod(line);
      if (column >= 2) sum += std::stod(line);
    }
    EXPECT_NEAR(prediction, sum, 1e-9) << rule;
    EXPECT_EQ(tool(folder, "verify m.kmx numbers.csv --id id --label y").code, 0) << rule;
  }
}

TEST(Regression, LibsvmLabelsAreNumbersToo) {
  const Folder folder;
  std::ostringstream text;
  for (int i = 0; i < kRows; ++i) {
    text << 10.0 * first(i) << " 1:" << first(i) << " 2:" << second(i) << "\n";
  }
  folder.write("d.libsvm", text.str());
  const ToolRun train = tool(folder,
                             "train d.libsvm --loss squared --kernel 'linear on *' -C 1000 "
                             "--normalize none --scale none --quiet -o m.kmx");
  ASSERT_EQ(train.code, 0) << train.err;
  const ToolRun evaluate = tool(folder, "evaluate m.kmx d.libsvm --json e.json");
  ASSERT_EQ(evaluate.code, 0) << evaluate.err;
  EXPECT_LT(value_of(json_of(folder, "e.json"), "rmse"), 0.01);
}

TEST(Logistic, PredictsAProbabilityBesideTheLabel) {
  const Folder folder;
  write_novelties(folder);
  const std::string data = "novelties.csv --label kind";
  ASSERT_EQ(tool(folder, "train " + data + " --loss logistic -o m.kmx").code, 0);
  const ToolRun predict = tool(folder, "predict m.kmx " + data + " --contributions --json p.json");
  ASSERT_EQ(predict.code, 0) << predict.err;
  EXPECT_TRUE(predict.out.starts_with("sample,decision,label,probability,")) << predict.out;
  const Json predicted = json_of(folder, "p.json");
  ASSERT_FALSE(predicted.at("predictions").empty());
  for (const Json& sample : predicted.at("predictions")) {
    const double odds = std::exp(sample.at("decision").get<double>());
    EXPECT_NEAR(sample.at("probability").get<double>(), odds / (1.0 + odds), 1e-12);
    const bool positive = sample.at("probability") >= 0.5;
    EXPECT_EQ(sample.at("label"), positive ? "usual" : "odd");
  }
}

TEST(Novelty, TrainsPredictsEvaluatesVerifiesAndReports) {
  const Folder folder;
  write_novelties(folder);
  const ToolRun train = tool(folder,
                             "train novelties.csv --ignore kind --scale none --loss "
                             "one-class:nu=0.1 --kernel 'rbf(gamma=2^-3..2^0) on *' -o m.kmx "
                             "--json run.json");
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_EQ(json_of(folder, "run.json").at("target"), "none");
  EXPECT_EQ(tool(folder, "verify m.kmx novelties.csv --ignore kind").code, 0);

  const ToolRun predict = tool(folder, "predict m.kmx novelties.csv");
  EXPECT_TRUE(predict.out.starts_with("sample,decision,label\n")) << predict.out;
  EXPECT_NE(predict.out.find(",inlier\n"), std::string::npos);

  const ToolRun bare = tool(folder, "evaluate m.kmx novelties.csv --json bare.json");
  ASSERT_EQ(bare.code, 0) << bare.err;
  EXPECT_EQ(json_of(folder, "bare.json").at("metrics").size(), 1U);
  EXPECT_TRUE(json_of(folder, "bare.json").at("labels").is_null());

  const ToolRun evaluate =
      tool(folder, "evaluate m.kmx novelties.csv --label kind --inlier usual --json e.json");
  ASSERT_EQ(evaluate.code, 0) << evaluate.err;
  const Json evaluation = json_of(folder, "e.json");
  EXPECT_EQ(evaluation.at("labels").at("outlier"), "odd");
  EXPECT_GT(value_of(evaluation, "auc"), 0.5);
  EXPECT_LE(value_of(evaluation, "outlier_fraction"), 0.2);
  expect_page(folder, "Decision values", true);
}

TEST(Novelty, TheSmallestBallGoesTheSameWay) {
  const Folder folder;
  write_novelties(folder);
  const ToolRun train = tool(folder,
                             "train novelties.csv --ignore kind --loss svdd:nu=0.1 "
                             "--kernel 'poly(degree=1..2) on *, normalize=center+trace' -o m.kmx "
                             "--json run.json");
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_EQ(tool(folder, "verify m.kmx novelties.csv --ignore kind").code, 0);
  EXPECT_EQ(tool(folder, "inspect m.kmx").code, 0);
  const ToolRun predict = tool(folder, "predict m.kmx novelties.csv");
  EXPECT_NE(predict.out.find(",inlier\n"), std::string::npos) << predict.out;
  const ToolRun evaluate =
      tool(folder, "evaluate m.kmx novelties.csv --label kind --inlier usual --json e.json");
  ASSERT_EQ(evaluate.code, 0) << evaluate.err;
  EXPECT_GT(value_of(json_of(folder, "e.json"), "auc"), 0.5);
  expect_page(folder, "Decision values", true);
}

TEST(Novelty, AGramMatrixIsAllThatIsNeeded) {
  const Folder folder;
  std::ostringstream gram;
  gram.precision(17);
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kRows; ++j) {
      const double a = first(i) - first(j);
      const double b = second(i) - second(j);
      gram << (j > 0 ? "," : "") << std::exp(-a * a - b * b);
    }
    gram << "\n";
  }
  folder.write("K.csv", gram.str());
  const ToolRun train = tool(folder, "train --gram K.csv --loss one-class:nu=0.2 -q -o m.kmx");
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_EQ(tool(folder, "verify m.kmx --gram K.csv").code, 0);
  const ToolRun evaluate = tool(folder, "evaluate m.kmx --gram K.csv --json e.json");
  ASSERT_EQ(evaluate.code, 0) << evaluate.err;
  EXPECT_LE(value_of(json_of(folder, "e.json"), "outlier_fraction"), 0.2);
  EXPECT_TRUE(
      tool(folder, "predict m.kmx --gram K.csv").out.starts_with("sample,decision,label\n"));
}

TEST(Targets, EvaluateAsksForWhatTheModelNeeds) {
  const Folder folder;
  write_numbers(folder);
  ASSERT_EQ(tool(folder, "train numbers.csv --id id --label y --loss squared -q -o m.kmx").code, 0);
  const ToolRun no_label = tool(folder, "evaluate m.kmx numbers.csv --id id");
  EXPECT_EQ(no_label.code, 2);
  EXPECT_NE(no_label.err.find("--label is missing"), std::string::npos) << no_label.err;
  const ToolRun no_data = tool(folder, "evaluate m.kmx");
  EXPECT_EQ(no_data.code, 2);
  EXPECT_NE(no_data.err.find("DATA is missing"), std::string::npos) << no_data.err;
  const ToolRun inlier = tool(folder, "evaluate m.kmx numbers.csv --id id --label y --inlier 1");
  EXPECT_EQ(inlier.code, 2);
  EXPECT_NE(inlier.err.find("does not detect novelties"), std::string::npos) << inlier.err;
  const ToolRun no_number = tool(folder, "evaluate m.kmx numbers.csv --label id");
  EXPECT_EQ(no_number.code, 3);
  EXPECT_NE(no_number.err.find("sample 1: label 's0' is not a finite number"), std::string::npos)
      << no_number.err;
  const ToolRun other = tool(folder, "verify m.kmx numbers.csv --id id --label a");
  EXPECT_EQ(other.code, 3) << "other targets than those of training";
}

}  // namespace
}  // namespace kernmix::test
