/// Matrices with names, and LIBSVM's forms, through the command line.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tool.hpp"

namespace kernmix::test {
namespace {

constexpr int kTraining = 20;
constexpr int kAll = 30;

std::string name_of(int i) { return "patient " + std::to_string(i); }

/// exp(-(x - z)^2) of two columns of numbers.
double entry(int i, int j) {
  const auto at = [](int k, double step) { return std::sin(step * k); };
  return std::exp(-std::pow(at(i, 1.3) - at(j, 1.3), 2) - std::pow(at(i, 0.7) - at(j, 0.7), 2));
}

using Order = std::vector<int>;

Order range(int begin, int end) {
  Order order;
  for (int i = begin; i < end; ++i) order.push_back(i);
  return order;
}

std::string number(double value) { return Json(value).dump(); }

/// A matrix as pandas writes it, or without names.
std::string matrix_text(const Order& rows, const Order& columns, bool named) {
  std::string text;
  if (named) {
    for (const int j : columns) text += "," + name_of(j);
    text += "\n";
  }
  for (const int i : rows) {
    text += named ? name_of(i) : "";
    for (std::size_t k = 0; k < columns.size(); ++k) {
      text += (named || k > 0 ? "," : "") + number(entry(i, columns[k]));
    }
    text += "\n";
  }
  return text;
}

std::string table_text(int begin, int end) {
  std::string text = "pid,y\n";
  for (int i = begin; i < end; ++i) {
    text += name_of(i) + (std::sin(1.3 * i) + std::sin(0.7 * i) > 0 ? ",yes\n" : ",no\n");
  }
  return text;
}

class NamedMatrices : public ::testing::Test {
 protected:
  NamedMatrices() {
    folder.write("y.csv", table_text(0, kTraining));
    folder.write("new.csv", table_text(kTraining, kAll));
    folder.write("plain.csv", matrix_text(range(0, kTraining), range(0, kTraining), false));
    folder.write("plain_new.csv", matrix_text(range(kTraining, kAll), range(0, kTraining), false));
  }
  ToolRun run(const std::string& command, const std::string& gram, int code = 0) const {
    const ToolRun result =
        run_tool(folder, words(command + " --gram 'K=" + gram + "' --threads 1"));
    EXPECT_EQ(result.code, code) << command << " " << gram << "\n" << result.err;
    return result;
  }
  /// Model, held-out results and predictions.
  std::vector<std::string> results(const std::string& gram, const std::string& fresh) const {
    std::vector<std::string> found;
    run("train y.csv --label y --id pid -o m.kmx -q", gram);
    found.push_back(read_text(folder.file("m.kmx")));
    run("cv y.csv --label y --id pid --folds 3 -q --predictions p.csv", gram);
    found.push_back(read_text(folder.file("p.csv")));
    run("verify m.kmx y.csv --label y --id pid -q", gram);
    found.push_back(run("predict m.kmx new.csv --label y --id pid -q", fresh).out);
    return found;
  }
  Folder folder;
};

TEST_F(NamedMatrices, AnyOrderAndMoreSamplesGiveTheSameBits) {
  const auto expected = results("plain.csv", "plain_new.csv");
  EXPECT_NE(expected.back().find("patient 20,"), std::string::npos);
  std::mt19937 engine(5);
  for (const int count : {kTraining, kAll, kAll}) {
    Order rows = range(0, count);
    Order columns = rows;
    std::shuffle(rows.begin(), rows.end(), engine);
    std::shuffle(columns.begin(), columns.end(), engine);
    folder.write("named.csv", matrix_text(rows, columns, true));
    Order fresh = range(0, kAll);
    std::shuffle(fresh.begin(), fresh.end(), engine);
    folder.write("named_new.csv", matrix_text(fresh, columns, true));
    EXPECT_EQ(results("named.csv", "named_new.csv"), expected);
  }
  const std::string said = run("train y.csv --label y --id pid -o m.kmx", "named.csv").err;
  EXPECT_NE(said.find("10 of its 30 samples are not in the table and were left out"),
            std::string::npos)
      << said;
  // All samples of a matrix that stands alone are predicted under their names.
  EXPECT_NE(run("predict m.kmx -q", "named_new.csv").out.find("patient 29,"), std::string::npos);
}

TEST_F(NamedMatrices, WhatDoesNotFitIsRefused) {
  const auto refuses = [&](const std::string& text, const std::string& fragment,
                           const std::string& command = "train y.csv --label y --id pid") {
    folder.write("k.csv", text);
    const std::string said = run(command + " -o m.kmx", "k.csv", 3).err;
    EXPECT_NE(said.find(fragment), std::string::npos) << said;
  };
  const std::string lacking = matrix_text(range(1, kAll), range(1, kAll), true);
  refuses(lacking, "1 of the 20 samples of the table have no row, for example 'patient 0'");
  const std::string named = matrix_text(range(0, kTraining), range(0, kTraining), true);
  folder.write(
      "labels.csv", "y\n" + [] {
        std::string text;
        for (int i = 0; i < kTraining; ++i) text += i % 2 == 0 ? "a\n" : "b\n";
        return text;
      }());
  refuses(named, "name the column of ids with --id", "train labels.csv --label y");
  refuses(matrix_text(range(0, kTraining), range(1, kTraining + 1), true),
          "1 of its 20 rows have names that no column has");
  refuses(matrix_text(range(0, 2), {3, 3}, true), "columns 1 and 2 have the same name");
}

TEST_F(NamedMatrices, ColumnsThatAreNotReadAreCounted) {
  run("train y.csv --label y --id pid -C 1000 -o m.kmx -q", "plain.csv");
  for (const int extra : {0, 1, 5}) {
    Order columns = range(0, kTraining);
    for (int j = 0; j < extra; ++j) columns.push_back(kAll + j);
    folder.write("named.csv", matrix_text(range(kTraining, kAll), columns, true));
    const std::string said = run("predict m.kmx new.csv --id pid --label y", "named.csv").err;
    if (extra == 0) {
      EXPECT_EQ(said.find("columns"), std::string::npos) << said;
      continue;
    }
    const std::string text =
        std::to_string(extra) + " of its " + std::to_string(kTraining + extra) + " columns";
    EXPECT_NE(said.find(text), std::string::npos) << said;
    EXPECT_NE(said.find("neither training samples of the model nor samples of the table"),
              std::string::npos)
        << said;
    EXPECT_EQ(said.find(text), said.rfind(text)) << "said once: " << said;
  }
}

TEST_F(NamedMatrices, TheTransposeIsNamed) {
  run("train y.csv --label y --id pid -o m.kmx -q", "plain.csv");
  folder.write("named.csv", matrix_text(range(0, kTraining), range(kTraining, kAll), true));
  const std::string said = run("predict m.kmx", "named.csv", 3).err;
  EXPECT_NE(said.find("its rows are training samples of the model"), std::string::npos) << said;
  EXPECT_NE(said.find("transpose it"), std::string::npos) << said;
}

TEST(LibsvmForms, ZeroBasedFilesAreReadAsTheyCount) {
  const Folder folder;
  const std::string lines[] = {"1 %0:0.5 %1:1.5 %2:2\n", "-1 %0:1.5 %2:1\n", "1 %0:0.4 %1:1.2\n",
                               "-1 %1:2 %2:1.1\n",       "1 %1:1.9\n",       "-1 %0:2 %2:2\n"};
  const auto write = [&](const std::string& file, int base, int begin, int end) {
    std::string text;
    for (int i = begin; i < end; ++i) {
      for (std::size_t k = 0; k < lines[i].size(); ++k) {
        const bool index = lines[i][k] == '%';
        text += index ? std::to_string(lines[i][++k] - '0' + base) : std::string(1, lines[i][k]);
      }
    }
    folder.write(file, text);
  };
  write("zero.svm", 0, 0, 6);
  write("one.svm", 1, 0, 6);
  const ToolRun zero = tool(folder, "train zero.svm -o zero.kmx --threads 1");
  EXPECT_EQ(zero.code, 0) << zero.err;
  EXPECT_NE(zero.err.find("zero.svm: indices count from 0"), std::string::npos) << zero.err;
  EXPECT_EQ(tool(folder, "train one.svm -o one.kmx --threads 1 -q").code, 0);
  // Lines with one index 0, with none, and several.
  for (const auto& [begin, end] : {std::pair{0, 1}, {3, 5}, {0, 6}}) {
    write("zero_new.svm", 0, begin, end);
    write("one_new.svm", 1, begin, end);
    const ToolRun own = tool(folder, "predict zero.kmx zero_new.svm -q");
    EXPECT_EQ(own.code, 0) << own.err;
    EXPECT_EQ(own.out, tool(folder, "predict one.kmx one_new.svm -q").out);
  }
  const ToolRun mixed = tool(folder, "predict one.kmx zero.svm");
  EXPECT_EQ(mixed.code, 3);
  EXPECT_NE(mixed.err.find("its columns are counted from 0"), std::string::npos) << mixed.err;
}

TEST(LibsvmForms, APrecomputedKernelIsAGramMatrix) {
  const Folder folder;
  std::string kernel;
  std::string fresh;
  for (int i = 0; i < 10; ++i) {
    kernel += (i % 2 == 0 ? "+1 0:" : "-1 0:") + std::to_string(i + 1);
    fresh += "0:1";
    for (int j = 0; j < 10; ++j) {
      kernel += " " + std::to_string(j + 1) + ":" + number(entry(i, j));
      fresh += " " + std::to_string(j + 1) + ":" + number(entry(i + 10, j));
    }
    kernel += "\n";
    fresh += "\n";
  }
  folder.write("k.svm", kernel);
  folder.write("new.svm", fresh);
  folder.write("k.csv", matrix_text(range(0, 10), range(0, 10), false));
  folder.write("new.csv", matrix_text(range(10, 20), range(0, 10), false));
  std::string labels;  // as cut -d' ' -f1 writes them
  for (int i = 0; i < 10; ++i) labels += i % 2 == 0 ? "+1\n" : "-1\n";
  folder.write("y.csv", labels);
  const ToolRun refused = tool(folder, "train k.svm -o m.kmx");
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("k.svm:1: '0:1'"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("give it with --gram k.svm"), std::string::npos) << refused.err;
  std::vector<std::string> predictions;
  for (const char* end : {".svm", ".csv"}) {
    const ToolRun trained = tool(
        folder, std::string("train y.csv --no-header --label 1 --gram K=k") + end + " -o m.kmx -q");
    EXPECT_EQ(trained.code, 0) << trained.err;
    predictions.push_back(tool(folder, std::string("predict m.kmx --gram K=new") + end).out);
  }
  EXPECT_EQ(predictions[0], predictions[1]);
}

}  // namespace
}  // namespace kernmix::test
