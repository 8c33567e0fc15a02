/// \file
/// What a report shows of `kernmix tune --json`.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "kernmix/error.hpp"
#include "report/report.hpp"

namespace kernmix {
namespace {

using nlohmann::json;

json make_run() {
  return {{"model", "m.kmx"},
          {"status", "converged"},
          {"primal", 10.25},
          {"dual", 10.24},
          {"relative_gap", 1e-4},
          {"settings", {{"regularizer", "l1"}, {"C", 1.0}}},
          {"weights",
           {{{"index", 0}, {"kernel", "linear on data"}, {"view", "data"}, {"weight", 1.0}}}}};
}

/// Of `kernmix tune --json`: the best has C = 10, the chosen one C = 1.
json make_search(const std::string& rule) {
  json candidates = json::array();
  for (const double C : {0.1, 1.0, 10.0}) {
    candidates.push_back({{"regularizer", "l1"},
                          {"C", C},
                          {"kernels_used", 2.0 + C},
                          {"mean", 0.7 + 0.01 * C},
                          {"sd", 0.2}});
  }
  return {{"score", "accuracy"},
          {"best", 2},
          {"choice", {{"rule", rule}, {"candidate", rule == "best" ? 2 : 1}}},
          {"candidates", candidates}};
}

TEST(ReportOfASearch, MarksTheChosenCandidateAndSaysTheRule) {
  const auto page_of = [](const json& search) {
    return render_report(make_run(), {}, {{}, {search}});
  };
  const std::string simple = page_of(make_search("one-se"));
  EXPECT_NE(simple.find("C = 1 was chosen (the large dot), the simplest candidate within one "
                        "standard error of the best (one-se; the best, C = 10, has 0.8), with the "
                        "accuracy 0.71"),
            std::string::npos);
  json both = make_search("one-se");
  both["choice"]["candidate"] = 2;
  EXPECT_NE(page_of(both).find("no simpler candidate is within one standard error (one-se)"),
            std::string::npos);
  const std::string best = page_of(make_search("best"));
  const std::string sentence =
      "C = 10 was chosen (the large dot), the best of all candidates, with the accuracy 0.8";
  EXPECT_NE(best.find(sentence), std::string::npos);
  json old = make_search("best");
  old.erase("choice");
  EXPECT_NE(page_of(old).find(sentence), std::string::npos);
  // The largest C is at the right.
  const std::regex dot(R"re(<circle cx="([0-9.]+)" cy="([0-9.]+)" r="5\.50")re");
  std::smatch of_simple;
  std::smatch of_best;
  ASSERT_TRUE(std::regex_search(simple, of_simple, dot));
  ASSERT_TRUE(std::regex_search(best, of_best, dot));
  EXPECT_LT(std::stod(of_simple[1]), std::stod(of_best[1]));
  EXPECT_GT(std::stod(of_simple[2]), std::stod(of_best[2])) << "its score is lower";
}

TEST(ReportOfASearch, IsRefusedForASearchOfOtherFiles) {
  json run = make_run();
  run["data"]["files"] = json::array({"data/genes.csv", "clinic=patients.csv"});
  json search = make_search("best");
  search["data"] = json::array({"../patients.csv"});
  EXPECT_NE(render_report(run, {}, {{}, {search}}).find("C = 10 was chosen"), std::string::npos);
  search["data"] = json::array({"bmi.csv"});
  try {
    static_cast<void>(render_report(run, {}, {{}, {search}}));
    FAIL() << "expected an error";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(),
                 "the search reads bmi.csv, and no run does: give the result of kernmix tune or "
                 "auto on the files of a run, genes.csv, patients.csv");
  }
}

}  // namespace
}  // namespace kernmix
