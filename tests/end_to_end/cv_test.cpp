/// \file
/// kernmix cv: files to tables, JSON and held-out predictions; who says the folds; refusals.

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>
#include <string>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

constexpr int kVisits = 60;

/// Columns id, y, a, b, patient, fold.
void write_visits(const Folder& folder) {
  std::ostringstream text;
  text << "id,y,a,b,patient,fold\n";
  for (int i = 0; i < kVisits; ++i) {
    const double a = spread(i, 1.41421356);
    const double b = spread(i, 1.73205081);
    text << "v" << i << "," << (b > a * a - 0.3 ? "ill" : "well") << "," << a << "," << b << ",p"
         << i % 7 << "," << i % 4 - 1 << "\n";
  }
  folder.write("visits.csv", text.str());
}

const std::string kData = "cv visits.csv --id id --label y ";

Json cv_of(const Folder& folder, const std::string& options) {
  const ToolRun run = tool(folder, kData + options + " --json cv.json");
  EXPECT_EQ(run.code, 0) << run.err;
  return json_of(folder, "cv.json");
}

double mean_of(const Json& model, const std::string& name) {
  for (const Json& metric : model.at("metrics")) {
    if (metric.at("name") == name) return metric.at("mean");
  }
  throw std::out_of_range(name);
}

TEST(Cv, ComparesModelsOnTheSameFolds) {
  const Folder folder;
  write_visits(folder);
  const ToolRun run = tool(folder, kData +
                                       "--ignore patient --ignore fold --also 'mean: --regularizer "
                                       "average' --also 'again: -C 1' --json cv.json "
                                       "--predictions p.csv");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("5 folds, stratified, shuffled with seed 0"), std::string::npos);
  const Json document = json_of(folder, "cv.json");
  EXPECT_EQ(document.at("models").size(), 3U);
  EXPECT_EQ(document.at("models")[1].at("regularizer"), "average");
  const Json& pair = document.at("comparisons")[1];
  EXPECT_EQ(pair.at("model"), "again");
  EXPECT_EQ(pair.at("splits"), 5);
  EXPECT_LE(std::abs(pair.at("mean").get<double>()), 0.05) << "the same model, within its gap";
  std::istringstream lines(read_text(folder.file("p.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "model,split,sample,true,label,decision");
  int right = 0;
  int rows = 0;
  while (std::getline(lines, line)) {
    ++rows;
    const bool first = line.starts_with("first,");
    if (first && (line.find(",ill,ill,") != std::string::npos ||
                  line.find(",well,well,") != std::string::npos)) {
      ++right;
    }
  }
  EXPECT_EQ(rows, 3 * kVisits);
  for (const Json& metric : document.at("models")[0].at("expected").at("metrics")) {
    if (metric.at("name") == "accuracy") {
      EXPECT_NEAR(metric.at("value").get<double>(), right / double{kVisits}, 1e-12);
    }
  }
}

TEST(Cv, TakesTheFoldsThatAreAskedFor) {
  const Folder folder;
  write_visits(folder);
  const Json groups = cv_of(folder, "--groups patient --folds 3 --ignore fold");
  for (const Json& tested : groups.at("folds").at("tested")) {
    for (const Json& i : tested) {
      const int patient = (i.get<int>() - 1) % 7;
      int count = 0;
      for (const Json& j : tested) count += (j.get<int>() - 1) % 7 == patient ? 1 : 0;
      EXPECT_EQ(count, patient < 4 ? 9 : 8) << "all visits of a patient stand together";
    }
  }
  const Json column = cv_of(folder, "--fold-column fold --ignore patient");
  EXPECT_EQ(column.at("folds").at("tested").size(), 3U);
  EXPECT_EQ(column.at("folds").at("tested")[0][0], 2);
  folder.write("splits.txt", std::string(30, '1') + std::string(30, '0') + "\n5 6 7\n");
  const Json splits = cv_of(folder, "--split-file splits.txt --ignore patient --ignore fold");
  EXPECT_EQ(splits.at("folds").at("tested")[0].size(), 30U);
  EXPECT_EQ(splits.at("folds").at("tested")[1], Json({5, 6, 7}));
  const Json repeats =
      cv_of(folder, "--folds 2 --repeats 3 --seed 4 --ignore patient --ignore fold");
  EXPECT_EQ(repeats.at("models")[0].at("folds").size(), 6U);
  const Json one = cv_of(folder, "--leave-one-out --ignore patient --ignore fold");
  EXPECT_EQ(one.at("folds").at("tested").size(), 60U);
}

/// Folds of sites, with subjects as units: results have the names of the sites.
TEST(Cv, FoldsOfSitesHaveTheirNamesAndGroupsInside) {
  const Folder folder;
  std::ostringstream text;
  text << "y,a,b,site,subject\n";
  for (int i = 0; i < kVisits; ++i) {
    const double a = spread(i, 1.41421356);
    const char* const sites[] = {"Oslo", "Bern", "Rome"};
    text << (a > 0.0 ? "ill" : "well") << "," << a << "," << spread(i, 1.73205081) << ","
         << sites[i / 2 % 3] << ",s" << i / 2 << "\n";
  }
  folder.write("sites.csv", text.str());
  const std::string command = "cv sites.csv --label y --groups subject --fold-column site";
  const ToolRun run = tool(folder, command + " --json cv.json --predictions p.csv");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("the folds of column site, with the groups of column subject"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("Bern"), std::string::npos);
  const Json document = json_of(folder, "cv.json");
  EXPECT_EQ(document.at("folds").at("names"), Json({"Bern", "Oslo", "Rome"}));
  EXPECT_EQ(document.at("folds").at("tested")[0][0], 3) << "the first row of Bern";
  EXPECT_EQ(document.at("models")[0].at("expected").at("n_independent"), kVisits / 2);
  EXPECT_NE(read_text(folder.file("p.csv")).find("model,Oslo,1,"), std::string::npos);
  folder.write("spans.csv", text.str() + "ill,1,2,Bern,s0\n");
  const ToolRun spans = tool(folder, "cv spans.csv --label y --groups subject --fold-column site");
  EXPECT_EQ(spans.code, 3);
  EXPECT_NE(spans.err.find("--fold-column: group 's0' of column 'subject' is in the training part"),
            std::string::npos)
      << spans.err;
}

/// Splits in time: each trains on the past and leaves out what comes later.
TEST(Cv, SplitsMayLeaveSamplesOut) {
  const Folder folder;
  write_visits(folder);
  const auto line = [](int trained, int tested) {
    return std::string(static_cast<std::size_t>(trained), '1') +
           std::string(static_cast<std::size_t>(tested), '0') +
           std::string(static_cast<std::size_t>(kVisits - trained - tested), '-') + "\n";
  };
  folder.write("forward.txt", line(20, 20) + line(40, 20));
  const std::string rest = " --ignore patient --ignore fold";
  const Json splits = cv_of(folder, "--split-file forward.txt --predictions p.csv" + rest);
  EXPECT_EQ(splits.at("folds").at("tested")[0].size(), 20U);
  std::istringstream lines(read_text(folder.file("p.csv")));
  int rows = -1;
  for (std::string row; std::getline(lines, row);) ++rows;
  EXPECT_EQ(rows, 40) << "the first twenty are never tested";
  std::string head = "id,y,a,b,patient,fold\n";
  std::istringstream all(read_text(folder.file("visits.csv")));
  std::string row;
  std::getline(all, row);
  std::string text = head;
  for (int i = 0; i < 40 && std::getline(all, row); ++i) text += row + "\n";
  folder.write("visits.csv", text);
  folder.write("forward.txt", std::string(20, '1') + std::string(20, '0') + "\n");
  const Json past = cv_of(folder, "--split-file forward.txt" + rest);
  EXPECT_EQ(past.at("models")[0].at("folds")[0].at("metrics"),
            splits.at("models")[0].at("folds")[0].at("metrics"))
      << "what a split does not use is as if it were not there";
  folder.write("forward.txt", "11100---0\n");
  const ToolRun other = tool(folder, kData + "--split-file forward.txt" + rest);
  EXPECT_EQ(other.code, 3);
  EXPECT_NE(other.err.find("forward.txt:1: the line has 9 signs for 40 samples"), std::string::npos)
      << other.err;
}

TEST(Cv, LearnsNumbersAndProbabilities) {
  const Folder folder;
  write_visits(folder);
  const ToolRun run = tool(folder,
                           "cv visits.csv --id id --label a --ignore y --ignore patient --ignore "
                           "fold --loss squared -C 10 --json cv.json --folds 3");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json document = json_of(folder, "cv.json");
  EXPECT_EQ(document.at("score"), "r2");
  EXPECT_GE(mean_of(document.at("models")[0], "rmse"), 0.0);
  const Json probable = cv_of(folder, "--ignore patient --ignore fold --calibrate platt --folds 3");
  EXPECT_LE(mean_of(probable.at("models")[0], "log_loss"), 0.7) << "no worse than a coin";
}

double expected_of(const Json& model, const std::string& name) {
  for (const Json& metric : model.at("expected").at("metrics")) {
    if (metric.at("name") == name) return metric.at("value");
  }
  throw std::out_of_range(name);
}

/// Rare samples with heavy weights: the sign of the decision value and p > 0.5 disagree.
TEST(Cv, ScoresTheLabelsThatItWrites) {
  const Folder folder;
  std::ostringstream text;
  text << "y,a,b\n";
  for (int i = 0; i < 90; ++i) {
    const bool rare = i % 6 == 0;
    text << (rare ? "p," : "n,") << spread(i, 1.41421356) + (rare ? 0.5 : 0.0) << ","
         << spread(i, 1.73205081) << "\n";
  }
  folder.write("rare.csv", text.str());
  const ToolRun run = tool(folder,
                           "cv rare.csv --label y --class-weight balanced -C 0.1 --calibrate platt "
                           "--json cv.json --predictions p.csv");
  ASSERT_EQ(run.code, 0) << run.err;
  std::istringstream lines(read_text(folder.file("p.csv")));
  std::string line;
  std::getline(lines, line);
  double right = 0.0;
  double rows = 0.0;
  while (std::getline(lines, line)) {
    rows += 1.0;
    right += line.find(",p,p,") != std::string::npos || line.find(",n,n,") != std::string::npos;
  }
  EXPECT_EQ(rows, 90.0);
  EXPECT_NEAR(expected_of(json_of(folder, "cv.json").at("models")[0], "accuracy"), right / rows,
              1e-12);
}

TEST(Cv, WarnsOfLabelsThatAreNoBetterThanTheMostFrequentClass) {
  const Folder folder;
  std::ostringstream text;
  text << "y,a\n";
  for (int i = 0; i < 60; ++i) text << (i % 5 == 0 ? "p," : "n,") << spread(i, 1.41421356) << "\n";
  folder.write("noise.csv", text.str());
  const ToolRun run = tool(folder, "cv noise.csv --label y -C 0.01 --json cv.json");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("[no-better-than-majority]"), std::string::npos) << run.err;
  EXPECT_EQ(json_of(folder, "cv.json").at("warnings").size(), 1U);
  const ToolRun trained = tool(folder, "train noise.csv --label y -C 0.01 -o m.kmx");
  EXPECT_NE(trained.err.find("[one-class-predicted]"), std::string::npos) << trained.err;
  const ToolRun evaluated = tool(folder, "evaluate m.kmx noise.csv --label y --json e.json");
  EXPECT_NE(evaluated.err.find("[no-better-than-majority]"), std::string::npos) << evaluated.err;
  EXPECT_EQ(json_of(folder, "e.json").at("warnings")[0].at("code"), "no-better-than-majority");
  folder.write("negative.csv", "y,a\nn,0.1\nn,0.2\nn,0.3\n");
  const ToolRun negative = tool(folder, "evaluate m.kmx negative.csv --label y");
  EXPECT_NE(negative.err.find("all samples are 'n'"), std::string::npos) << negative.err;
  EXPECT_NE(negative.err.find("[one-class-evaluated]"), std::string::npos) << negative.err;
  EXPECT_EQ(negative.err.find("[no-better-than-majority]"), std::string::npos) << negative.err;
}

/// A small C and unequal classes: the threshold is beyond all samples, which are ranked well.
TEST(Cv, WarnsOfAThresholdThatHidesAGoodRanking) {
  const Folder folder;
  std::ostringstream text;
  text << "y,a\n";
  for (int i = 0; i < 60; ++i) {
    text << (i % 5 == 0 ? "p," : "n,") << (i % 5 == 0 ? 1.0 : 0.0) + spread(i, 1.41421356) << "\n";
  }
  folder.write("ranked.csv", text.str());
  ASSERT_EQ(tool(folder, "train ranked.csv --label y -C 1e-4 --kernel linear -o m.kmx").code, 0);
  const ToolRun evaluated = tool(folder, "evaluate m.kmx ranked.csv --label y");
  EXPECT_NE(evaluated.err.find("rank the samples better than chance (AUC"), std::string::npos)
      << evaluated.err;
}

TEST(Cv, LeaveOneOutPrintsNoAreaUnderTheCurve) {
  const Folder folder;
  write_visits(folder);
  const ToolRun run = tool(folder, kData + "--leave-one-out --ignore patient --ignore fold");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("each fold tests one sample"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("auc                -"), std::string::npos) << run.out;
}

TEST(Cv, SpeaksOfIntervalsWhereThereAreSome) {
  const Folder folder;
  write_visits(folder);
  const std::string sentence = ", with 95 % intervals.";
  const std::string some = tool(folder, kData + "--ignore patient --ignore fold").out;
  EXPECT_NE(some.find(sentence), std::string::npos) << some;
  const std::string none = tool(folder, kData + "--groups patient --folds 3 --ignore fold").out;
  EXPECT_NE(none.find("There are no intervals: 7 groups"), std::string::npos) << none;
  EXPECT_EQ(none.find(sentence), std::string::npos) << none;
}

TEST(Cv, SaysWhatStandsInTheWay) {
  const Folder folder;
  write_visits(folder);
  const auto refused = [&](const std::string& options, const std::string& why, int code) {
    const ToolRun run = tool(folder, kData + options);
    EXPECT_EQ(run.code, code) << options << "\n" << run.err;
    EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
  };
  refused("--groups patient --fold-column fold", "of column 'patient' is in the training part", 3);
  refused("--split-file splits.txt --fold-column fold", "both define the folds", 2);
  refused("--groups pateint", "did you mean 'patient'", 3);
  refused("--leave-one-out --repeats 2", "the same each time", 2);
  refused("--leave-one-out --folds 10", "--folds 10: --leave-one-out defines the folds", 2);
  folder.write("measured.csv", "y,a,b\nu,0.5,1\nv,1.5,2\nu,2,3\nv,3,4\n");
  const ToolRun measured = tool(folder, "cv measured.csv --label y --fold-column a");
  EXPECT_EQ(measured.code, 3) << measured.err;
  EXPECT_NE(measured.err.find("column 'a' has measurements such as 0.5"), std::string::npos)
      << measured.err;
  refused("--folds 61 --ignore patient --ignore fold", "61 folds of 60 samples; choose 2 to 60", 2);
  refused("--score acuracy --ignore patient", "did you mean 'accuracy'", 2);
  refused("--ignore patient --ignore fold --also 'average'", "must be 'NAME: OPTIONS'", 2);
  refused("--ignore patient --ignore fold --also 'x: --regularizer none'", "--also 'x'", 2);
  refused("--ignore patient --ignore fold --also 'x: --nonsense 3'", "--nonsense", 2);
  folder.write("splits.txt", "1 2 61\n");
  refused("--split-file splits.txt --ignore patient --ignore fold", "splits.txt:1: '61'", 3);
}

/// Columns of groups and folds are called by their names, not labels, and nothing is taken for
/// them.
TEST(Cv, NamesTheColumnThatIsNotThere) {
  const Folder folder;
  write_visits(folder);
  folder.write("hole.csv", "y,a,g\nu,1,p\nv,2,\nu,3,q\nv,4,p\n");
  folder.write("d.svm", "1 1:1 2:3\n-1 1:2\n1 1:3 2:1\n-1 2:2\n");
  const auto refused = [&](const std::string& line, const std::string& sentence) {
    const ToolRun run = tool(folder, line);
    EXPECT_EQ(run.code, 3) << line;
    EXPECT_NE(run.err.find(sentence), std::string::npos) << line << run.err;
    EXPECT_EQ(run.err.find("label"), std::string::npos) << line << run.err;
  };
  for (const std::string option : {"--groups", "--fold-column"}) {
    const std::string what = option == "--groups" ? "group" : "fold";
    refused(kData + option + " patiant", option + ": visits.csv: there is no " + what +
                                             " column 'patiant', did you mean 'patient'?");
    refused("cv d.svm " + option + " patient", option + ": d.svm: there is no " + what);
    refused("cv hole.csv --label y " + option + " g", "the " + what + " is missing");
  }
  refused("train visits.csv --id id --label y --ignore fold --groups nobody -o m.kmx",
          "--groups: visits.csv: there is no group column 'nobody'");
}

/// Without outliers nothing says how well they are found, which is known before any model.
TEST(Cv, OfNoveltiesNeedsOutliersToCompare) {
  const Folder folder;
  std::ostringstream text;
  text << "a,b,f,y\n";
  for (int i = 0; i < 40; ++i) {
    text << spread(i, 1.41421356) << "," << spread(i, 1.73205081) << "," << i % 4 << ",normal\n";
  }
  folder.write("normal.csv", text.str());
  const std::string data = " normal.csv --label y --loss one-class:nu=0.1 --fold-column f";
  const ToolRun alone = tool(folder, "cv" + data);
  EXPECT_EQ(alone.code, 0) << alone.err;
  EXPECT_NE(alone.out.find("outlier_fraction"), std::string::npos);
  for (const std::string& command :
       {"cv" + data + " --also 'b: -C 1'", "tune" + data + " --grid scale=none,minmax -o m.kmx"}) {
    const ToolRun run = tool(folder, command);
    EXPECT_EQ(run.code, 3) << command;
    EXPECT_NE(run.err.find("normal.csv: all samples have the label 'normal'"), std::string::npos)
        << run.err;
  }
  folder.write("one.csv", text.str() + "9,9,0,outlier\n");
  const std::string mixed = " one.csv --label y --loss one-class:nu=0.1";
  EXPECT_EQ(tool(folder, "tune" + mixed + " --fold-column f --grid scale=none -o m.kmx").code, 0);
  const ToolRun alone_each = tool(
      folder, "tune" + mixed + " --ignore f --leave-one-out --grid scale=none,minmax -o m.kmx");
  EXPECT_EQ(alone_each.code, 3);
  EXPECT_NE(alone_each.err.find("on any fold: each fold tests only one class"), std::string::npos)
      << alone_each.err;
}

TEST(Cv, WarnsOfClassesThatSomeFoldsLack) {
  const Folder folder;
  std::string text = "y,a\n";
  for (int i = 0; i < 20; ++i) text += (i % 7 == 0 ? "rare," : "usual,") + std::to_string(i) + "\n";
  folder.write("few.csv", text);
  const ToolRun run = tool(folder, "cv few.csv --label y");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("rare (3)"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace kernmix::test
