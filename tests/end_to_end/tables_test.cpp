/// \file
/// Tables as spreadsheets, pandas and R write them: each is read, or refused with a remedy that
/// works when it is followed.

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

std::string person(int i) { return "p" + std::to_string(i); }
std::string side(int i) { return i % 2 == 0 ? "in" : "out"; }
/// 0.25, 1.25, ...: with a comma as decimal mark it cannot be mistaken for groups of digits.
std::string number(int i, char mark) { return std::to_string(i * 7 % 12) + mark + "25"; }

/// The rows of a table, whose fields are written by `row`, under a header.
template <typename Row>
std::string table(const std::string& header, const Row& row) {
  std::string text = header + "\n";
  for (int i = 0; i < 24; ++i) text += row(i) + "\n";
  return text;
}

/// The words of a part of a command for a shell, where "'" is an apostrophe.
std::vector<std::string> shell_words(const std::string& text) {
  std::vector<std::string> all = words(std::regex_replace(text, std::regex("\"'\""), "APOSTROPHE"));
  for (std::string& word : all) word = word == "APOSTROPHE" ? "'" : word;
  return all;
}

/// The first options that each remedy of `inspect` names, without repetitions.
std::vector<std::string> remedies(const Folder& folder, const std::vector<std::string>& inspect) {
  std::vector<std::string> line = {"inspect", "t.csv", "--json", "-"};
  line.insert(line.end(), inspect.begin(), inspect.end());
  const ToolRun run = run_tool(folder, line);
  EXPECT_EQ(run.code, 0) << run.err;
  const std::string option = "--[a-z]+ ('[^']*'|\"[^\"]*\"|[^ ,;)]+|,)";
  const std::regex first(option + "( " + option + ")*");
  std::set<std::string> texts;
  const Json document = Json::parse(run.out);
  for (const Json& problem : document.at("problems")) {
    const std::string remedy = problem.at("remedy");
    std::smatch found;
    EXPECT_TRUE(std::regex_search(remedy, found, first)) << remedy;
    if (!found.empty()) texts.insert(found.str());
  }
  std::vector<std::string> options;
  for (const std::string& text : texts) {
    for (std::string& word : shell_words(text)) options.push_back(std::move(word));
  }
  return options;
}

ToolRun train_table(const Folder& folder, const std::vector<std::string>& options) {
  std::vector<std::string> line = {"train", "t.csv", "-o", "m.kmx", "--threads", "1"};
  line.insert(line.end(), options.begin(), options.end());
  return run_tool(folder, line);
}

/// Refused at first, and read with the remedies.
void follow(const std::string& text, const std::vector<std::string>& given) {
  const Folder folder;
  folder.write("t.csv", text);
  const ToolRun refused = train_table(folder, given);
  EXPECT_EQ(refused.code, 3) << text;
  std::vector<std::string> options = remedies(folder, given);
  options.insert(options.end(), given.begin(), given.end());
  const ToolRun read = train_table(folder, options);
  EXPECT_EQ(read.code, 0) << text << read.err;
}

TEST(Tables, AreReadInEveryDialectAndSayIt) {
  const auto row = [](int i) { return number(i, ',') + ";" + side(i); };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {table("a;y", row), "decimal commas"},
      {"sep=;\r\n" + table("a;y", row), "sets the separator"},
      {table("\"\";a;y", [&](int i) { return person(i) + ";" + row(i); }), "--id row.names"},
      {table("a;y", [&](int i) { return person(i) + ";" + row(i); }), "one name less"},
      {table("a;y;", [&](int i) { return row(i) + ";"; }), "neither a name nor values"},
      {table("a;y", row) + ";\n", "1 empty row is skipped"},
      {table("a;a;y", [&](int i) { return number(i * i, ',') + ";" + row(i); }), "'a.2'"},
      {table("gr\xf6\xdf"
             "e;y",
             row),
       "Windows-1252"},
      {table("\"a\" \"y\"",
             [](int i) { return '"' + person(i) + "\" " + number(i, '.') + " " + side(i); }),
       "row names"},
      {table("a,y", [](int i) { return number(i, '.') + (i == 0 ? ",In" : "," + side(i)); }),
       "differ only in case"}};
  for (const auto& [text, said] : cases) {
    const Folder folder;
    folder.write("t.csv", text);
    const ToolRun run = train_table(folder, {"--label", "y"});
    EXPECT_EQ(run.code, 0) << text << run.err;
    EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
  }
}

TEST(Tables, RemediesWork) {
  const auto column = [](const std::string& even, const std::string& odd) {
    return table("a,b,y", [&](int i) {
      return number(i, '.') + "," + (i % 3 == 0 ? even : odd) + "," + side(i);
    });
  };
  for (const auto& [even, odd] :
       std::vector<std::pair<std::string, std::string>>{{"TRUE", "FALSE"},
                                                        {"red", "blue"},
                                                        {"", "2"},
                                                        {"", ""},
                                                        {"NA", "3"},
                                                        {"2020-01-05", "2021-12-31"},
                                                        {"\"1,012,500\"", "\"12,500\""},
                                                        {"\"1'012'500\"", "7"},
                                                        {"n. d.", "4"},
                                                        {"12%", "7 %"},
                                                        {"\"34,5\"", "2.5"}}) {
    follow(column(even, odd), {"--label", "y"});
  }
  follow(table("a;b;y",
               [](int i) {
                 return "1.234,5" + std::to_string(i) + ";" + number(i, ',') + ";" + side(i);
               }),
         {"--label", "y"});
  follow(table("who,a,y", [](int i) { return person(i) + "," + number(i, '.') + "," + side(i); }),
         {"--label", "y"});
  follow(table("a,,y", [](int i) { return number(i, '.') + ",1," + side(i); }), {"--label", "y"});
}

/// All remedies of one file at once.
TEST(Tables, ACustomerFileNeedsOneRound) {
  follow(table(";who;a;a;kind;since;y;flag",
               [](int i) {
                 return std::to_string(i) + ";" + person(i) + ";" + (i == 3 ? "" : number(i, ',')) +
                        ";" + (i == 5 ? "NA" : number(i * i, ',')) + ";" +
                        (i % 3 == 0 ? "red" : "blue") + ";18.06.2013;" + side(i) + ";" +
                        (i % 4 == 0 ? "TRUE" : "FALSE");
               }),
         {"--label", "y"});
}

TEST(Tables, TrainingNamesThreeProblemsAndInspectAll) {
  const Folder folder;
  folder.write("t.csv", "a,b,c,d,y\nx,y,z,1,u\nx,y,z,,v\nx,y,z,1,u\nx,y,z,1,v\n");
  const ToolRun run = train_table(folder, {"--label", "y"});
  EXPECT_EQ(run.code, 3);
  EXPECT_NE(run.err.find("4 problems; the first three are"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("`kernmix inspect t.csv --label y`"), std::string::npos) << run.err;
  const ToolRun inspect = run_tool(folder, words("inspect t.csv --label y"));
  EXPECT_EQ(inspect.code, 0) << inspect.err;
  EXPECT_NE(inspect.out.find("4 problems that stop training"), std::string::npos) << inspect.out;
}

/// As of `cat january.csv february.csv`.
TEST(Tables, RepeatedHeadersAreNamedAndRemoved) {
  const Folder folder;
  const std::string part =
      table("a;b;y", [](int i) { return number(i, ',') + ";" + person(i) + ";" + side(i); });
  const std::string header = part.substr(0, part.find('\n') + 1);
  folder.write("t.csv", part + part + part);
  const std::vector<std::string> given = {"--label", "y", "--categorical", "b"};
  const ToolRun run = train_table(folder, given);
  EXPECT_EQ(run.code, 3);
  const std::string named = "the line repeats the header";
  EXPECT_NE(run.err.find("t.csv:26: " + named + " (2 lines); remove it and the others"),
            std::string::npos)
      << run.err;
  const ToolRun inspect = run_tool(folder, words("inspect t.csv --label y --categorical b"));
  EXPECT_NE(inspect.out.find("1 problem that stops training"), std::string::npos) << inspect.out;
  EXPECT_NE(inspect.out.find(named), std::string::npos) << inspect.out;
  EXPECT_NE(inspect.out.find("line 26: remove it"), std::string::npos) << inspect.out;
  const std::string rest = part.substr(header.size());
  folder.write("t.csv", header + rest + rest + rest);
  EXPECT_EQ(train_table(folder, given).code, 0);
  folder.write("new.csv", part + part);
  const ToolRun predicted = run_tool(folder, words("predict m.kmx new.csv"));
  EXPECT_EQ(predicted.code, 3);
  EXPECT_NE(predicted.err.find("new.csv:26: " + named + "; remove it"), std::string::npos)
      << predicted.err;
}

TEST(Tables, AWordForEachSampleIsAClassOnlyIfAskedFor) {
  const Folder folder;
  folder.write("t.csv", table("a,y", [](int i) { return number(i, '.') + "," + person(i); }));
  const ToolRun run = train_table(folder, {"--label", "y"});
  EXPECT_EQ(run.code, 3);
  EXPECT_NE(run.err.find("24 samples have 24 different labels, such as 'p0'"), std::string::npos)
      << run.err;
  EXPECT_EQ(run.err.find("squared"), std::string::npos) << run.err;
  std::smatch remedy;
  ASSERT_TRUE(std::regex_search(run.err, remedy, std::regex("--multiclass [a-z-]+"))) << run.err;
  std::vector<std::string> followed = words(remedy.str());
  followed.insert(followed.end(), {"--label", "y"});
  EXPECT_EQ(train_table(folder, followed).code, 0);
}

TEST(Tables, MarksOfNumbersAreChecked) {
  const Folder folder;
  folder.write("t.csv", "a,y\n1,u\n2,v\n");
  EXPECT_EQ(train_table(folder, {"--label", "y", "--decimal", ";"}).code, 2);
  EXPECT_EQ(train_table(folder, {"--label", "y", "--thousands", "1"}).code, 2);
  EXPECT_EQ(train_table(folder, {"--label", "y", "--decimal", ",", "--thousands", ","}).code, 2);
}

}  // namespace
}  // namespace kernmix::test
