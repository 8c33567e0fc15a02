/// Views from sets of columns through the command line.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tool.hpp"

namespace kernmix::test {
namespace {

constexpr int kPatients = 60;
constexpr int kGenes = 12;
constexpr std::array<int, kGenes> kPrimes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

/// Genes 0 to 3 differ between the classes.
std::string genes_text(bool reversed) {
  std::string text = "y";
  const auto gene = [&](int j) { return static_cast<std::size_t>(reversed ? kGenes - 1 - j : j); };
  for (int j = 0; j < kGenes; ++j) text += ",G" + std::to_string(gene(j));
  text += "\n";
  for (int i = 0; i < kPatients; ++i) {
    text += i % 2 == 0 ? "yes" : "no";
    for (int j = 0; j < kGenes; ++j) {
      const double shift = gene(j) < 4 && i % 2 == 0 ? 1.5 : 0.0;
      text += "," + Json(spread(i, std::sqrt(kPrimes[gene(j)])) + shift).dump();
    }
    text += "\n";
  }
  return text;
}

class Sets : public ::testing::Test {
 protected:
  Sets() {
    folder.write("genes.csv", genes_text(false));
    folder.write("sets.gmt",
                 "informative genes\td\tG0\tG1\tG2\tG3\tunknown\n"
                 "noise\td\tG3\tG4\tG5\tG6\tG7\n"
                 "left out\td\tTP53\n");
  }
  /// The run must end well.
  ToolRun done(const std::string& line) {
    ToolRun run = tool(folder, line);
    EXPECT_EQ(run.code, 0) << line << "\n" << run.err;
    return run;
  }
  /// The weight of a view in a document of train or stability.
  [[nodiscard]] double weight_of(const std::string& json, const std::string& view) const {
    double weight = 0.0;
    const Json document = json_of(folder, json);
    for (const Json& kernel : document.at("weights")) {
      if (kernel.at("view") == view) weight += kernel.at("weight").get<double>();
    }
    return weight;
  }

  Folder folder;
};

const std::string kTrain = "train genes.csv --label y --sets sets.gmt -o model.kmx ";

TEST_F(Sets, TheInformativeOneHasTheWeight) {
  const ToolRun run = done(kTrain + "--json train.json");
  EXPECT_NE(run.err.find("1 of 3 sets is left out because no name in it is a column: 'left out'"),
            std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("genes.csv: 4 of 12 columns are in no view and are not used"),
            std::string::npos)
      << run.err;
  EXPECT_GT(weight_of("train.json", "informative genes"), 0.9);
}

TEST_F(Sets, AreViewsLikeOthers) {
  done(kTrain + "-q --calibrate platt");
  const std::string view = " --view 'a=G0..G3' --view b=G3..G7 ";
  done("train genes.csv --label y -q --calibrate platt -o views.kmx" + view);
  folder.write("reversed.csv", genes_text(true));
  const std::string predicted = done("predict model.kmx genes.csv").out;
  EXPECT_EQ(predicted, done("predict model.kmx reversed.csv").out);
  EXPECT_EQ(predicted, done("predict views.kmx genes.csv").out);
  done("verify model.kmx reversed.csv --label y");
  done("evaluate model.kmx reversed.csv --label y");
  const std::string explained = done("explain model.kmx genes.csv --label y").out;
  EXPECT_NE(explained.find("informative genes"), std::string::npos) << explained;
  EXPECT_NE(done("inspect model.kmx").out.find("informative genes"), std::string::npos);
  const std::string kernel = "-q --kernel 'linear on \"informative genes\"|noise' ";
  done("cv genes.csv --label y --folds 3 --sets sets.gmt " + kernel);
  done("tune genes.csv --label y --folds 3 --sets sets.gmt -o t.kmx --grid C=1,10 " + kernel);
  done("auto genes.csv --label y --folds 3 --sets sets.gmt -o auto " + kernel);
  EXPECT_EQ(done("predict auto/model.kmx genes.csv").out.size(),
            done("predict auto/model.kmx reversed.csv").out.size());
}

TEST_F(Sets, ComeFromFilesOfOptions) {
  done(kTrain + "-q");
  folder.write("options.toml", "label = \"y\"\nsets = [\"sets.gmt\"]\noutput = \"toml.kmx\"\n");
  done("train genes.csv -q --config options.toml");
  EXPECT_EQ(read_text(folder.file("model.kmx")), read_text(folder.file("toml.kmx")));
  folder.write("compare.toml",
               "[experiment]\nsplits = 2\ninner-folds = 2\nbaselines = false\n[[data]]\n"
               "name = \"g\"\nfiles = \"genes.csv\"\nlabel = \"y\"\nsets = \"sets.gmt\"\n"
               "[[method]]\nname = \"l1\"\nkernel = 'linear on \"informative genes\"'\n");
  done("compare compare.toml -q");
}

TEST_F(Sets, StabilityListsThemWithTheirIntervals) {
  done(
      "stability genes.csv --label y --sets sets.gmt --kernel 'linear on *' --resamples 10 "
      "--null-runs 0 --json s.json --csv s.csv");
  const Json views = json_of(folder, "s.json").at("views");
  ASSERT_EQ(views.size(), 2U);
  EXPECT_EQ(views[0].at("matched"), 4);
  EXPECT_EQ(views[0].at("named"), 5);
  EXPECT_GT(views[0].at("share"), views[1].at("share"));
  EXPECT_LE(views[0].at("low"), views[0].at("high"));
  const std::string csv = read_text(folder.file("s.csv"));
  EXPECT_TRUE(csv.starts_with(
      "kind,task,view,name,share,frequency,mean,low,high,null_frequency,null_mean,matched,named\n"
      "view,,informative genes,informative genes,"))
      << csv;
  EXPECT_NE(csv.find(",4,5\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",5,5\n"), std::string::npos) << csv;
}

TEST_F(Sets, InspectShowsTheirSizes) {
  EXPECT_NE(done("inspect sets.gmt").out.find("informative genes      5"), std::string::npos);
  done("inspect genes.csv --label y --sets sets.gmt --json i.json");
  const Json document = json_of(folder, "i.json");
  const Json expected = {{{"name", "informative genes"}, {"matched", 4}, {"named", 5}},
                         {{"name", "noise"}, {"matched", 5}, {"named", 5}},
                         {{"name", "left out"}, {"matched", 0}, {"named", 1}}};
  EXPECT_EQ(document.at("sets"), expected);
  EXPECT_EQ(document.at("unused_columns"), 4);
}

TEST_F(Sets, BadOnesEndWithTheCodeOfData) {
  const auto refused = [&](const std::string& text, int code, const std::string& why) {
    folder.write("bad.gmt", text);
    const ToolRun run = tool(folder, "train genes.csv --label y --sets bad.gmt -o m.kmx");
    EXPECT_EQ(run.code, code) << run.err;
    EXPECT_EQ(run.err.find("kernmix: " + why), 0U) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  };
  refused("", 3, "bad.gmt: is empty");
  refused("A\td\tG1\nB\td\n", 3, "bad.gmt:2: the set 'B' has no members");
  refused("A\td\tG1\nA\td\tG2\n", 3, "bad.gmt:2: the set 'A' is on line 1, too");
  refused("A\td\tTP53\n", 3, "bad.gmt:1: no name in 1 set is a column of genes.csv");
  EXPECT_EQ(tool(folder, "train --gram g.npy --sets sets.gmt -o m.kmx").code, 2);
  EXPECT_EQ(tool(folder, "train genes.csv --label y --sets sets.gmt -o sets.gmt").code, 2);
}

}  // namespace
}  // namespace kernmix::test
