/// \file
/// kernmix auto: classes, numbers, labels in groups, no signal, and time that runs out.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

/// Two classes with a curve between them, a number, and a group of three samples each.
void write_samples(const Folder& folder) {
  std::ostringstream text;
  text << "class,number,noise,group,a,b\n";
  for (int i = 0; i < 90; ++i) {
    const double a = spread(i, 1.41421356);
    const double b = spread(i, 1.73205081);
    text << (b > a * a - 0.3 ? "in" : "out") << "," << a * a - b + 0.01 * spread(i, 2.2360679)
         << "," << (i * 7919 % 13 < 6 ? "x" : "y") << ",g" << i / 3 << "," << a << "," << b << "\n";
  }
  folder.write("samples.csv", text.str());
}

double metric_of(const Json& evaluation, const std::string& name) {
  const Json& metrics = evaluation.at("metrics");
  const auto found =
      std::ranges::find_if(metrics, [&](const Json& metric) { return metric.at("name") == name; });
  return found == metrics.end() ? -1.0 : found->at("value").get<double>();
}

TEST(Auto, ChoosesTrainsMeasuresAndReports) {
  const Folder folder;
  write_samples(folder);
  const ToolRun run = tool(folder,
                           "auto samples.csv --label class --ignore number --ignore noise "
                           "--ignore group --folds 3 -o out");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("Expected on new samples"), std::string::npos) << run.out;
  EXPECT_EQ(tool(folder, "verify out/model.kmx samples.csv --label class").code, 0);
  EXPECT_EQ(tool(folder, "predict out/model.kmx samples.csv --label class").code, 0);
  const Json held_out = json_of(folder, "out/held_out.json");
  EXPECT_EQ(held_out.at("n_samples"), 90);
  EXPECT_GT(metric_of(held_out, "accuracy"), 0.8);
  const Json tune = json_of(folder, "out/tune.json");
  const Json& chosen = tune.at("candidates")[tune.at("best").get<std::size_t>()];
  EXPECT_EQ(chosen.at("C"), json_of(folder, "out/run.json").at("settings").at("C"));
  const std::string page = read_text(folder.file("out/report.html"));
  EXPECT_NE(page.find("nested cross-validation, 3 folds"), std::string::npos);
  EXPECT_NE(page.find("kernmix auto samples.csv"), std::string::npos);
}

TEST(Auto, CountsASampleThatIsAloneInItsClassAsAnErrorWhereItIsTested) {
  const Folder folder;
  std::ostringstream text;
  text << "class,a,b\nalone,9,9\n";
  for (int i = 0; i < 60; ++i) {
    const double a = spread(i, 1.41421356);
    text << (a > 0.0 ? "p," : "n,") << a << "," << spread(i, 1.73205081) << "\n";
  }
  folder.write("alone.csv", text.str());
  for (const char* command : {"auto alone.csv -o out", "tune alone.csv --grid C=1,10 -o t.kmx",
                              "cv alone.csv", "tune alone.csv --grid C=1,10 --nested 5 -o u.kmx"}) {
    const ToolRun run = tool(folder, std::string(command) + " --label class");
    EXPECT_EQ(run.code, 0) << command << run.err;
    EXPECT_NE((run.out + run.err).find("class 'alone' is only in the test part"), std::string::npos)
        << command << run.out;
  }
  EXPECT_LT(metric_of(json_of(folder, "out/held_out.json"), "accuracy"), 1.0);
}

TEST(Auto, HeldOutAccuracyIsTheMeanOverSamplesOfTheNestedScores) {
  const Folder folder;
  write_samples(folder);
  ASSERT_EQ(tool(folder,
                 "auto samples.csv --label class --ignore number,noise,grouped --folds 3 -q -o out")
                .code,
            2);  // no column is called grouped
  ASSERT_EQ(tool(folder,
                 "auto samples.csv --label class --ignore number --ignore noise --ignore group "
                 "--folds 3 --threads 2 -q -o out")
                .code,
            0);
  double mean = 0.0;
  const Json tune = json_of(folder, "out/tune.json");
  for (const Json& fold : tune.at("nested").at("folds")) {
    mean += fold.at("score").get<double>() / 3.0;  // folds of 30 samples each
  }
  EXPECT_NEAR(metric_of(json_of(folder, "out/held_out.json"), "accuracy"), mean, 1e-12);
}

TEST(Auto, TakesNumbersThatCountUpForClasses) {
  const Folder folder;
  const auto loss_of = [&](int first, int step, int values, int samples) {
    std::ostringstream text;
    text << "label,a\n";
    for (int i = 0; i < samples; ++i) {
      text << first + step * (i % values) << "," << i % values + 0.3 * spread(i, 1.41421356)
           << "\n";
    }
    folder.write("numbers.csv", text.str());
    const ToolRun run =
        tool(folder, "auto numbers.csv --label label --kernel linear --folds 2 -o out");
    EXPECT_EQ(run.code, 0) << run.err;
    return json_of(folder, "out/run.json").at("settings").at("loss").get<std::string>();
  };
  EXPECT_EQ(loss_of(1, 1, 21, 105), "hinge");
  EXPECT_EQ(loss_of(0, 1, 22, 110), "hinge");
  EXPECT_EQ(loss_of(18, 1, 21, 105), "squared");  // an age
  EXPECT_EQ(loss_of(0, 2, 21, 105), "squared");   // with gaps
  EXPECT_EQ(loss_of(1, 1, 21, 84), "squared");    // four samples each
  EXPECT_EQ(loss_of(18, 2, 3, 30), "hinge");
}

TEST(Auto, TakesNumbersForNumbersAndKeepsGroupsTogether) {
  const Folder folder;
  write_samples(folder);
  const ToolRun run = tool(folder,
                           "auto samples.csv --label number --ignore class --ignore noise "
                           "--groups group --folds 3 -o out");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("loss squared, chosen from the labels"), std::string::npos) << run.out;
  EXPECT_EQ(json_of(folder, "out/run.json").at("settings").at("loss"), "squared");
  EXPECT_GT(metric_of(json_of(folder, "out/held_out.json"), "r2"), 0.8);
  EXPECT_NE(run.out.find("groups in column group"), std::string::npos) << run.out;
}

double low_of(const Json& evaluation, const std::string& name) {
  for (const Json& metric : evaluation.at("metrics")) {
    if (metric.at("name") == name && metric.at("low").is_number()) return metric.at("low");
  }
  return -1.0;
}

/// Folds have models with different C: the terminal, both JSON files and the page say one number.
TEST(Auto, SaysTheAnswerFirstAndOneNumberEverywhere) {
  const Folder folder;
  write_samples(folder);
  const ToolRun run = tool(folder,
                           "auto samples.csv --label class --ignore number --ignore noise --ignore "
                           "group --folds 3 --score auc -o out");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("All 90 samples are used.\nExpected: right for ")) << run.out;
  const Json held_out = json_of(folder, "out/held_out.json");
  const std::string answer = held_out.at("answer").dump();
  EXPECT_NE(answer.find("always saying 'out' is right for 54"), std::string::npos) << answer;
  EXPECT_NE(answer.find("new samples of 'out' (95 % interval"), std::string::npos) << answer;
  const Json nested = json_of(folder, "out/tune.json").at("nested");
  double mean = 0.0;
  for (const Json& fold : nested.at("folds")) mean += fold.at("score").get<double>() / 3.0;
  EXPECT_NEAR(metric_of(held_out, "auc"), mean, 1e-12);
  EXPECT_EQ(metric_of(held_out, "auc"), nested.at("mean").get<double>());
  EXPECT_EQ(metric_of(held_out, "auc"), metric_of(nested.at("expected"), "auc"));
  EXPECT_GT(low_of(held_out, "accuracy"), 0.0);
  const std::string page = read_text(folder.file("out/report.html"));
  const auto place = [&](const std::string& text) { return page.find(text); };
  ASSERT_NE(place("The answer"), std::string::npos);
  EXPECT_LT(place("The answer"), place("<h2>Methods"));
  EXPECT_LT(place("<h2>Methods"), place("How it was computed"));
}

TEST(Auto, AnswersWhereFoldsTestOneSampleOrTrainOnOneClass) {
  const Folder folder;
  const auto write = [&](int samples, const auto& label) {
    std::ostringstream text;
    text << "y,g,a,b,c,d\n";
    for (int i = 0; i < samples; ++i) {
      text << label(i) << ",g" << (i == 0 ? 9 : i % 4) << "," << i % 2 << ","
           << spread(i, 1.41421356) << "," << spread(i, 1.73205081) << "," << spread(i, 2.2360679)
           << "\n";
    }
    folder.write("few.csv", text.str());
  };
  const auto answers = [&](const std::string& options) {
    const ToolRun run = tool(folder, "auto few.csv --label y -o out " + options);
    EXPECT_EQ(run.code, 0) << options << run.err;
    EXPECT_EQ(tool(folder, "verify out/model.kmx few.csv --label y").code, 0) << options;
    EXPECT_TRUE(std::filesystem::exists(folder.file("out/report.html"))) << options;
  };
  write(33, [](int i) { return i % 2 == 0 ? "p" : "q"; });
  answers("--groups g");
  write(30, [](int i) { return i == 3 ? "alone" : "q"; });
  answers("--ignore g");
  write(30, [](int i) { return i % 4 == 1 ? "p" : "q"; });
  answers("--groups g");
  write(40, [](int i) { return i % 4 < 2 && i % 3 == 0 ? "p" : "q"; });
  answers("--groups g --score auc");
}

TEST(Auto, NamesTheColumnsThatMoveTheDecision) {
  const Folder folder;
  std::ostringstream text;
  text << "y,noise1,noise2,told,noise3\n";
  for (int i = 0; i < 80; ++i) {
    const double told = spread(i, 1.41421356);
    text << (told > 0.0 ? "p" : "q");
    for (const double step : {1.73205081, 2.23606798}) text << "," << spread(i, step);
    text << "," << told << "," << spread(i, 2.64575131) << "\n";
  }
  folder.write("columns.csv", text.str());
  ASSERT_EQ(tool(folder, "auto columns.csv --label y -q -o out").code, 0);
  const std::string answer = json_of(folder, "out/held_out.json").at("answer").dump();
  EXPECT_NE(answer.find("4 columns (range over models of parts of the samples): told "),
            std::string::npos)
      << answer;
  EXPECT_EQ(answer.find("noise"), std::string::npos) << answer;
}

/// The best of 20 candidates looks good on labels that nothing explains; what is held out does not.
TEST(Auto, ExpectsNothingWhereThereIsNoSignal) {
  const Folder folder;
  write_samples(folder);
  ASSERT_EQ(tool(folder,
                 "auto samples.csv --label noise --ignore number --ignore class --ignore group "
                 "--folds 3 -q -o out")
                .code,
            0);
  const Json held_out = json_of(folder, "out/held_out.json");
  EXPECT_LT(metric_of(held_out, "accuracy"), 0.7);
}

TEST(Auto, TellsTheWarningsOfTheModel) {
  const Folder folder;
  std::string text = "y,a\n";
  for (int i = 0; i < 20; ++i) text += i % 2 == 0 ? "p,1\n" : "q,1\n";
  folder.write("constant.csv", text);
  const std::string line = "auto constant.csv --label y --folds 2 -o out";
  EXPECT_NE(tool(folder, line).err.find("[equal-decisions]"), std::string::npos);
  EXPECT_EQ(tool(folder, line + " -q").err, "");
}

/// A fold that tests one class alone has no area under the curve: the mean is that of the others.
TEST(Auto, LeavesOutFoldsThatHaveNoScore) {
  const Folder folder;
  std::string text = "y,a,group\n";
  for (int i = 0; i < 30;
       ++i) {  // groups of eight and of two; those of fold a are all of one class
    const int fold = i % 3;
    text += (fold == 0 || i / 3 % 2 == 0 ? "p," : "q,") + std::to_string(i % 7) + "," +
            std::string(1, "abc"[fold]) + (i < 24 ? "1\n" : "2\n");
  }
  folder.write("groups.csv", text);
  const ToolRun run =
      tool(folder, "auto groups.csv --label y --groups group --folds 3 --score auc -o out");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("[no-better-than-majority]"), std::string::npos) << run.err;
}

TEST(Auto, KeepsTheModelWhereTimeRunsOut) {
  const Folder folder;
  write_samples(folder);
  const ToolRun run = tool(folder,
                           "auto samples.csv --label class --ignore number --ignore noise "
                           "--ignore group --time-limit 0.0001 -o out");
  EXPECT_EQ(run.code, 4) << run.out << run.err;
  const bool while_reading = run.err.find("the time limit was reached while") != std::string::npos;
  EXPECT_TRUE(while_reading || run.err.find("allow more time") != std::string::npos) << run.err;
}

}  // namespace
}  // namespace kernmix::test
