/// \file
/// kernmix tune: the winner, its model, the edge of a grid, a nested score, one standard error, and
/// a run that is killed and goes on.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <functional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

/// Also where smaller scores are better.
TEST(Tune, InspectBeginsWithTheBestCandidate) {
  const Folder folder;
  std::string text = "y,a\n";
  for (int i = 0; i < 40; ++i) {
    text += std::to_string(2 * i + i * 7 % 5) + "," + std::to_string(i) + "\n";
  }
  folder.write("line.csv", text);
  ASSERT_EQ(tool(folder,
                 "tune line.csv --label y --loss squared --kernel linear --score rmse --all-cells "
                 "--grid C=0.0001,10 -o m.kmx --json tune.json")
                .code,
            0);
  const Json found = json_of(folder, "tune.json");
  const std::string best =
      found.at("candidates").at(found.at("best").get<std::size_t>()).at("name");
  const std::string shown = tool(folder, "inspect tune.json").out;
  const std::string heads = shown.substr(std::min(shown.find("\ncandidate"), shown.size()));
  const std::size_t line = heads.find("\n", heads.find("--"));  // below the rule
  EXPECT_EQ(heads.find(best), line + 1) << shown;
}

void write_curve(const Folder& folder) {
  std::ostringstream text;
  text << "y,a,b\n";
  for (int i = 0; i < 90; ++i) {
    const double a = spread(i, 1.41421356);
    const double b = spread(i, 1.73205081);
    text << ((b > a * a - 0.3) != (i % 8 == 0) ? "in" : "out") << "," << a << "," << b << "\n";
  }
  folder.write("curve.csv", text.str());
}

const std::string kTune =
    "tune curve.csv --label y --regularizer lp --grid C=0.01..100*10 --grid p=1.2,2 -o m.kmx ";

TEST(Tune, TrainsTheWinnerOnAllSamples) {
  const Folder folder;
  write_curve(folder);
  const ToolRun run = tool(folder, kTune + "--nested 3 --json t.json");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json document = json_of(folder, "t.json");
  EXPECT_EQ(document.at("candidates").size(), 10U);
  const Json& best = document.at("candidates")[document.at("best").get<std::size_t>()];
  for (const Json& candidate : document.at("candidates")) {
    if (candidate.at("mean").is_null()) continue;
    EXPECT_LE(candidate.at("mean"), best.at("mean"));
  }
  const Json& nested = document.at("nested");
  EXPECT_EQ(nested.at("folds").size(), 3U);
  EXPECT_NE(run.out.find("Expected on new samples"), std::string::npos) << run.out;
  const std::string options = " --regularizer " + best.at("regularizer").get<std::string>() +
                              " -C " + std::to_string(best.at("C").get<double>());
  ASSERT_EQ(tool(folder, "train curve.csv --label y -q -o own.kmx" + options).code, 0);
  EXPECT_EQ(tool(folder, "predict m.kmx curve.csv --label y").out,
            tool(folder, "predict own.kmx curve.csv --label y").out);
  EXPECT_EQ(tool(folder, "verify m.kmx curve.csv --label y").code, 0);
}

TEST(Tune, NamesTheEdgeOfTheGrid) {
  const Folder folder;
  write_curve(folder);
  const ToolRun run = tool(folder, "tune curve.csv --label y --grid C=0.01,1 -o m.kmx");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("of its grid: better values may lie beyond"), std::string::npos)
      << run.out;
}

const std::string kJournalled = kTune + "--nested 2 --threads 1 --json t.json --journal t.jsonl ";

/// Places of the models in the journal, the torn last line left out.
std::vector<std::string> places_in(const Folder& folder, const std::string& name) {
  std::istringstream text(read_text(folder.file(name)));
  std::vector<std::string> places;
  for (std::string line; std::getline(text, line) && !text.eof();) {
    std::istringstream words(line);
    std::string kind, length, check, outer, round, fold, candidate;
    words >> kind >> length >> check >> outer >> round >> fold >> candidate;
    if (kind == "fit") places.push_back(outer + " " + round + " " + fold + " " + candidate);
  }
  return places;
}

void expect_no_model_twice(const Folder& folder, const std::string& name) {
  const std::vector<std::string> places = places_in(folder, name);
  EXPECT_FALSE(places.empty());
  EXPECT_EQ(std::set<std::string>(places.begin(), places.end()).size(), places.size());
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(Tune, ThatWasKilledGoesOnToTheSameBytes) {
  const Folder folder;
  write_curve(folder);
  const double whole = seconds_of(
      [&] { ASSERT_EQ(tool(folder, kTune + "--nested 2 --threads 1 --json t.json").code, 0); });
  const std::string document = read_text(folder.file("t.json"));
  const std::string model = read_text(folder.file("m.kmx"));
  std::filesystem::remove(folder.file("t.json"));
  std::mt19937 random(7);
  std::uniform_real_distribution<double> moment(0.0, 0.4);
  std::size_t done = 0;
  for (int kill = 0; kill < 10; ++kill) {
    const ToolProcess process(folder, words(kJournalled));
    std::this_thread::sleep_for(std::chrono::duration<double>(whole * moment(random)));
    process.send(SIGKILL);
    static_cast<void>(process.wait());
    const std::size_t now = places_in(folder, "t.jsonl").size();
    EXPECT_GE(now, done) << "what is finished stays";
    done = now;
  }
  const ToolRun last = tool(folder, kJournalled);
  ASSERT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(read_text(folder.file("t.json")), document);
  EXPECT_EQ(read_text(folder.file("m.kmx")), model);
  expect_no_model_twice(folder, "t.jsonl");
}

/// Whatever the model that was under way.
TEST(Tune, ThatWasCutShortAtAnyLineGoesOnToTheSameBytes) {
  const Folder folder;
  write_curve(folder);
  ASSERT_EQ(tool(folder, kJournalled).code, 0);
  const std::string document = read_text(folder.file("t.json"));
  const std::string journal = read_text(folder.file("t.jsonl"));
  const std::size_t models = places_in(folder, "t.jsonl").size();
  for (const std::size_t eighth : {0U, 1U, 3U, 5U, 7U}) {
    const std::size_t bytes = journal.find('\n') + 30 + eighth * journal.size() / 8;
    folder.write("t.jsonl", journal.substr(0, bytes));
    ASSERT_EQ(tool(folder, kJournalled).code, 0) << eighth;
    EXPECT_EQ(read_text(folder.file("t.json")), document) << eighth;
    EXPECT_EQ(places_in(folder, "t.jsonl").size(), models) << eighth;
    expect_no_model_twice(folder, "t.jsonl");
  }
}

TEST(Tune, AJournalIsOfOneRunWhateverTheOption) {
  const Folder folder;
  write_curve(folder);
  const std::string line = "tune curve.csv --label y --grid C=1,2 -o m.kmx --journal j.jsonl ";
  ASSERT_EQ(tool(folder, line).code, 0);
  const std::string journal = read_text(folder.file("j.jsonl"));
  for (const std::string option :
       {"--calibrate platt", "--class-weight in=2", "--threshold-folds 2", "--max-iterations 999",
        "--folds 4", "--seed 1", "--score auc", "--nested 2", "--all-cells", "--choose one-se",
        "--view first=a", "--positive in", "--without earlier-answer"}) {
    const ToolRun other = tool(folder, line + option);
    EXPECT_EQ(other.code, 3) << option << other.err;
    EXPECT_NE(other.err.find("j.jsonl is of another run"), std::string::npos) << other.err;
  }
  EXPECT_EQ(read_text(folder.file("j.jsonl")), journal);
  const ToolRun same = tool(folder, line + "--threads 2 --quiet --folds 5 --json t.json");
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(read_text(folder.file("j.jsonl")), journal) << "nothing is left to compute";
  folder.write("curve.csv", read_text(folder.file("curve.csv")) + "in,0.5,0.5\n");
  EXPECT_EQ(tool(folder, line).code, 3) << "other data";
}

TEST(Tune, ChoosesTheSimplestWithinOneStandardError) {
  const Folder folder;
  write_curve(folder);
  const ToolRun run = tool(folder, kTune + "--choose one-se --nested 2 --json t.json");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json document = json_of(folder, "t.json");
  const Json& candidates = document.at("candidates");
  const Json& best = candidates[document.at("best").get<std::size_t>()];
  const Json& chosen = candidates[document.at("choice").at("candidate").get<std::size_t>()];
  EXPECT_EQ(document.at("choice").at("rule"), "one-se");
  const double error = document.at("choice").at("standard_error").get<double>();
  EXPECT_NEAR(error, best.at("sd").get<double>() / std::sqrt(5.0), 1e-15);
  const double least = best.at("mean").get<double>() - error;
  EXPECT_GE(chosen.at("mean").get<double>(), least);
  for (const Json& candidate : candidates) {
    if (candidate.at("mean").get<double>() < least) continue;
    EXPECT_LE(chosen.at("C").get<double>(), candidate.at("C").get<double>());
  }
  EXPECT_NE(run.out.find("Chosen, the simplest within one standard error"), std::string::npos);
  const std::string options = " --regularizer " + chosen.at("regularizer").get<std::string>() +
                              " -C " + std::to_string(chosen.at("C").get<double>());
  ASSERT_EQ(tool(folder, "train curve.csv --label y -q -o own.kmx" + options).code, 0);
  EXPECT_EQ(tool(folder, "predict m.kmx curve.csv --label y").out,
            tool(folder, "predict own.kmx curve.csv --label y").out);
}

TEST(Tune, NestedFoldsKeepGroupsTogether) {
  const Folder folder;
  std::ostringstream text;
  text << "y,a,patient\n";
  for (int i = 0; i < 60; ++i) {  // what a patient has in common says the class, and nothing else
    const int patient = i / 3;
    text << (spread(patient, 1.41421356) > 0.0 ? "in" : "out") << "," << patient << ",p" << patient
         << "\n";
  }
  folder.write("patients.csv", text.str());
  const std::string line =
      "tune patients.csv --label y --groups patient --kernel 'rbf(gamma=50)' --grid C=1,10 -o "
      "m.kmx "
      "--json t.json --nested ";
  ASSERT_EQ(tool(folder, line + "5").code, 0);
  EXPECT_LT(json_of(folder, "t.json").at("nested").at("mean").get<double>(), 0.9);
  const ToolRun too_many = tool(folder, line + "25");
  EXPECT_EQ(too_many.code, 2);
  EXPECT_NE(too_many.err.find("nested cross-validation: "), std::string::npos) << too_many.err;
}

TEST(Tune, SaysWhatStandsInTheWay) {
  const Folder folder;
  write_curve(folder);
  const auto refused = [&](const std::string& options, const std::string& why, int code) {
    const ToolRun run = tool(folder, "tune curve.csv --label y -o m.kmx " + options);
    EXPECT_EQ(run.code, code) << options << "\n" << run.err;
    EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
  };
  refused("--grid C", "KEY=VALUES", 2);
  refused("--grid C=1,", "a value is missing", 2);
  refused("--grid C=1..10*0.5", "by a factor > 1", 2);
  refused("--grid C=1,2 --grid C=3", "has a grid already", 2);
  refused("--grid C=1,10,1", "--grid: the grid of C has 1 twice", 2);
  refused("--grid C=1,x", "must be a number > 0, got 'x'", 2);
  refused("--grid q=1,2", "'q' is neither an option", 2);
  refused("--grid p=1,2", "nor a parameter of the regularizer l1; regularizer lp has it", 2);
  refused("--regularizer lp --grid C=1,2", "give p", 2);
  refused("--choose simplest", "--choose: the choice must be best or one-se, got 'simplest'", 2);
  refused("--score acuracy", "did you mean 'accuracy'", 2);
  refused("--score rmse --grid C=1,2", "the model has no score 'rmse'", 2);
  ASSERT_EQ(tool(folder, "tune curve.csv --label y --grid C=1,2 -o m.kmx --journal j.jsonl").code,
            0);
  refused("--grid C=1,3 --journal j.jsonl", "j.jsonl", 3);
}

}  // namespace
}  // namespace kernmix::test
