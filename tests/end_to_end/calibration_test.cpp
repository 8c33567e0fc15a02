/// \file
/// Probabilities from training to evaluation: they lose less than raw scores on samples held out,
/// and never contradict the label beside them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

/// Two classes that overlap, one sample in four of the second; columns y, a, b, c.
std::string overlapping(int from, int to) {
  std::ostringstream text;
  text.precision(17);
  text << "y,a,b,c\n";
  for (int i = from; i < to; ++i) {
    const bool ill = i % 4 == 0;
    const double shift = ill ? 0.9 : 0.0;
    text << (ill ? "ill" : "fit") << "," << shift + spread(i, 1.4142135623730951) << ","
         << 0.5 * shift + spread(i, 1.7320508075688772) << "," << spread(i, 2.23606797749979)
         << "\n";
  }
  return text.str();
}

/// Three classes on a ring; columns y, a, b.
std::string three_classes(int from, int to) {
  std::ostringstream text;
  text.precision(17);
  text << "y,a,b\n";
  for (int i = from; i < to; ++i) {
    const double turn = 2.1 * (i % 3);
    text << "c" << i % 3 << "," << std::cos(turn) + 1.4 * spread(i, 1.4142135623730951) << ","
         << std::sin(turn) + 1.4 * spread(i, 1.7320508075688772) << "\n";
  }
  return text.str();
}

/// Mean -log of the probability of what came true, of raw scores squashed and divided by their sum.
double raw_log_loss(const Json& predictions, const std::vector<std::string>& truth,
                    const std::string& positive) {
  const auto squashed = [](double f) { return 1.0 / (1.0 + std::exp(-f)); };
  double loss = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const Json& decision = predictions[i].at("decision");
    double p = 0.0;
    if (decision.is_number()) {
      p = squashed(truth[i] == positive ? decision.get<double>() : -decision.get<double>());
    } else {
      double sum = 0.0;
      for (const Json& f : decision) sum += squashed(f.get<double>());
      p = squashed(decision.at(truth[i]).get<double>()) / sum;
    }
    loss -= std::log(p) / static_cast<double>(truth.size());
  }
  return loss;
}

std::vector<std::string> labels_in(const std::string& csv, std::size_t column) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> labels;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string field;
    for (std::size_t k = 0; k <= column; ++k) std::getline(fields, field, ',');
    labels.push_back(field);
  }
  return labels;
}

void expect_agreement(const Json& prediction, const std::string& positive) {
  const Json& p = prediction.at("probability");
  const std::string label = prediction.at("label");
  if (p.is_number()) {
    EXPECT_EQ(label == positive, p.get<double>() > 0.5) << prediction.dump();
    return;
  }
  double sum = 0.0;
  for (const auto& item : p.items()) {
    EXPECT_LE(item.value().get<double>(), p.at(label).get<double>()) << prediction.dump();
    sum += item.value().get<double>();
  }
  EXPECT_NEAR(sum, 1.0, 1e-12);
}

struct HeldOut {
  std::string train, test;  ///< CSV, label in column `label`
  std::size_t label = 0;
  std::string name = "y";
  std::string positive;
};

/// \returns log loss of raw scores and of calibrated probabilities
std::pair<double, double> losses_on(const HeldOut& data, const std::string& options) {
  const Folder folder;
  folder.write("train.csv", data.train);
  folder.write("test.csv", data.test);
  const ToolRun train = tool(
      folder, "train train.csv --label " + data.name + " " + options + " -o m.kmx --json run.json");
  EXPECT_EQ(train.code, 0) << train.err;
  EXPECT_NE(train.err.find("labels follow from probabilities"), std::string::npos) << train.err;
  EXPECT_TRUE(json_of(folder, "run.json").contains("calibration"));
  const ToolRun predict =
      tool(folder, "predict m.kmx test.csv --label " + data.name + " --probability --json p.json");
  EXPECT_EQ(predict.code, 0) << predict.err;
  const ToolRun evaluate =
      tool(folder, "evaluate m.kmx test.csv --label " + data.name + " --json e.json");
  EXPECT_EQ(evaluate.code, 0) << evaluate.err;
  const Json predictions = json_of(folder, "p.json").at("predictions");
  for (const Json& one : predictions) expect_agreement(one, data.positive);
  const Json evaluation = json_of(folder, "e.json");
  EXPECT_GT(evaluation.at("reliability").size(), 1U);
  EXPECT_GT(value_of(evaluation, "brier_score"), 0.0);
  EXPECT_GE(value_of(evaluation, "expected_calibration_error"), 0.0);
  return {raw_log_loss(predictions, labels_in(data.test, data.label), data.positive),
          value_of(evaluation, "log_loss")};
}

TEST(CalibrationJob, ProbabilitiesLoseLessThanRawScores) {
  for (const char* method : {"platt", "isotonic", "beta"}) {
    const auto [raw, calibrated] =
        losses_on({overlapping(0, 300), overlapping(300, 600), 0, "y", "ill"},
                  std::string("--calibrate ") + method);
    EXPECT_LT(calibrated, raw) << method;
  }
}

TEST(CalibrationJob, OfManyClassesProbabilitiesLoseLessThanRawScores) {
  for (const char* scheme : {"one-vs-rest", "one-vs-one", "joint"}) {
    const auto [raw, calibrated] = losses_on(
        {three_classes(0, 240), three_classes(240, 480), 0, "y", ""},
        std::string("--kernel 'rbf(width=median)' --calibration-folds 3 --calibrate platt "
                    "--multiclass ") +
            scheme);
    EXPECT_LT(calibrated, raw) << scheme;
  }
}

TEST(CalibrationJob, OfBreastCancerProbabilitiesLoseLessThanRawScores) {
  const auto [raw, calibrated] =
      losses_on({read_text(example("breast_cancer_train.csv")),
                 read_text(example("breast_cancer_test.csv")), 1, "diagnosis", "malignant"},
                "--id sample --kernel 'rbf(width=median*2^-1..2^1)' --calibrate platt");
  EXPECT_LT(calibrated, raw);
}

TEST(CalibrationJob, OfLabelsEachHasItsOwnAndTheModelVerifies) {
  const Folder folder;
  std::ostringstream text;
  text << "warm,loud,a,b\n";
  for (int i = 0; i < 90; ++i) {
    const double a = spread(i, 1.4142135623730951);
    const double b = spread(i, 1.7320508075688772);
    const double noise = spread(i, 2.23606797749979);
    text << (a + 0.5 * noise > 0.2 ? 1 : 0) << "," << (b - 0.5 * noise > 0.5 ? 1 : 0) << "," << a
         << "," << b << "\n";
  }
  folder.write("labels.csv", text.str());
  const ToolRun train = tool(folder,
                             "train labels.csv --labels warm,loud --calibrate beta "
                             "--calibration-folds 3 --seed 4 -o m.kmx --quiet");
  ASSERT_EQ(train.code, 0) << train.err;
  ASSERT_EQ(tool(folder, "predict m.kmx labels.csv --labels warm,loud --json p.json -o p.csv").code,
            0);
  EXPECT_TRUE(read_text(folder.file("p.csv"))
                  .starts_with("sample,warm,loud,decision warm,decision loud,probability "
                               "warm,probability loud\n"));
  const Json predicted = json_of(folder, "p.json");
  ASSERT_FALSE(predicted.at("predictions").empty());
  for (const Json& one : predicted.at("predictions")) {
    for (const char* name : {"warm", "loud"}) {
      const Json& labels = one.at("labels");
      const bool has = std::find(labels.begin(), labels.end(), name) != labels.end();
      EXPECT_EQ(has, one.at("probability").at(name).get<double>() > 0.5) << one.dump();
    }
  }
  const ToolRun evaluate = tool(folder, "evaluate m.kmx labels.csv --labels warm,loud");
  EXPECT_NE(evaluate.out.find("brier_score"), std::string::npos) << evaluate.out;
  const ToolRun verify = tool(folder, "verify m.kmx labels.csv --labels warm,loud");
  EXPECT_EQ(verify.code, 0) << verify.out;
  const ToolRun inspect = tool(folder, "inspect m.kmx --json i.json");
  EXPECT_NE(inspect.out.find("beta, 3 folds"), std::string::npos) << inspect.out;
  EXPECT_EQ(json_of(folder, "i.json").at("calibration").at("method"), "beta");
}

TEST(ExplainJob, ViewsAndColumnsAreTheSameAsTextCsvAndJson) {
  const Folder folder;
  folder.write("train.csv", three_classes(0, 90));
  ASSERT_EQ(tool(folder,
                 "train train.csv --label y --view p=a --view q=b --kernel 'rbf(width=1) "
                 "on *' --regularizer lp:p=2 -o m.kmx --quiet")
                .code,
            0);
  const ToolRun found = tool(folder,
                             "explain m.kmx train.csv --label y --top 1 -o e.csv --gradients g.csv "
                             "--json e.json");
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_NE(found.out.find("... and 3 more"), std::string::npos) << found.out;
  const Json explained = json_of(folder, "e.json");
  ASSERT_EQ(explained.at("views").size(), 6U);
  ASSERT_EQ(explained.at("features").size(), 6U);
  const Json& first = explained.at("features")[0];
  EXPECT_EQ(first.at("task"), "c0");
  EXPECT_TRUE(read_text(folder.file("e.csv"))
                  .starts_with("task,feature,view,importance,direction\nc0," +
                               first.at("feature").get<std::string>() + ","));
  const std::string gradients = read_text(folder.file("g.csv"));
  EXPECT_EQ(std::count(gradients.begin(), gradients.end(), '\n'), 91);
  EXPECT_EQ(gradients.substr(0, 7), "sample,");
  const ToolRun contributions =
      tool(folder, "predict m.kmx train.csv --label y --contributions -o p.csv");
  ASSERT_EQ(contributions.code, 0) << contributions.err;
  EXPECT_NE(read_text(folder.file("p.csv")).find("on q:b to c2"), std::string::npos);
}

TEST(CalibrationJob, ProbabilitiesThatAreNotThereAreRefusedByName) {
  const Folder folder;
  folder.write("train.csv", overlapping(0, 80));
  ASSERT_EQ(tool(folder, "train train.csv --label y -o m.kmx --quiet").code, 0);
  const ToolRun refused = tool(folder, "predict m.kmx train.csv --label y --probability -o p.csv");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "kernmix: --probability: m.kmx is not calibrated; train it again with --calibrate "
            "platt, isotonic or beta\n");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"m.kmx", "train.csv"}));
  ASSERT_EQ(tool(folder, "train train.csv --label y --loss logistic -o l.kmx --quiet").code, 0);
  EXPECT_EQ(tool(folder, "predict l.kmx train.csv --label y --probability -o p.csv").code, 0);
}

}  // namespace
}  // namespace kernmix::test
