/// Samples that lack a view, through the command line: files joined on ids, given matrices, and
/// what is refused.

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tool.hpp"

namespace kernmix::test {
namespace {

constexpr int kCohort = 40;

bool is_ill(int i) { return i % 2 == 0; }

std::string patient(int i) { return "p" + std::to_string(i); }

double measured(int i, int column) {
  const double root = column == 0 ? 1.4142135623730951 : column == 1 ? 1.7320508075688772 : 2.236;
  return spread(i, root) + (is_ill(i) ? 0.5 : 0.0);
}

using Chosen = std::function<bool(int)>;

bool everyone(int) { return true; }

/// Ids, two columns and labels.
std::string clinic(const Chosen& chosen = everyone) {
  std::string text = "id,age,crp,y\n";
  for (int i = 0; i < kCohort; ++i) {
    if (!chosen(i)) continue;
    text += patient(i) + "," + Json(measured(i, 0)).dump() + "," + Json(measured(i, 1)).dump() +
            "," + (is_ill(i) ? "ill" : "well") + "\n";
  }
  return text;
}

/// Ids and two columns; patient 9 misses one cell.
std::string assay(const Chosen& chosen) {
  std::string text = "id,g1,g2\n";
  for (int i = 0; i < kCohort; ++i) {
    if (!chosen(i)) continue;
    text += patient(i) + "," + (i == 9 ? "" : Json(measured(i, 2)).dump()) + "," +
            Json(measured(i, 0) * measured(i, 1)).dump() + "\n";
  }
  return text;
}

/// A linear kernel between patients, with their names.
std::string gram(const Chosen& chosen) {
  std::string text;
  for (int j = 0; j < kCohort; ++j) text += chosen(j) ? "," + patient(j) : "";
  text += "\n";
  for (int i = 0; i < kCohort; ++i) {
    if (!chosen(i)) continue;
    text += patient(i);
    for (int j = 0; j < kCohort; ++j) {
      if (chosen(j)) text += "," + Json(measured(i, 2) * measured(j, 2) + 1.0).dump();
    }
    text += "\n";
  }
  return text;
}

bool has_assay(int i) { return i % 3 != 0 || i == 9; }

class AbsentView : public ::testing::Test {
 protected:
  AbsentView() {
    folder.write("clinic.csv", clinic());
    folder.write("assay.csv", assay(has_assay));
    folder.write("k.csv", gram(has_assay));
  }
  /// The run must end well.
  ToolRun done(const std::string& line) {
    ToolRun run = tool(folder, line);
    EXPECT_EQ(run.code, 0) << line << "\n" << run.err;
    return run;
  }
  /// The run must be refused with this text.
  void refused(const std::string& line, const std::string& text) {
    const ToolRun run = tool(folder, line + " -q");
    EXPECT_EQ(run.code, 3) << line << "\n" << run.err;
    EXPECT_NE(run.err.find(text), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;  // one sentence
  }
  Folder folder;
};

/// Their missing cells have indicators, of which samples that lack the view know nothing.
TEST_F(AbsentView, MissingCellsOfAnIncompleteViewHaveIndicators) {
  const std::string data = "clinic.csv assay.csv --id id --label y";
  for (const std::string rule : {"mean", "mean+indicator", "median+indicator"}) {
    done("train " + data + " --missing " + rule + " --regularizer lp:p=2 -o m.kmx");
    done("verify m.kmx " + data);
    const ToolRun all = done("predict m.kmx clinic.csv assay.csv --id id");
    EXPECT_NE(all.out.find("\np0,"), std::string::npos);
    const ToolRun few = done("predict m.kmx clinic.csv --id id");
    EXPECT_NE(few.out.find(",clinic\n"), std::string::npos) << few.out;
    EXPECT_EQ(few.out.find("assay"), std::string::npos) << few.out;
    // Patients without assay have the same line in both files.
    const std::size_t line = all.out.find("\np3,");
    EXPECT_NE(few.out.find(all.out.substr(line, all.out.find('\n', line + 1) - line)),
              std::string::npos);
  }
}

TEST_F(AbsentView, AMatrixThatNoNewSampleHasNeedsNoFile) {
  done(
      "train clinic.csv --view data=age,crp --gram k=k.csv --id id --label y --regularizer lp:p=2 "
      "-o m.kmx");
  const ToolRun both = done("predict m.kmx clinic.csv --gram k=k.csv --id id");
  const ToolRun one = done("predict m.kmx clinic.csv --id id");
  EXPECT_EQ(both.err.find("warning:"), std::string::npos) << both.err;
  EXPECT_NE(one.err.find("none of the 40 samples has view 'k' (no matrix of this name is given)"),
            std::string::npos)
      << one.err;
  EXPECT_NE(both.out.find("+k\n"), std::string::npos) << both.out;
  EXPECT_EQ(one.out.find("+k\n"), std::string::npos) << one.out;
  const std::size_t line = both.out.find("\np3,");
  EXPECT_NE(one.out.find(both.out.substr(line, both.out.find('\n', line + 1) - line)),
            std::string::npos);
  done("evaluate m.kmx clinic.csv --id id --label y");
  folder.write("full.csv", gram(everyone));
  done(
      "train clinic.csv --view data=age,crp --gram k=full.csv --id id --label y --regularizer "
      "lp:p=2 -o f.kmx");
  refused("predict f.kmx clinic.csv --id id",
          "the model reads the matrix 'k': give it with --gram k=FILE");
  refused("verify f.kmx clinic.csv --id id --label y",
          "the model reads the matrix 'k': give it with --gram k=FILE");
  done(
      "train clinic.csv --view data=age,crp --gram k=k.csv --gram f=full.csv --id id --label y "
      "--regularizer lp:p=2 -o g.kmx");
  done("predict g.kmx clinic.csv --gram f=full.csv --id id");
  refused("predict g.kmx clinic.csv --gram k=k.csv --id id", "needs the matrices k, f");
  folder.write("other.csv", gram(everyone));
  refused("predict g.kmx clinic.csv --gram f=full.csv --gram kk=other.csv --id id",
          "needs the matrices k, f");
}

/// A view that every training sample has needs its file.
TEST_F(AbsentView, AForgottenFileIsNamedByItsView) {
  folder.write("full.csv", assay(everyone));
  done("train clinic.csv full.csv --id id --label y --missing mean --regularizer lp:p=2 -o m.kmx");
  const std::string forgotten =
      "clinic.csv: all 2 columns of view 'full', which the model reads, are missing ('g1', ...): "
      "name the file of this view too";
  refused("predict m.kmx clinic.csv --id id", forgotten);
  refused("evaluate m.kmx clinic.csv --id id --label y", forgotten);
  refused("verify m.kmx clinic.csv --id id --label y", forgotten);
  const std::string age =
      ": column 'age' is one of the columns that the model reads, so it cannot be the label";
  refused("evaluate m.kmx clinic.csv full.csv --id id --label age", age);
  refused("verify m.kmx clinic.csv full.csv --id id --label age", age);
  refused("evaluate m.kmx clinic.csv full.csv --id id --targets age", "so it cannot be the target");
}

/// Of the columns that the model does not read.
TEST_F(AbsentView, AMissingColumnIsNotMistakenForOneInUse) {
  done("train clinic.csv assay.csv --id id --label y --missing mean --regularizer lp:p=2 -o m.kmx");
  std::string renamed = assay(has_assay);
  renamed.replace(renamed.find("g2"), 2, "g_2");
  folder.write("renamed.csv", renamed);
  refused("predict m.kmx clinic.csv renamed.csv --id id",
          "there is no column 'g2', did you mean 'g_2'?");
  renamed.replace(renamed.find("g_2"), 3, "other");
  folder.write("renamed.csv", renamed);
  refused("predict m.kmx clinic.csv renamed.csv --id id", "there is no column 'g2'\n");
}

TEST_F(AbsentView, PredictionSaysHowManySamplesLackAView) {
  done("train clinic.csv assay.csv --id id --label y --missing mean --regularizer lp:p=2 -o m.kmx");
  for (const std::string command : {"predict", "evaluate", "explain"}) {
    const std::string label = command == "evaluate" ? " --label y" : "";
    const std::string run = command + " m.kmx clinic.csv ";
    EXPECT_NE(done(run + "assay.csv --id id" + label)
                  .err.find("of 40 samples lack view 'assay': their predictions use their other "
                            "views alone"),
              std::string::npos)
        << command;
    const ToolRun forgotten = done(run + "--id id" + label);
    EXPECT_NE(forgotten.err.find("warning: none of the 40 samples has view 'assay' (clinic.csv has "
                                 "no value in its columns, such as 'g1')"),
              std::string::npos)
        << forgotten.err;
    EXPECT_EQ(done(run + "--id id -q" + label).err, "") << command;
  }
}

/// As it does for each of them alone; words are in the way of joining them.
TEST_F(AbsentView, InspectListsTheProblemsOfEachFile) {
  std::string words = clinic();
  words.replace(words.find("\np3,") + 4, 1, "high");
  folder.write("words.csv", words);
  const ToolRun run = done("inspect words.csv assay.csv --id id --label y --json d.json");
  EXPECT_NE(run.out.find("words.csv: 1 problem that stops training"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("assay.csv: 1 problem that stops training"), std::string::npos) << run.out;
  Json alone = Json::array();
  for (const std::string file : {"words.csv", "assay.csv"}) {
    const std::string label = file == "words.csv" ? " --label y" : "";
    done("inspect " + file + " --id id" + label + " --json one.json");
    const Json one = json_of(folder, "one.json");
    for (Json problem : one.at("problems")) {
      problem["file"] = file;
      alone.push_back(problem);
    }
  }
  EXPECT_EQ(json_of(folder, "d.json").at("problems"), alone);
  // An empty row lacks the view, and is no problem.
  std::string empty = assay([](int i) { return i != 9 && i != 3; });
  folder.write("empty.csv", empty + "p3,,\n");
  EXPECT_EQ(done("inspect clinic.csv empty.csv --id id --label y").out.find("problem"),
            std::string::npos);
}

TEST_F(AbsentView, InspectCountsTheSamplesOfEachView) {
  const ToolRun run = done("inspect clinic.csv assay.csv --id id --label y --json d.json");
  EXPECT_NE(run.out.find("view   samples  lack it"), std::string::npos) << run.out;
  const Json document = json_of(folder, "d.json");
  EXPECT_EQ(document.at("n_samples"), kCohort);
  int present = 0;
  for (int i = 0; i < kCohort; ++i) present += has_assay(i) ? 1 : 0;
  ASSERT_EQ(document.at("presences").size(), 1U);
  EXPECT_EQ(document.at("presences").at(0).at("view"), "assay");
  EXPECT_EQ(document.at("presences").at(0).at("samples"), present);
  // Patient 9 has the view without one of its cells, which training refuses.
  EXPECT_NE(run.out.find("assay.csv: 1 problem that stops training"), std::string::npos) << run.out;
  ASSERT_EQ(document.at("problems").size(), 1U);
  EXPECT_EQ(document.at("problems").at(0).at("file"), "assay.csv");
  EXPECT_EQ(document.at("problems").at(0).at("column"), "g1");
  EXPECT_EQ(document.at("problems").at(0).at("cells"), 1);
  folder.write("other.csv", assay(everyone));
  EXPECT_EQ(done("inspect clinic.csv other.csv --id id --label y").out.find("lack it"),
            std::string::npos);
  // Views of one file that are empty for some samples.
  std::string text = "id,y,a,b\n";
  for (int i = 0; i < 6; ++i) text += patient(i) + ",x,1," + (i < 2 ? "" : "2") + "\n";
  folder.write("one.csv", text);
  folder.write("sets.gmt", "A\t\ta\nB\t\tb\n");
  done("inspect one.csv --id id --label y --sets sets.gmt --json s.json");
  EXPECT_EQ(json_of(folder, "s.json").at("presences").at(0).at("samples"), 4);
  const ToolRun model = tool(folder, "inspect clinic.csv assay.csv --id id --full");
  EXPECT_EQ(model.code, 2) << model.err;
}

TEST_F(AbsentView, BadInputIsRefused) {
  const std::string data = "clinic.csv assay.csv --id id --label y";
  folder.write("assay.csv", assay([](int i) { return i == 7; }));
  refused("train " + data + " -o m.kmx", "assay.csv: one training sample has view 'assay'");
  refused("cv " + data + " --folds 2", "one training sample has view 'assay'");

  folder.write("assay.csv", "id,g1,g2\nx1,1,2\nx2,2,1\nx3,4,1\n");
  refused("train " + data + " -o m.kmx", "x1");

  std::string empty = "id,g1,g2\n";
  for (int i = 0; i < kCohort; ++i) empty += patient(i) + ",,\n";
  folder.write("assay.csv", empty);
  const ToolRun run = tool(folder, "train " + data + " -o m.kmx");
  EXPECT_EQ(run.code, 3);
  EXPECT_NE(run.err.find("'g1': the column has no value in any row"), std::string::npos) << run.err;
}

TEST_F(AbsentView, NewSamplesWithoutAnyViewAreRefused) {
  std::string labels = "id,y\n";
  std::string ages = "id,age\n";
  for (int i = 0; i < kCohort; ++i) {
    labels += patient(i) + (is_ill(i) ? ",ill\n" : ",well\n");
    if (i >= 10) ages += patient(i) + "," + Json(measured(i, 0)).dump() + "\n";
  }
  folder.write("labels.csv", labels);
  folder.write("ages.csv", ages);
  folder.write("assay.csv", assay([](int i) { return i < 30; }));
  done(
      "train labels.csv ages.csv assay.csv --id id --label y --regularizer lp:p=2 --missing mean "
      "-o m.kmx");
  folder.write("none.csv", "id,age,g1,g2\nq1,1,2,3\nq2,,,\n");
  refused("predict m.kmx none.csv --id id",
          "none.csv: 1 of 2 samples has none of the views that the model reads, for example sample "
          "q2");
  folder.write("labels.csv", labels + "p40,ill\n");
  folder.write("ages.csv", ages + "p40,\n");
  refused("train labels.csv ages.csv assay.csv --id id --label y --missing mean -o m.kmx",
          "1 of 41 samples has none of the views");
}

/// The rest of the table classifies; the view says nothing between the classes.
TEST_F(AbsentView, AViewThatAWholeClassLacksIsSaid) {
  folder.write("assay.csv", assay([](int i) { return is_ill(i); }));
  const ToolRun run =
      done("train clinic.csv assay.csv --id id --label y --regularizer lp:p=2 -o m.kmx");
  EXPECT_NE((run.err + run.out).find("[class-without-view]"), std::string::npos) << run.err;
  done("predict m.kmx clinic.csv assay.csv --id id");
}

TEST_F(AbsentView, SetsThatSomeSamplesLackAreCounted) {
  std::string header = "id,y";
  std::string sets;
  for (int j = 0; j < 6; ++j) {
    header += ",c" + std::to_string(j);
    sets += "S" + std::to_string(j) + "\t\tc" + std::to_string(j) + "\n";
  }
  std::string text = header + "\n";
  for (int i = 0; i < kCohort; ++i) {
    text += patient(i) + (is_ill(i) ? ",ill" : ",well");
    for (int j = 0; j < 6; ++j) {
      text +=
          "," + (i == j ? std::string() : Json(spread(i, 1.3 + j) + (is_ill(i) ? 1 : 0)).dump());
    }
    text += "\n";
  }
  folder.write("t.csv", text);
  folder.write("s.gmt", sets);
  refused("train t.csv --id id --label y --sets s.gmt --absent refuse -o m.kmx",
          "'S2' (and 3 more views)");
  folder.write("more.gmt", "Q\t\tc0\nS4\t\tc1\n");
  refused("train t.csv --id id --label y --sets s.gmt --sets more.gmt -o m.kmx",
          "more.gmt:2: the set 'S4' is in s.gmt:5, too");
  folder.write("unknown.gmt", "Q\t\tTP53\tMYC\n");
  refused("train t.csv --id id --label y --sets unknown.gmt -o m.kmx", "unknown.gmt:1");
}

/// What needs a value of every sample is refused in one sentence with a remedy.
TEST_F(AbsentView, RepairsAndProductsAreRefused) {
  const ToolRun repair = tool(folder,
                              "train clinic.csv --view data=age,crp --gram k=k.csv --id id --label "
                              "y --repair clip -o m.kmx");
  EXPECT_EQ(repair.code, 2) << repair.err;
  EXPECT_NE(repair.err.find("repair the matrix before, or leave these samples out (--absent drop)"),
            std::string::npos)
      << repair.err;
  const ToolRun product =
      tool(folder,
           "train clinic.csv assay.csv --id id --label y --missing mean --combination product "
           "-o m.kmx");
  EXPECT_EQ(product.code, 2) << product.err;
  EXPECT_NE(product.err.find("leave them out (--absent drop), or use a sum of kernels"),
            std::string::npos)
      << product.err;
}

}  // namespace
}  // namespace kernmix::test
