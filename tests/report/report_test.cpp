// The page as a stranger's browser sees it: well formed, self-contained, hostile text harmless.
#include "report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "kernmix/error.hpp"
#include "report/chart/axis.hpp"
#include "report/chart/svg.hpp"
#include "report/labels.hpp"
#include "report/text.hpp"

namespace kernmix {
namespace {

using nlohmann::json;

json make_run(const std::string& regularizer, int kernels, double weight_step) {
  json weights = json::array();
  for (int m = 0; m < kernels; ++m) {
    weights.push_back({{"index", m},
                       {"kernel", "rbf(gamma=" + std::to_string(m) + ") on color"},
                       {"view", m % 2 == 0 ? "color" : "shape"},
                       {"weight", 0.1 + weight_step * m}});
  }
  json history = json::array();
  for (int t = 1; t <= 4; ++t) {
    history.push_back({{"number", t},
                       {"primal", 10.0 + 1.0 / t},
                       {"dual", 10.0 - 1.0 / t},
                       {"relative_gap", std::pow(0.1, t)},
                       {"seconds", 0.1 * t}});
  }
  return {{"version", "0.1.0"},
          {"model", regularizer + ".kmx"},
          {"status", "converged"},
          {"primal", 10.25},
          {"dual", 10.24},
          {"gap", 0.01},
          {"relative_gap", 1e-4},
          {"tolerance", 1e-3},
          {"n_samples", 20},
          {"n_support", 7},
          {"seconds", {{"total", 0.5}}},
          {"settings", {{"regularizer", regularizer}, {"C", 1.0}}},
          {"data", {{"files", {"train.csv"}}}},
          {"weights", weights},
          {"history", history}};
}

json make_evaluation(const std::string& model) {
  return {{"model", model},
          {"data", {"test.csv"}},
          {"metrics",
           {{{"name", "accuracy"}, {"value", 0.9}, {"low", 0.8}, {"high", 0.95}},
            {{"name", "auc"}, {"value", 0.9654}, {"low", nullptr}, {"high", nullptr}}}},
          {"roc",
           {{{"fpr", 0.0}, {"tpr", 0.0}, {"threshold", nullptr}},
            {{"fpr", 0.2}, {"tpr", 0.9}, {"threshold", 0.0}},
            {{"fpr", 1.0}, {"tpr", 1.0}, {"threshold", -1.0}}}}};
}

/// Names of the open elements after reading `page` as XML, or the first mismatch as one entry.
std::vector<std::string> unclosed_elements(const std::string& page) {
  static const std::regex tag(R"(<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(/?)>)");
  std::vector<std::string> open;
  for (auto it = std::sregex_iterator(page.begin(), page.end(), tag); it != std::sregex_iterator();
       ++it) {
    const std::string name = (*it)[2];
    if ((*it)[4].length() > 0) continue;
    if ((*it)[1].length() == 0) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return {"</" + name + "> does not close " + (open.empty() ? "anything" : open.back())};
    } else {
      open.pop_back();
    }
  }
  return open;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(Report, ShowsEveryRunWithItsEvaluationWhateverTheOrder) {
  const std::string page =
      render_report(json::array({make_run("l1", 6, 0.05), make_run("lp:p=2", 6, 0.02)}),
                    {make_evaluation("lp:p=2.kmx"), make_evaluation("l1.kmx")});
  EXPECT_EQ(unclosed_elements(page), std::vector<std::string>{});
  for (const char* text : {"<h2>l1</h2>", "<h2>lp:p=2</h2>", "90.0 %", "80.0 % to 95.0 %",
                           "l1, AUC 0.9654", "lp:p=2, AUC 0.9654", "6 of 6", "train.csv"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(count(page, "<svg "), count(page, "</desc>")) << "every figure describes itself";
  EXPECT_EQ(count(page, "<svg "), 13U) << "two of ROC, shares, two of convergence, and of each run "
                                          "ROC, two of weights and bounds";
  EXPECT_EQ(count(page, "<figure id="), count(page, "<strong>Figure "));
  EXPECT_EQ(count(page, ".svg\" href=\"data:"), count(page, "<svg ")) << "each is to be had";
}

json make_regression(int samples) {
  json truth = json::array();
  json predicted = json::array();
  for (int i = 0; i < samples; ++i) {
    truth.push_back(i);
    predicted.push_back(i + (i % 3 - 1));
  }
  return {{"model", "l1.kmx"},
          {"data", {"test.csv"}},
          {"metrics",
           {{{"name", "rmse"}, {"value", 0.8165}, {"low", 0.7}, {"high", 0.9}},
            {{"name", "r2"}, {"value", 0.98}, {"low", nullptr}, {"high", nullptr}}}},
          {"values", {{"true", truth}, {"predicted", predicted}}}};
}

TEST(Report, ShowsARegressionByItsPredictionsAndResiduals) {
  json run = make_run("l1", 6, 0.05);
  run["target"] = "numbers";
  const std::string page = render_report(run, {make_regression(50)});
  EXPECT_EQ(unclosed_elements(page), std::vector<std::string>{});
  for (const char* text : {"Predicted against true", "Residuals", "<th>RMSE</th>", "0.9800",
                           "No regression function and no weights"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
  for (const char* text : {"Receiver operating", "<th>accuracy</th>", "classifier"}) {
    EXPECT_EQ(page.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(count(page, "fill-opacity=\"0.45\""), 100U)
      << "each sample once in each of two figures";
}

TEST(Report, ThinsLargeScatterPlotsAndSaysSo) {
  const std::string page = render_report(make_run("l1", 6, 0.05), {make_regression(5000)});
  EXPECT_EQ(count(page, "fill-opacity=\"0.45\""), 4000U);
  EXPECT_NE(page.find("2000 of 5000 samples are drawn"), std::string::npos);
}

TEST(Report, ShowsNoveltiesByTheDistributionOfDecisionValues) {
  json run = make_run("l1", 6, 0.05);
  run["target"] = "none";
  json evaluation = {{"model", "l1.kmx"},
                     {"metrics", json::array({{{"name", "outlier_fraction"}, {"value", 0.25}}})},
                     {"labels", nullptr},
                     {"values", {{"decision", {-1.0, 0.5, 0.5, 2.0}}}}};
  const std::string bare = render_report(run, {evaluation});
  EXPECT_EQ(unclosed_elements(bare), std::vector<std::string>{});
  for (const char* text : {"Decision values", "called outliers", "25.0 %", "<title>2 samples",
                           "No novelty detector and no weights"}) {
    EXPECT_NE(bare.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(bare.find("labelled "), std::string::npos);
  evaluation["labels"] = {{"outlier", "odd"}, {"inlier", "usual <1>"}};
  evaluation["values"]["inlier"] = {false, true, true, true};
  const std::string labelled = render_report(run, {evaluation});
  EXPECT_NE(labelled.find("labelled usual &lt;1&gt;"), std::string::npos);
  EXPECT_NE(labelled.find("labelled odd"), std::string::npos);
}

TEST(Report, NoBarMixesBothSidesOfZero) {
  json values = json::array();
  for (int i = 0; i < 40; ++i) values.push_back(i < 13 ? -0.01 * (i + 1) : 0.013 * (i - 13));
  const json evaluation = {{"model", "l1.kmx"}, {"values", {{"decision", values}}}};
  const std::string page = render_report(make_run("l1", 6, 0.05), {evaluation});
  const std::string chart = page.substr(page.find("<title>Decision values"));
  static const std::regex line(R"re(<line x1="([\d.]+)"[^>]* class="reference")re");
  static const std::regex bar(
      R"re(<rect x="([\d.]+)"[^>]*width="([\d.]+)"[^>]*><title>(\d+) samples)re");
  std::smatch zero;
  ASSERT_TRUE(std::regex_search(chart, zero, line));
  const double middle = std::stod(zero[1]);
  int left = 0;
  int right = 0;
  for (auto it = std::sregex_iterator(chart.begin(), chart.end(), bar);
       it != std::sregex_iterator(); ++it) {
    const double begin = std::stod((*it)[1]);
    const double end = begin + std::stod((*it)[2]);
    EXPECT_TRUE(end <= middle + 0.01 || begin >= middle - 0.01) << begin << " to " << end;
    (end <= middle + 0.01 ? left : right) += std::stoi((*it)[3]);
  }
  EXPECT_EQ(left, 13);
  EXPECT_EQ(right, 27);
}

TEST(Report, ToleratesPointsThatDoNotBelongTogether) {
  json evaluation = make_regression(4);
  evaluation["values"]["predicted"].erase(0);
  const std::string page = render_report(make_run("l1", 3, 0.05), {evaluation});
  EXPECT_EQ(page.find("Residuals"), std::string::npos);
  evaluation["values"] = {{"decision", {1.0, "x", nullptr}}, {"inlier", 3}};
  EXPECT_EQ(unclosed_elements(render_report(make_run("l1", 3, 0.05), {evaluation})),
            std::vector<std::string>{});
}

TEST(Report, NamesTheLossWhereRunsDifferInIt) {
  json hinge = make_run("l1", 2, 0.1);
  hinge["settings"]["loss"] = "hinge";
  json logistic = hinge;
  logistic["settings"]["loss"] = "logistic";
  const std::string page = render_report(json::array({hinge, logistic}), {});
  EXPECT_NE(page.find("<h2>l1, hinge</h2>"), std::string::npos);
  EXPECT_NE(page.find("<h2>l1, logistic</h2>"), std::string::npos);
}

TEST(Report, ShowsHowWeightsEvolvedAndWhatMomentsOfTrainingCameTo) {
  json run = make_run("l1", 3, 0.1);
  for (json& step : run["history"]) step["weights"] = {{0, 0.5}, {2, 0.5}};
  const std::string without = render_report(run, {});
  EXPECT_NE(without.find("Evolution of kernel weights"), std::string::npos);
  EXPECT_EQ(without.find("Held-out"), std::string::npos);
  for (const double seconds : {0.1, 0.2}) {
    run["trace"].push_back({{"seconds", seconds},
                            {"metrics",
                             {{{"name", "accuracy"}, {"value", 0.5 + seconds}},
                              {{"name", "mean_auc"}, {"value", nullptr}}}}});
  }
  const std::string page = render_report(run, {});
  EXPECT_NE(page.find("Held-out samples: accuracy"), std::string::npos);
  EXPECT_EQ(page.find("Held-out samples: mean AUC"), std::string::npos);
  run["history"][1]["weights"] = {{-1, 0.5}, {2}, "x", {7, 1.0}};
  run["trace"] = {3, {{"metrics", 2}}};
  EXPECT_EQ(render_report(run, {}).find("Held-out"), std::string::npos);
}

TEST(Report, ShowsWarningsBeforeAnyResult) {
  json warned = make_run("l1", 4, 0.1);
  warned["warnings"] = {{{"code", "interpolates"}, {"message", "<b>exactly</b>"}}, 7, nullptr};
  const json clean = make_run("average", 4, 0.1);
  EXPECT_EQ(render_report(json::array({clean}), {}).find("class=\"warnings\""), std::string::npos);
  const std::string page = render_report(json::array({clean, warned}), {});
  const std::size_t box = page.find("class=\"warnings\"");
  ASSERT_NE(box, std::string::npos);
  EXPECT_LT(box, page.find("<h2>Methods</h2>"));
  EXPECT_EQ(page.find("class=\"warnings\"", box + 1), std::string::npos);
  EXPECT_NE(page.find("Warnings of l1"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;exactly&lt;/b&gt; <code>interpolates</code>"), std::string::npos);
}

TEST(Report, LoadsNothingFromAnywhere) {
  const std::string page = render_report(make_run("l1", 6, 0.05), {make_evaluation("l1.kmx")});
  for (const char* forbidden :
       {"<script", "<link", "<img", "<iframe", "src=", "url(", "@import", "javascript:"}) {
    EXPECT_EQ(page.find(forbidden), std::string::npos) << forbidden;
  }
  EXPECT_EQ(count(page, "href="), count(page, "href=\"data:")) << "links hold what they offer";
  EXPECT_EQ(count(page, "http"), count(page, "xmlns=\"http") + count(page, "xmlns=%22http") +
                                     count(page, "http-equiv=\""))
      << "only the SVG name space";
}

TEST(Report, HostileTextStaysText) {
  json run = make_run("l1", 3, 0.05);
  const std::string hostile = "\"><script>alert('x')</script>&";
  run["weights"][0]["kernel"] = hostile;
  run["weights"][0]["view"] = hostile;
  run["settings"]["regularizer"] = hostile;
  run["data"]["files"] = {hostile};
  run["data"][hostile] = hostile;
  run["status"] = hostile;
  run["version"] = hostile;
  const std::string page = render_report(run, {});
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(unclosed_elements(page), std::vector<std::string>{});
}

TEST(Report, AProductIsALocalOptimum) {
  json run = make_run("sum", 1, 0.05);
  run["optimum"] = "local";
  run["product"] = {
      {"stationarity", 0.00025},
      {"penalty", "linear:lambda=2"},
      {"factors", json::array({{{"kernel", "rbf on a"}, {"view", "a"}, {"weight", 2.0}},
                               {{"kernel", "rbf on b"}, {"view", "b"}, {"weight", 1.0}}})}};
  const std::string page = render_report(run, {});
  for (const char* shown : {"The weights are a local optimum", "0.00025", "rbf on b",
                            "product of kernels with the weight penalty linear:lambda=2"}) {
    EXPECT_NE(page.find(shown), std::string::npos) << shown;
  }
  EXPECT_EQ(page.find("the optimum is between"), std::string::npos);
  EXPECT_EQ(unclosed_elements(page), std::vector<std::string>{});
}

TEST(Report, AbsentAndNullValuesAreNotAvailable) {
  json run = make_run("l1", 3, 0.05);
  run["relative_gap"] = nullptr;
  const json step = {{"number", nullptr}, {"primal", nullptr}, {"seconds", "soon"}};
  run["history"] = json::array({step, step});
  run["weights"][1]["weight"] = nullptr;
  run["seconds"] = nullptr;
  json evaluation = make_evaluation("l1.kmx");
  evaluation["metrics"][0]["value"] = nullptr;
  evaluation["roc"] = json::array();
  const std::string page = render_report(run, {evaluation});
  EXPECT_NE(page.find("This run has no certificate."), std::string::npos);
  EXPECT_NE(page.find("no values were recorded"), std::string::npos);
  EXPECT_NE(page.find("n/a"), std::string::npos);
  for (const char* forbidden : {"nan", "inf\"", "null"}) {
    EXPECT_EQ(page.find(forbidden), std::string::npos) << forbidden;
  }
}

TEST(Report, DrawsHowAlikeKernelsAre) {
  json run = make_run("l1", 2, 0.05);
  run["similarity"] = {{"n_samples", 20},
                       {"kernels", {"a <b>", "c"}},
                       {"alignment", {{1.0, 0.97}, {0.97, 1.0}}},
                       {"spectrum", {0.5, 0.5}}};
  const std::string page = render_report(run, {});
  EXPECT_NE(page.find("Alignment of kernels"), std::string::npos);
  EXPECT_NE(page.find("effective rank is about 2.0"), std::string::npos);
  EXPECT_NE(page.find("1 pair of kernels has an alignment of 0.95 or more"), std::string::npos);
  run["similarity"]["alignment"] = {{1.0}, {0.97, "x"}};  // of a stranger
  EXPECT_EQ(render_report(run, {}).find("Alignment of kernels"), std::string::npos);
}

TEST(Report, SummarisesLargeBanksAndEqualWeights) {
  const std::string large = render_report(make_run("lp:p=2", 100, 0.001), {});
  EXPECT_NE(large.find("The 20 largest of 100 weights"), std::string::npos);
  EXPECT_NE(large.find("more kernels, together"), std::string::npos);
  const std::string equal = render_report(make_run("average", 100, 0.0), {});
  EXPECT_NE(equal.find("All 100 kernels have the same weight, 0.1."), std::string::npos);
}

TEST(Report, NumbersRunsOfOneNameAndShortensNumbers) {
  const json run = make_run("lp:p=1.3333333333333333", 2, 0.1);
  const std::string page = render_report(json::array({run, run}), {});
  EXPECT_NE(page.find("lp:p=1.333 (1)"), std::string::npos);
  EXPECT_NE(page.find("lp:p=1.333 (2)"), std::string::npos);
}

TEST(Report, NamesTheSolversOfRunsThatAreAlikeOtherwise) {
  json first = make_run("l1", 2, 0.1);
  json second = first;
  first["settings"]["solver"] = "newton";
  second["settings"]["solver"] = "lazy-bundle";
  const json other = make_run("average", 2, 0.1);
  const std::string page = render_report(json::array({first, second, other}), {});
  EXPECT_NE(page.find(">l1, newton<"), std::string::npos);
  EXPECT_NE(page.find(">l1, lazy-bundle<"), std::string::npos);
  EXPECT_NE(page.find(">average<"), std::string::npos);
}

TEST(Report, RefusesWhatIsNoRun) {
  EXPECT_THROW((void)render_report(json::array(), {}), DataError);
  EXPECT_THROW((void)render_report(json(3), {}), DataError);
  EXPECT_THROW((void)render_report(make_evaluation("l1.kmx"), {}), DataError);
  EXPECT_THROW((void)render_report(make_run("l1", 2, 0.1),
                                   {make_evaluation("l1.kmx"), make_evaluation("other.kmx")}),
               DataError);
}

TEST(Axis, TicksAreRoundAndCoverTheValues) {
  const report::Axis axis = report::Axis::linear({0.13, 0.97}, 0.0, 100.0);
  ASSERT_EQ(axis.ticks().front().label, "0.0");
  ASSERT_EQ(axis.ticks().back().label, "1.0");
  EXPECT_DOUBLE_EQ(axis(0.5), 50.0);
  const report::Axis log = report::Axis::logarithmic({0.002, 30.0, -1.0, std::nan("")}, 0.0, 5.0);
  EXPECT_EQ(log.ticks().front().label, "1e-3");
  EXPECT_EQ(log.ticks().back().label, "100");
  EXPECT_DOUBLE_EQ(log(1.0), 3.0);
}

TEST(Report, RefusesAnEvaluationOfAnotherModel) {
  json run = make_run("l1", 3, 0.1);
  json evaluation = make_evaluation("l1.kmx");
  run["model_checksum"] = "0123456789abcdef";
  EXPECT_NO_THROW((void)render_report(run, {evaluation})) << "of a kernmix that wrote none";
  evaluation["model_checksum"] = "0123456789abcdef";
  EXPECT_NO_THROW((void)render_report(run, {evaluation}));
  evaluation["model_checksum"] = "fedcba9876543210";
  EXPECT_THROW((void)render_report(run, {evaluation}), DataError);
}

TEST(Report, AllowsABrowserNothingFromElsewhere) {
  const std::string page = render_report(make_run("l1", 3, 0.1), {});
  EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos);
  EXPECT_LT(page.find("Content-Security-Policy"), page.find("<style>"));
}

TEST(Axis, ToleratesNothingAndConstants) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& values :
       {std::vector<double>{}, {infinite, std::nan("")}, {3.0, 3.0}, {0.0}, {-1e300, 1e300}}) {
    for (const report::Axis& axis :
         {report::Axis::linear(values, 0.0, 1.0), report::Axis::logarithmic(values, 0.0, 1.0)}) {
      EXPECT_FALSE(axis.ticks().empty());
      EXPECT_LT(axis.ticks().size(), 20U);
      EXPECT_TRUE(std::isfinite(axis(3.0)));
    }
  }
}

TEST(Labels, StayDifferent) {
  const std::string common(50, 'P');
  std::vector<std::vector<std::string>> lists = {
      {"HALLMARK_INTERFERON_ALPHA_RESPONSE", "HALLMARK_INTERFERON_GAMMA_RESPONSE", "other"},
      {common + "a" + common, common + "b" + common, common + "b" + common + "c", common},
      {"ää" + common + "ö", "ää" + common + "ü", "ää" + common + "öö"},
      {"same", "same", "same (2)"}};
  for (const std::vector<std::string>& names : lists) {
    for (const int limit : {16, 20, 27, 44}) {
      const std::vector<std::string> labels = report::distinct_labels(names, limit);
      EXPECT_EQ(labels.size(), names.size());
      EXPECT_EQ(std::set<std::string>(labels.begin(), labels.end()).size(), names.size());
    }
  }
  const std::vector<std::string> plain = {"short", std::string(60, 'x')};
  EXPECT_EQ(report::distinct_labels(plain, 20),
            (std::vector<std::string>{"short", report::shorten(plain[1], 20)}));
}

TEST(Text, ShortensByCharactersAndWritesUnits) {
  EXPECT_EQ(report::shorten("äöüß", 4), "äöüß");
  EXPECT_EQ(report::shorten("äöüßx", 4), "äöü…");
  EXPECT_EQ(report::number(1e-7), "1e-07");
  EXPECT_EQ(report::number(std::nan("")), "n/a");
  EXPECT_EQ(report::percent(0.00051), "0.05 %");
  EXPECT_EQ(report::bytes(45.0 * 1024 * 1024), "45 MiB");
  EXPECT_EQ(report::seconds(250.0), "4 min 10 s");
}

}  // namespace
}  // namespace kernmix
