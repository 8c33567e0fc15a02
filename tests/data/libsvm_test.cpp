#include <gtest/gtest.h>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

Table read_libsvm_text(std::string_view text, const std::string& name = "data.libsvm") {
  const TemporaryFolder folder;
  return read_table({folder.write(name, text)}, {});
}

TEST(Libsvm, MissingEntriesAreZero) {
  const Table table =
      read_libsvm_text("+1 1:0.5 3:-2 # comment\n\n# only a comment\n-1 2:1e3\r\n1,2\n");
  EXPECT_EQ(table.columns, (Names{"1", "2", "3"}));
  EXPECT_EQ(table.values.values, (Vector{0.5, 0, -2, 0, 1000, 0, 0, 0, 0}));
  EXPECT_EQ(table.labels, (Names{"+1", "-1", "1,2"}));
}

TEST(Libsvm, LabelsMayBeAbsent) {
  const Table table = read_libsvm_text("1:1\n1:2\n");
  EXPECT_TRUE(table.labels.empty());
  EXPECT_EQ(table.samples(), 2);
}

TEST(Libsvm, CountsFromZeroWhereTheIndexZeroOccursTwice) {
  const Table table = read_libsvm_text("1 0:5 2:6\n-1 1:7\n1 0:1\n");
  EXPECT_EQ(table.columns, (Names{"0", "1", "2"}));
  EXPECT_EQ(table.values.values, (Vector{5, 0, 6, 0, 7, 0, 1, 0, 0}));
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_NE(table.notes.front().find("indices count from 0"), std::string::npos);
  EXPECT_EQ(resolve_views({"v=0-1"}, table).front().columns, (Names{"0", "1"}));
  EXPECT_EQ(select_columns(table, {"0", "9"}).values, (Vector{5, 0, 0, 0, 1, 0}));
}

TEST(Libsvm, CountsAsTheModelDoes) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.only = {"0", "2"};
  for (const auto& [text, first] : {std::pair{"1 1:5 2:6\n", 0.0}, {"1 0:4 1:5 2:6\n", 4.0}}) {
    const Table table = read_table({folder.write("new.svm", text)}, options);
    EXPECT_EQ(select_columns(table, options.only).values, (Vector{first, 6}));
    EXPECT_TRUE(table.notes.empty());
  }
}

TEST(Libsvm, AWideTableThatCountsFromZeroHasTheColumnsThatHoldAnEntry) {
  const Table table = read_libsvm_text("1 0:5 2000000000:2\n-1 0:1\n");
  EXPECT_EQ(table.columns, (Names{"0", "2000000000"}));
  EXPECT_EQ(table.values.values, (Vector{5, 2, 1, 0}));
  EXPECT_EQ(read_libsvm_text("1 0:5\n1 0:1 65535:2\n").columns.size(), 65536U);
}

TEST(Libsvm, IsRecognisedByItsContent) {
  EXPECT_EQ(read_libsvm_text("1 1:5\n", "data.txt").values.values, (Vector{5}));
}

TEST(Libsvm, ColumnsBeyondTheLargestIndexAreZero) {
  const Table table = read_libsvm_text("1 1:5\n-1 2:6\n");
  EXPECT_EQ(select_columns(table, {"4", "2"}).values, (Vector{0, 0, 0, 6}));
  EXPECT_THROW(static_cast<void>(select_columns(table, {"0"})), DataError);
  EXPECT_THROW(static_cast<void>(select_columns(table, {"x"})), DataError);
}

/// Beyond 65,536 columns; the memory is that of the columns in use.
TEST(Libsvm, AWideTableHasTheColumnsThatHoldAnEntry) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.context.memory_bytes = 1'000'000;
  const std::string wide = folder.write("w.libsvm", "1 3:5 2000000000:2\n-1 70000:1\n");
  const Table table = read_table({wide}, options);
  EXPECT_EQ(table.columns, (Names{"3", "70000", "2000000000"}));
  EXPECT_EQ(table.values.values, (Vector{5, 0, 2, 0, 1, 0}));
  EXPECT_EQ(select_columns(table, {"2", "70000"}).values, (Vector{0, 0, 0, 1}));
  EXPECT_EQ(read_libsvm_text("1 65536:1\n").columns.size(), 65536U);
  EXPECT_EQ(read_libsvm_text("1 65537:1\n").columns.size(), 1U);
}

TEST(Libsvm, SeveralFilesStandSideBySide) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.libsvm", "1 1:5\n-1 2:6\n");
  const std::string b = folder.write("b.libsvm", "+1 1:7\n-1.0 1:8\n");
  const Table table = read_table({a, "second=" + b}, {});
  EXPECT_EQ(table.columns, (Names{"a.1", "a.2", "second.1"}));
  EXPECT_EQ(table.values.values, (Vector{5, 0, 7, 0, 6, 8}));
  EXPECT_EQ(table.labels, (Names{"1", "-1"}));
  const std::vector<View> views = resolve_views({}, table);
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].name, "a");
  EXPECT_EQ(views[1].columns, (Names{"second.1"}));
  EXPECT_EQ(select_columns(table, {"second.9"}).values, (Vector{0, 0}));
  EXPECT_THROW(static_cast<void>(select_columns(table, {"9"})), DataError);
}

TEST(Libsvm, LabelsOfSeveralFilesMustAgree) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.libsvm", "1 1:5\n-1 2:6\n");
  const std::string b = folder.write("b.libsvm", "1 1:7\n\n1 1:8\n");
  EXPECT_EQ(folder.strip(error_of([&] {
    static_cast<void>(read_table({a, b}, {}));
  })),
            "b.libsvm:3: label '1' differs from '-1' of the same sample on line 2 of a.libsvm; "
            "correct one of them");
}

TEST(Libsvm, RefusesWithPlaceAndRule) {
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"# nothing\n", "holds no samples"},
      {"1 1:5\n1:6\n", ":2: no label here, but one on the lines before"},
      {"1:5\n1 1:6\n", ":2: a label here, but none on the lines before"},
      {"1 1:5 1:6\n", ":1: index 1 occurs twice; write one value for each index"},
      {"1 2:5 1:6 2:7\n", ":1: index 2 occurs twice; write one value for each index"},
      {"1 1:1,5\n", ":1: column '1': '1,5' is not a finite number; write numbers with a decimal "},
      {"1 a:5\n", ":1: 'a:5' has a name where LIBSVM's form has an index"},
      {"1 0:5 1:6\n", ":1: '0:5': indices start at 1"},
      {"1 -3:5\n", ":1: '-3:5': indices start at 1"},
      {"1 1:5 x\n", ":1: 'x' is not of the form index:value"},
      {"1 qid:3 1:5\n", ":1: 'qid:3' is a query number"},
      {"1 99999999999999999999:1\n", ":1: '99999999999999999999:1' is not of the form"},
      {"1 1:nan\n", ":1: column '1': 'nan' is a missing value; fill it in"},
      {"1 1:\n", ":1: column '1': the field is empty; fill it in"},
      {"nan 1:1\n", ":1: the label is missing"},
      {"1 9000000000000000000:1\n",
       ":1: index 9000000000000000000: indices are at most 2147483647"},
  };
  for (const auto& [text, message] : refusals) {
    const std::string& broken = text;
    const std::string error = error_of([&] { static_cast<void>(read_libsvm_text(broken)); });
    EXPECT_NE(error.find(message), std::string::npos) << error;
  }
}

TEST(Libsvm, HasNoIdColumn) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.id_column = "id";
  const std::string file = folder.write("a.libsvm", "1 1:5\n");
  EXPECT_THROW(static_cast<void>(read_table({file}, options)), DataError);
}

}  // namespace
}  // namespace kernmix
