#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

Table read_arff_text(std::string_view text, const ReadOptions& options = {},
                     const std::string& name = "a.arff") {
  const TemporaryFolder folder;
  return read_table({folder.write(name, text)}, options);
}

std::string arff_refusal(std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.arff", text);
  return folder.strip(error_of([&] { static_cast<void>(read_table({file}, options)); }));
}

ReadOptions labelled(const std::string& column) {
  ReadOptions options;
  options.label_column = column;
  return options;
}

const std::string kHead = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n";

TEST(Arff, ReadsIris) {
  ReadOptions options = labelled("class");
  options.ignore = {"note"};
  const Table table = read_arff_text(
      "% 1. Title: Iris Plants Database\n%\n@RELATION iris\n\n"
      "@ATTRIBUTE sepallength\tREAL\n@ATTRIBUTE petalwidth  integer\n@attribute note string\n"
      "@ATTRIBUTE class {Iris-setosa, 'Iris versicolor'}\n@DATA\n"
      "5.1,2,?,Iris-setosa\n\n% a comment\n 4.9 , 1 , \"any, text\" , \"Iris versicolor\" % end\n",
      options);
  EXPECT_EQ(table.columns, (Names{"sepallength", "petalwidth"}));
  EXPECT_EQ(table.values.values, (Vector{5.1, 2, 4.9, 1}));
  EXPECT_EQ(table.labels, (Names{"Iris-setosa", "Iris versicolor"}));
}

TEST(Arff, AcceptsEveryLineEndAndByteOrderMark) {
  for (std::string text : {kHead + "1,x\n2,y\n", kHead + "1,x\n\n  \n2,y"}) {
    EXPECT_EQ(read_arff_text("\xef\xbb\xbf" + text).values.values, (Vector{1, 0, 2, 1}));
    for (const char* line_end : {"\r\n", "\r"}) {
      std::string other;
      for (const char c : text) other += c == '\n' ? line_end : std::string(1, c);
      EXPECT_EQ(read_arff_text(other).values.values, (Vector{1, 0, 2, 1}));
    }
  }
}

TEST(Arff, IsRecognisedByItsContent) {
  EXPECT_EQ(read_arff_text("\n% c\n @Relation r\n@attribute a real\n@data\n7\n", {}, "a.txt")
                .values.values,
            (Vector{7}));
}

TEST(Arff, NamesMayBeQuotedAndEscaped) {
  const Table table = read_arff_text(
      "@relation 'a b'\n@attribute 'it\\'s' numeric\n@attribute \"50 % {x}\" numeric\n"
      "@data\n1,2\n");
  EXPECT_EQ(table.columns, (Names{"it's", "50 % {x}"}));
}

TEST(Arff, NominalAttributesAreNumbersOrTheOrderOfTwoValues) {
  const Table table = read_arff_text(
      "@relation r\n@attribute n {3, 1, 2}\n@attribute sex {male,female}\n@attribute one {'?'}\n"
      "@data\n1,male,'?'\n3,female,'?'\n{}\n");
  EXPECT_EQ(table.values.values, (Vector{1, 0, 0, 3, 1, 0, 3, 0, 0}))
      << "a sparse row means the first value of what it leaves out";
}

TEST(Arff, SparseRowsAreFilledUp) {
  ReadOptions options = labelled("b");
  options.id_column = "id";
  const std::string head =
      "@relation r\n@attribute a numeric\n@attribute b {x,y}\n"
      "@attribute id string\n@data\n";
  const Table table = read_arff_text(head + "{0 1.5, 2 s1}\n{1 y, 2 's 2'} % end\n", options);
  EXPECT_EQ(table.values.values, (Vector{1.5, 0}));
  EXPECT_EQ(table.labels, (Names{"x", "y"}));
  EXPECT_EQ(table.ids, (Names{"s1", "s 2"}));
  EXPECT_EQ(arff_refusal(head + "{0 1.5}\n", options),
            "a.arff:6: column 'id': the sample id is missing; fill it in or remove the sample");
}

TEST(Arff, LooksAtWantedColumnsOnly) {
  ReadOptions options;
  options.only = {"a"};
  const Table table = read_arff_text(
      "@relation 'r: -C 1'\n@attribute a numeric\n@attribute t string\n"
      "@attribute n {p,q,r}\n@data\n1,?,?\n",
      options);
  EXPECT_EQ(table.columns, (Names{"a"}));
  EXPECT_TRUE(table.multi_labels.names.empty()) << "a wanted column is no label";
}

TEST(Arff, MekaDeclaresFirstOrLastAttributes) {
  const auto text = [](const std::string& relation) {
    return "@relation " + relation +
           "\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute c {0,1}\n@data\n0,1,0\n";
  };
  EXPECT_EQ(read_arff_text(text("'r: -C 2'")).multi_labels.names, (Names{"a", "b"}));
  EXPECT_EQ(read_arff_text(text("\"r: -x y -C -1\"")).multi_labels.names, (Names{"c"}));
  EXPECT_TRUE(read_arff_text(text("'r -C 2'")).multi_labels.names.empty()) << "no colon";
  EXPECT_TRUE(read_arff_text(text("'r: -C 2'"), labelled("c")).multi_labels.names.empty());
  EXPECT_EQ(
      arff_refusal(text("'r: -C 4'")),
      "a.arff:5: the name of the relation declares labels with -C 4, the file has 3 attributes");
  EXPECT_EQ(arff_refusal(text("'r: -C two'")),
            "a.arff:1: -C 'two' in the name of the relation is not a number of labels");
}

TEST(Arff, IdsAndIgnoredColumnsAreNoDeclaredLabels) {
  ReadOptions options;
  options.id_column = "id";
  options.ignore = {"b"};
  const Table table = read_arff_text(
      "@relation 'r: -C 3'\n@attribute id string\n@attribute a {0,1}\n@attribute b {0,1}\n"
      "@attribute x real\n@data\ns1,1,0,5\n",
      options);
  EXPECT_EQ(table.ids, (Names{"s1"}));
  EXPECT_EQ(table.multi_labels.names, (Names{"a"}));
  EXPECT_EQ(table.columns, (Names{"x"}));
}

TEST(Arff, RefusesHeadersWithPlaceAndRule) {
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"@attribute a real\n", ":1: an ARFF file begins with @relation NAME"},
      {"@relation r\n@atribute a real\n", ":2: '@atribute' is neither @attribute nor @data"},
      {"@relation r\n@attribute\n", ":2: the attribute has no name"},
      {"@relation r\n@attribute a\n",
       ":2: attribute 'a' has the type ''; known are numeric, real, integer, string, date and "
       "{value, ...}"},
      {"@relation r\n@attribute a b real\n", ":2: attribute 'a' has the type 'b'"},
      {"@relation r\n@attribute a real [0,1]\n", ":2: '[0,1]' follows the attribute"},
      {"@relation r\n@attribute a relational\n", ":2: attribute 'a' is relational"},
      {"@relation r\n@attribute 'a real\n", ":2: a quote is not closed on its line"},
      {"@relation r\n@attribute a {}\n", ":2: the list of values of attribute 'a' lacks one"},
      {"@relation r\n@attribute a {x,\n", ":2: the list of values of attribute 'a' lacks one"},
      {"@relation r\n@attribute a {x y}\n",
       ":2: the list of values of attribute 'a' is not closed"},
      {"@relation r\n@attribute a {x,x}\n", ":2: attribute 'a' lists the value 'x' twice"},
      {"@relation r\n@attribute a real\n@attribute a real\n", ":3: attribute 'a' occurs twice"},
      {"@relation r\n@data\n1\n", ":2: @data comes before any @attribute"},
      {"@relation r\n@attribute a real\n", ":2: the file ends before @data"},
      {"@relation r\n@attribute a real\n@data 1\n", ":3: '1' follows @data"},
  };
  for (const auto& [text, message] : refusals) {
    EXPECT_EQ(arff_refusal(text).substr(0, 6 + message.size()), "a.arff" + message);
  }
}

TEST(Arff, RefusesRowsWithPlaceRuleAndRemedy) {
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"", "a.arff: has no samples after @data"},
      {"1\n", "a.arff:5: 1 value where the header has 2 attributes"},
      {"1,x\n1,x,3\n", "a.arff:6: 3 values where the header has 2 attributes"},
      {"1,\n", "a.arff:5: a value is empty; fill it in or remove the sample"},
      {",x\n", "a.arff:5: a value is empty; fill it in or remove the sample"},
      {"?,x\n",
       "a.arff:5: column 'a': '?' is a missing value; fill it in or let training do so with "
       "--missing mean, remove the sample, or leave the column out with --ignore"},
      {"1,?\n",
       "a.arff:5: column 'b': '?' is a missing value; fill it in or let training do so with "
       "--missing mean, remove the sample, or leave the column out with --ignore"},
      {"1,'?'\n", "a.arff:5: column 'b': '?' is not one of the values that the header lists"},
      {"1,xx\n",
       "a.arff:5: column 'b': 'xx' is not one of the values that the header lists, did you mean "
       "'x'?"},
      {"one,x\n",
       "a.arff:5: column 'a': 'one' is not a finite number; if the column has labels, sample ids "
       "or nothing useful, name it with --label, --id or --ignore"},
      {"1e999,x\n",
       "a.arff:5: column 'a': '1e999' is not a finite number; if the column has labels, sample ids "
       "or nothing useful, name it with --label, --id or --ignore"},
      {"1,x,{5}\n",
       "a.arff:5: a brace inside a row; kernmix does not read sample weights from ARFF, and text "
       "with braces must be quoted"},
      {"1,'x\n",
       "a.arff:5: a quote is not closed on its line; close it, or put \\ before one that belongs "
       "to "
       "the text"},
      {"{0 1\n", "a.arff:5: the sparse row is not closed with }"},
      {"{0 1 1 x}\n", "a.arff:5: the sparse row is not closed with }"},
      {"{0 1} 5\n", "a.arff:5: text follows the } of the sparse row"},
      {"{2 1}\n", "a.arff:5: '2' is not the number of an attribute, 0 to 1"},
      {"{-1 1}\n", "a.arff:5: '-1' is not the number of an attribute, 0 to 1"},
      {"{1 x, 0 1}\n", "a.arff:5: attribute 0 follows attribute 1; their numbers must ascend"},
      {"{0 1, 0 1}\n", "a.arff:5: attribute 0 follows attribute 0; their numbers must ascend"},
      {"{0}\n", "a.arff:5: a value is empty; fill it in or remove the sample"},
  };
  for (const auto& [rows, message] : refusals) EXPECT_EQ(arff_refusal(kHead + rows), message);
}

TEST(Arff, RefusesAttributesThatAreNoNumbers) {
  const auto message = [](const std::string& attribute, const ReadOptions& options = {}) {
    return arff_refusal("@relation r\n@attribute a " + attribute + "\n@data\n0\n", options);
  };
  EXPECT_EQ(message("string"),
            "a.arff: attribute 'a' has text or dates, but kernels read numbers; name it with "
            "--label, --id or --ignore");
  EXPECT_EQ(message("date 'yyyy-MM-dd'").substr(0, 37), "a.arff: attribute 'a' has text or dat");
  EXPECT_EQ(message("{r,g,b}"),
            "a.arff: attribute 'a' is nominal with 3 values, but kernels read numbers; use "
            "--categorical a, "
            "or name it with --label, --id or --ignore");
  ReadOptions labels;
  labels.label_columns = {"a"};
  EXPECT_EQ(
      message("{yes,no}", labels),
      "a.arff: attribute 'a' is a label with the value 'yes'; a label has the values 0 and 1");
  EXPECT_EQ(message("{1,0}", labels), "no error");
}

TEST(Arff, MissingLabelsAreRefused) {
  EXPECT_EQ(arff_refusal(kHead + "1,?\n", labelled("b")),
            "a.arff:5: column 'b': the label is missing; fill it in or remove the sample");
  ReadOptions labels;
  labels.label_columns = {"a"};
  EXPECT_EQ(arff_refusal(kHead + "?,x\n", labels),
            "a.arff:5: column 'a': '?' is not a label indicator; write 1 if the sample has the "
            "label, otherwise 0, and remove samples with unknown labels");
}

TEST(Arff, RefusesTablesThatExceedTheMemoryAllowed) {
  std::string text = "@relation r\n";
  for (int j = 0; j < 1000; ++j) text += fmt::format("@attribute a{} real\n", j);
  text += "@data\n";
  for (int i = 0; i < 1000; ++i) text += "{}\n";
  ReadOptions options;
  options.context.memory_bytes = 1 << 20;
  EXPECT_EQ(arff_refusal(text, options),
            "a.arff: a table of 1000 samples and 1000 columns needs 8.06 MiB, more than the memory "
            "budget of 1 MiB (--memory); allow more memory, or give fewer samples or columns");
  options.context.memory_bytes = 1 << 24;
  EXPECT_EQ(arff_refusal(text, options), "no error");
}

RC_GTEST_PROP(ArffProperty, DenseAndSparseRowsAreTheSame, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 6);
  std::string head = "@relation r\n";
  for (std::size_t j = 0; j < columns; ++j) head += fmt::format("@attribute 'a {}' real\n", j);
  head += "@data\n";
  std::string dense = head;
  std::string sparse = head;
  Vector values;
  for (auto rows = *rc::gen::inRange(1, 6); rows > 0; --rows) {
    std::string entries;
    for (std::size_t j = 0; j < columns; ++j) {
      values.push_back(*rc::gen::inRange(-2, 3) / 8.0);
      dense += fmt::format("{}{}", values.back(), j + 1 < columns ? "," : "\n");
      if (values.back() == 0.0) continue;
      entries += fmt::format("{}{} {}", entries.empty() ? "" : ", ", j, values.back());
    }
    sparse += "{" + entries + "}\n";
  }
  RC_ASSERT(read_arff_text(dense).values.values == values);
  RC_ASSERT(read_arff_text(sparse).values.values == values);
}

ReadOptions with_categories(std::vector<Categories> categories) {
  ReadOptions options;
  options.categories = std::move(categories);
  return options;
}

TEST(Arff, TellsWhatWordsStandFor) {
  const Table table = read_arff_text(kHead + "1,x\n2,y\n");
  ASSERT_EQ(table.categories.size(), 1u);
  EXPECT_EQ(table.categories[0].column, "b");
  EXPECT_EQ(table.categories[0].values, (Names{"x", "y"}));
  EXPECT_TRUE(read_arff_text("@relation r\n@attribute a {1,2}\n@data\n1\n").categories.empty());
}

RC_GTEST_PROP(Arff, WordsOfAModelAreReadByName, ()) {
  Names words = {"no", "yes", "often", "a b"};
  const auto known = *rc::gen::inRange<std::size_t>(1, words.size() + 1);
  const Names model(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(known));
  const auto keys = *rc::gen::container<std::vector<int>>(words.size(), rc::gen::inRange(0, 1000));
  std::vector<std::pair<int, std::string>> shuffled;
  for (std::size_t k = 0; k < words.size(); ++k) shuffled.emplace_back(keys[k], words[k]);
  std::ranges::sort(shuffled);
  for (std::size_t k = 0; k < words.size(); ++k) words[k] = shuffled[k].second;
  std::string header = "@relation r\n@attribute u {";
  for (const std::string& word : words) header += (word == words[0] ? "'" : ",'") + word + "'";
  header += "}\n@attribute z numeric\n@data\n";
  std::string dense = header;
  std::string sparse = header;
  std::string csv = "z;u\n";
  Vector expected;
  for (int i = 0; i < 5; ++i) {
    const auto k = *rc::gen::inRange<std::size_t>(0, known);
    dense += fmt::format("'{}',{}\n", model[k], i);
    sparse += model[k] == words[0] ? fmt::format("{{1 {}}}\n", i)
                                   : fmt::format("{{0 '{}',1 {}}}\n", model[k], i);
    csv += fmt::format("{};{}\n", i, model[k]);
    expected.push_back(static_cast<double>(k));
  }
  const ReadOptions options = with_categories({{"u", model}});
  for (const auto& [text, name] :
       {std::pair{dense, "a.arff"}, {sparse, "a.arff"}, {csv, "a.csv"}}) {
    const Table table = read_arff_text(text, options, name);
    RC_ASSERT(select_columns(table, {"u"}).values == expected);
    RC_ASSERT(table.categories.size() == 1u);
    RC_ASSERT(table.categories[0].values == model);
  }
}

TEST(Arff, RefusesWordsThatTheModelDoesNotKnow) {
  const std::string refusal = "is not one of the values in the training data, x, y";
  const ReadOptions options = with_categories({{"b", {"x", "y"}}});
  const std::string head = "@relation r\n@attribute a numeric\n@attribute b {z,x,y}\n@data\n";
  EXPECT_NE(arff_refusal(head + "1,x\n2,z\n", options).find("a.arff:6: column 'b': 'z' " + refusal),
            std::string::npos);
  EXPECT_NE(arff_refusal(head + "{0 1}\n", options).find("'z' " + refusal), std::string::npos);
  EXPECT_EQ(read_arff_text(head + "{0 1,1 y}\n", options).values.values, (Vector{1, 1}));
  EXPECT_NE(arff_refusal(kHead + "1,x\n", with_categories({})).find("train the model again"),
            std::string::npos);
  const TemporaryFolder folder;
  const std::string file = folder.write("c.csv", "a,b\n1,0\n");
  EXPECT_NE(error_of([&] { (void)read_table({file}, options); }).find("column 'b': '0' " + refusal),
            std::string::npos);
}

TEST(Arff, WordsOfJoinedFilesKeepTheirColumns) {
  const TemporaryFolder folder;
  const std::string one =
      folder.write("one.arff", "@relation r\n@attribute u {no,yes}\n@data\nno\nyes\n");
  const std::string two =
      folder.write("two.arff", "@relation r\n@attribute u {yes,no}\n@data\nno\nyes\n");
  const Table table = read_table({one, two}, {});
  EXPECT_EQ(table.values.values, (Vector{0, 1, 1, 0}));
  const Table again = read_table({"two=" + one, "one=" + two}, with_categories(table.categories));
  EXPECT_EQ(select_columns(again, {"one.u", "two.u"}).values, table.values.values);
}

}  // namespace
}  // namespace kernmix
