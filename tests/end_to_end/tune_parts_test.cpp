/// \file
/// kernmix tune in parts: what is gathered is one run, and what is missing is named.

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

void write_ring(const Folder& folder) {
  std::ostringstream text;
  text << "y,a,b\n";
  for (int i = 0; i < 70; ++i) {
    const double a = spread(i, 1.41421356);
    const double b = spread(i, 1.73205081);
    text << ((a * a + b * b > 0.6) != (i % 9 == 0) ? "in" : "out") << "," << a << "," << b << "\n";
  }
  folder.write("ring.csv", text.str());
}

const std::string kSearch =
    "tune ring.csv --label y --regularizer lp --grid C=0.1,1,10 --grid p=1.2,2 --folds 3 "
    "--nested 2 --threads 1 ";

std::string part_line(int k, int n, const std::string& journal) {
  return kSearch + "--part " + std::to_string(k) + "/" + std::to_string(n) + " --journal " +
         journal;
}

/// Journals p1.jsonl ... pn.jsonl.
void run_parts(const Folder& folder, int n) {
  for (int k = n; k >= 1; --k) {
    const ToolRun run = tool(folder, part_line(k, n, "p" + std::to_string(k) + ".jsonl"));
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("when all parts are done"), std::string::npos) << run.out;
  }
}

TEST(TuneParts, GatheredAreOneRun) {
  const Folder folder;
  write_ring(folder);
  ASSERT_EQ(tool(folder, kSearch + "--all-cells -o m.kmx --json t.json").code, 0);
  const std::string document = read_text(folder.file("t.json"));
  const std::string model = read_text(folder.file("m.kmx"));
  for (const int n : {1, 4}) {
    run_parts(folder, n);
    std::string files;
    for (int k = 1; k <= n; ++k) files += " p" + std::to_string(k) + ".jsonl";
    const ToolRun run = tool(folder, kSearch + "-o m.kmx --json t.json --gather" + files);
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(read_text(folder.file("t.json")), document) << n;
    EXPECT_EQ(read_text(folder.file("m.kmx")), model) << n;
    for (int k = 1; k <= n; ++k)
      std::filesystem::remove(folder.file("p" + std::to_string(k) + ".jsonl"));
  }
}

TEST(TuneParts, WhatIsMissingIsNamed) {
  const Folder folder;
  write_ring(folder);
  run_parts(folder, 3);
  const auto refused = [&](const std::string& options, const std::string& why, int code = 3) {
    const ToolRun run = tool(folder, kSearch + options);
    EXPECT_EQ(run.code, code) << options << "\n" << run.err;
    EXPECT_NE(run.err.find(why), std::string::npos) << options << "\n" << run.err;
  };
  const std::string gather = "-o m.kmx --gather ";
  refused(gather + "p1.jsonl p3.jsonl", "there is no journal of part 2/3 among the files");
  refused(gather + "p2.jsonl", "there is no journal of part 1/3, 3/3 among the files");
  refused(gather + "p1.jsonl p2.jsonl p1.jsonl", "p1.jsonl and p1.jsonl are both of part 1/3");
  refused("--seed 1 " + gather + "p1.jsonl p2.jsonl p3.jsonl", "p1.jsonl is of another run");
  refused(gather + "ring.csv", "ring.csv is not a journal of kernmix tune");
  const std::string whole = read_text(folder.file("p2.jsonl"));
  folder.write("p2.jsonl", whole.substr(0, whole.size() - 5));
  refused(gather + "p1.jsonl p2.jsonl p3.jsonl",
          "part 2/3 is not finished: p2.jsonl has 17 of its 18 models");
  refused("--part 3/3 --journal p2.jsonl", "p2.jsonl is of part 2/3, not of part 3/3");
  refused("--all-cells -o m.kmx --journal p2.jsonl",
          "p2.jsonl is of part 2/3, not of the whole run");
  ASSERT_EQ(tool(folder, part_line(2, 3, "p2.jsonl")).code, 0) << "it goes on";
  EXPECT_EQ(tool(folder, kSearch + gather + "p1.jsonl p2.jsonl p3.jsonl").code, 0);
  ASSERT_EQ(tool(folder, part_line(2, 4, "q2.jsonl")).code, 0);
  refused(gather + "p1.jsonl q2.jsonl", "q2.jsonl is of part 2/4, p1.jsonl of part 1/3");
}

TEST(TuneParts, SayWhatTheyNeed) {
  const Folder folder;
  write_ring(folder);
  const auto refused = [&](const std::string& options, const std::string& why) {
    const ToolRun run = tool(folder, kSearch + options);
    EXPECT_EQ(run.code, 2) << options << "\n" << run.err;
    EXPECT_NE(run.err.find(why), std::string::npos) << options << "\n" << run.err;
  };
  refused("--part 1/2", "--journal is missing");
  refused("--part 1/2 --journal p.jsonl -o m.kmx", "--part and -o: a part has no winner");
  refused("--part 1/2 --journal p.jsonl --json t.json", "--part and --json");
  refused("--part 1/2 --journal p.jsonl --gather q.jsonl", "--part and --gather");
  refused("-o m.kmx --journal p.jsonl --gather q.jsonl", "--gather and --journal");
  for (const std::string part : {"3", "0/2", "3/2", "1/x", "-1/2"}) {
    refused("--part " + part + " --journal p.jsonl", "--part must be K/N with K from 1 to N");
  }
  // Two paths, of p = 1.2 and p = 2, on three folds, and on three inside each of two outer ones.
  refused("--part 1/19 --journal p.jsonl", "the search has 18 units");
}

}  // namespace
}  // namespace kernmix::test
