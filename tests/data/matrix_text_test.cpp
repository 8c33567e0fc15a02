/// Text matrices with the names of samples, as R, pandas and LIBSVM write them.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

GivenMatrix opened(std::string_view text) {
  const TemporaryFolder folder;
  const std::vector<GivenMatrix> all = open_matrices(folder.write("k.csv", text));
  EXPECT_EQ(all.size(), 1U) << text;
  return all.front();
}

struct Form {
  std::string text;
  Names rows;
  Names columns;
};

TEST(MatrixText, ReadsNamesAsProgramsWriteThem) {
  const Names both = {"p1", "q 2"};
  const std::vector<Form> forms = {
      {"\"\",\"p1\",\"q 2\"\n\"p1\",1,0.5\n\"q 2\",0.5,1\n", both, both},  // write.csv
      {"\"p1\" \"q 2\"\n\"p1\" 1 0.5\n\"q 2\" 0.5 1\n", both, both},       // write.table
      {"p1\tq 2\np1\t1\t0.5\nq 2\t0.5\t1\n", both, both},         // sep = "\t", quote = FALSE
      {"\"p1\",\"q 2\"\n1,0.5\n0.5,1\n", {}, both},               // row.names = FALSE
      {"\"p1\" 1 0.5\n\"q 2\" 0.5 1\n", both, {}},                // col.names = FALSE
      {",p1,q 2\np1,1.0,0.5\nq 2,0.5,1.0\n", both, both},         // to_csv
      {"patient,p1,q 2\np1,1.0,0.5\nq 2,0.5,1.0\n", both, both},  // of a named index
      {"p1,q 2\n1.0,0.5\n0.5,1.0\n", {}, both},                   // index=False
      {"p1,1.0,0.5\nq 2,0.5,1.0\n", both, {}},                    // header=False
      {",101,99\n101,1.0,0.5\n99,0.5,1.0\n", {"101", "99"}, {"101", "99"}},
      {"id,101,99\n101,1.0,0.5\n99,0.5,1.0\n", {"101", "99"}, {"101", "99"}},
      {"\"\",\"V1\",\"V2\"\n\"1\",1,0.5\n\"2\",0.5,1\n", {"1", "2"}, {"V1", "V2"}},
      {";\"p1\";\"q 2\"\n\"p1\";1;0,5\n\"q 2\";0,5;1\n", both, both},  // write.csv2
      {"sep=;\n;p1;q 2\np1;1;0,5\nq 2;0,5;1\n", both, both},
      {"1,0.5\n0.5,1\n", {}, {}},
      {"\"1\",\"0.5\"\n\"0.5\",\"1\"\n", {}, {}}};
  for (const Form& form : forms) {
    const GivenMatrix matrix = opened(form.text);
    EXPECT_EQ(matrix.names().rows, form.rows) << form.text;
    EXPECT_EQ(matrix.names().columns, form.columns) << form.text;
    EXPECT_EQ(matrix.whole().values, (Vector{1, 0.5, 0.5, 1})) << form.text;
    EXPECT_EQ(matrix.rows(), 2) << form.text;
  }
}

TEST(MatrixText, AFirstRowThatCountsIsAHeader) {
  for (const std::string header : {"0,1,2", "1,2,3"}) {
    const GivenMatrix matrix = opened(header + "\n0.5,0.25,1\n0.75,0,1\n");
    EXPECT_EQ(matrix.rows(), 2);
    EXPECT_EQ(matrix.whole()(0, 0), 0.5);
    EXPECT_EQ(matrix.names().columns.size(), 3U);
  }
  EXPECT_EQ(opened("1 2 3\n1 0.5 0.25 1\n2 0.75 0 1\n").names().rows, (Names{"1", "2"}));
  // Distances of samples on a line.
  for (const std::string text : {"0,1,2\n1,0,1\n2,1,0\n", "0,1,2\n1,0,1.5\n2,1.5,0\n",
                                 "0.0,1.0,2.0\n0.5,0.5,1.5\n0.25,0.75,1.75\n"}) {
    EXPECT_EQ(opened(text).rows(), 3) << text;
    EXPECT_TRUE(opened(text).names().columns.empty()) << text;
  }
}

TEST(MatrixText, OneRowIsANewSample) {
  EXPECT_EQ(opened("new,0.5,0.25\n").names().rows, Names{"new"});
  EXPECT_EQ(opened("0.5,0.25\n").whole().values, (Vector{0.5, 0.25}));
}

TEST(MatrixText, RefusesNamesThatTellNoSample) {
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {",a,a\na,1,0\nb,0,1\n", ":1: columns 1 and 2 have the same name 'a'"},
      {",a,b\na,1,0\na,0,1\n", ":3: the name 'a' occurs on line 2, too"},
      {",a,\na,1,0\nb,0,1\n", ":1: the name of column 2 is missing"},
      {",a,b\na,1,0\n,0,1\n", ":3: the name of row 2 is missing"},
      {",a,b\na,1,0\nb,0\n", ":3: 1 numbers where the first line has 2"},
      {",a,b\na,1,x\nb,0,1\n", ":2: column 3: 'x' is not a finite number"},
      {",a,b\na,1,NA\nb,0,1\n", ":2: column 3: 'NA' is not a finite number"},
      {"1,nan\nnan,1\n", ":1: column 2: 'nan' is not a finite number"}};
  for (const auto& [text, message] : refusals) {
    const std::string& broken = text;
    const std::string error = error_of([&] { static_cast<void>(opened(broken)); });
    EXPECT_NE(error.find(message), std::string::npos) << text << error;
  }
}

TEST(MatrixText, ReadsPrecomputedKernelsOfLibsvm) {
  const GivenMatrix matrix = opened("+1 0:1 1:1 2:0.5\n-1 0:2 1:0.5 2:1\n");
  EXPECT_EQ(matrix.whole().values, (Vector{1, 0.5, 0.5, 1}));
  EXPECT_TRUE(matrix.names().rows.empty());
  const GivenMatrix fresh = opened("0:7 1:0.5 2:0.25 3:0\n0:7 1:1 2:2 3:3\n");
  EXPECT_EQ(fresh.whole().values, (Vector{0.5, 0.25, 0, 1, 2, 3}));
  EXPECT_EQ(opened("0:0 1:0.5 2:0.25\n0:0 1:1 2:2\n").whole().values, (Vector{0.5, 0.25, 1, 2}));
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"1 0:2 1:1 2:0.5\n1 0:1 1:0.5 2:1\n", ":1: 0:2 numbers sample 1 of the file"},
      {"1 0:1 1:1 2:0.5\n1 0:2 1:0.5\n", ":2: 1 entries where the first row has 2"},
      {"1 0:1 1:1 3:0.5\n", ":1: '3:0.5' where 2:value is expected"},
      {"1 0:1 1:1 2:x\n", ":1: 'x' is not a finite number"}};
  for (const auto& [text, message] : refusals) {
    const std::string& broken = text;
    const std::string error = error_of([&] { static_cast<void>(opened(broken)); });
    EXPECT_NE(error.find(message), std::string::npos) << text << error;
  }
}

/// A name as people give it, unique by its number.
std::string drawn_name(int number) {
  const auto start = *rc::gen::element<std::string>("p", "Patient ", "\xc3\xa4", "a.b-", "x\"y,");
  return fmt::format("{}{}", start, number);
}

std::string as_field(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

RC_GTEST_PROP(MatrixText, WrittenNamesAndNumbersAreReadBack, ()) {
  const int rows = *rc::gen::inRange(1, 6);
  const int columns = *rc::gen::inRange(2, 6);
  MatrixNames names;
  for (int i = 0; i < rows; ++i) names.rows.push_back(drawn_name(i));
  for (int j = 0; j < columns; ++j) names.columns.push_back(drawn_name(100 + j));
  const char separator = *rc::gen::element(',', ';', '\t', ' ');
  const std::string corner = *rc::gen::element<std::string>("\"\"", "\"id\"", "");
  std::string text = corner;
  for (std::size_t j = 0; j < names.columns.size(); ++j) {
    if (j > 0 || !corner.empty()) text += separator;
    text += as_field(names.columns[j]);
  }
  Vector values;
  for (const std::string& name : names.rows) {
    text += "\n" + as_field(name);
    for (int j = 0; j < columns; ++j) {
      values.push_back(*rc::gen::arbitrary<int>() / 7.0);
      text += separator + fmt::format("{}", values.back());
    }
  }
  const GivenMatrix matrix = opened(text);
  RC_ASSERT(matrix.names().rows == names.rows);
  RC_ASSERT(matrix.names().columns == names.columns);
  RC_ASSERT(matrix.whole().values == values);
}

}  // namespace
}  // namespace kernmix
