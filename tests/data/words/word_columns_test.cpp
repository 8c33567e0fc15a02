#include <gtest/gtest.h>

#include <cmath>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

const std::string kTable =
    "id,age,region,size,flag,y\n"
    "p1,31,north,S,TRUE,a\np2,,south,L,FALSE,b\np3,-9,north,M,TRUE,a\np4,40,,S,NA,b\n";

ReadOptions reading(const Names& categorical) {
  ReadOptions options;
  options.label_column = "y";
  options.id_column = "id";
  options.keep_missing = true;
  options.categorical = categorical;
  return options;
}

Table read_text(const std::string& text, const ReadOptions& options,
                const std::string& name = "t.csv") {
  const TemporaryFolder folder;
  return read_table({folder.write(name, text)}, options);
}

std::string refusal(const std::string& text, const ReadOptions& options,
                    const std::string& name = "t.csv") {
  const TemporaryFolder folder;
  const std::string file = folder.write(name, text);
  return folder.strip(error_of([&] { static_cast<void>(read_table({file}, options)); }));
}

Vector column(const Table& table, const std::string& name) {
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (table.columns[j] != name) continue;
    Vector values;
    for (Index i = 0; i < table.samples(); ++i) {
      values.push_back(table.values(i, static_cast<Index>(j)));
    }
    return values;
  }
  return {};
}

TEST(Categorical, WordsAreNumberedInTheirOrder) {
  const Table table = read_text(kTable, reading({"region", "size=S<M<L", "flag"}));
  ASSERT_EQ(table.categories.size(), 3U);
  EXPECT_EQ(table.categories[0].values, (Names{"north", "south"}));
  EXPECT_TRUE(table.categories[0].as_indicators);
  EXPECT_EQ(table.categories[1].values, (Names{"S", "M", "L"}));
  EXPECT_FALSE(table.categories[1].as_indicators);
  EXPECT_EQ(table.categories[2].values, (Names{"FALSE", "TRUE"}));
  EXPECT_EQ(column(table, "size"), (Vector{0, 2, 1, 0}));
  const Vector region = column(table, "region");
  EXPECT_EQ(Vector(region.begin(), region.begin() + 3), (Vector{0, 1, 0}));
  EXPECT_TRUE(std::isnan(region[3]));
  EXPECT_TRUE(std::isnan(column(table, "flag")[3]));
}

TEST(Categorical, AutoFindsColumnsWithoutNumbers) {
  const Table table = read_text(kTable, reading({"auto"}));
  Names found;
  for (const Categories& own : table.categories) found.push_back(own.column);
  EXPECT_EQ(found, (Names{"region", "size", "flag"}));
  EXPECT_TRUE(std::isnan(column(table, "age")[1]));
  const std::string mixed = "x,y\n1,a\nunknown,b\n3,a\n";
  ReadOptions options = reading({"auto"});
  options.id_column.clear();
  EXPECT_NE(refusal(mixed, options).find("'unknown'"), std::string::npos);
}

TEST(Categorical, CodesOfMissingCellsAreComparedAsNumbers) {
  ReadOptions options = reading({"auto"});
  options.na = {"-9.0"};
  const Table table = read_text(kTable, options);
  EXPECT_TRUE(std::isnan(column(table, "age")[2]));
  EXPECT_EQ(table.missing_codes, options.na);
  options.keep_missing = false;
  const std::string clean = "age,y\n31,a\n-9,b\n";
  options.id_column.clear();
  options.categorical.clear();
  EXPECT_EQ(refusal(clean, options).substr(0, 22), "t.csv:3: column 'age':");
}

TEST(Categorical, ColumnsThatAreNotThereAreNamed) {
  EXPECT_NE(refusal(kTable, reading({"regio"})).find("did you mean 'region'"), std::string::npos);
  EXPECT_NE(refusal(kTable, reading({"size=S<S"})).find("different words"), std::string::npos);
  EXPECT_NE(
      refusal(kTable, reading({"size=S", "M", "L"})).find("size=S: write COLUMN=FIRST<SECOND"),
      std::string::npos);
  EXPECT_NE(refusal(kTable, reading({"region", "flag", "size=S<M"}))
                .find("'L' is not one of the ordered words, S, M: add it to the order, or read it "
                      "as missing with --na L"),
            std::string::npos);
}

TEST(Categorical, ANameWithAStarIsThatColumnAlone) {
  ReadOptions options = reading({"x*"});
  options.id_column.clear();
  const Table table = read_text("x*,xb,y\nu,1,a\nv,2,b\n", options);
  ASSERT_EQ(table.categories.size(), 1U);
  EXPECT_EQ(table.categories[0].column, "x*");
}

TEST(Categorical, NumbersAreTheSameWordInEveryNotation) {
  ReadOptions options = reading({"k"});
  options.id_column.clear();
  const Table table = read_text("k,y\n1,a\n1.0,b\n2,a\n10,b\n", options);
  ASSERT_EQ(table.categories.size(), 1U);
  EXPECT_EQ(table.categories[0].values, (Names{"1", "2", "10"}));
}

TEST(Categorical, ColumnNamesMayBeginAsBinaryFilesDo) {
  for (const char* name : {"PAR1", "MATLAB", "ARROW1"}) {
    ReadOptions options = reading({});
    options.id_column.clear();
    const Table table = read_text(std::string(name) + ",y\n1,a\n2,b\n", options);
    EXPECT_EQ(table.columns, Names{name});
  }
}

TEST(Categorical, AFirstSampleWithDecimalCommasIsNoHeader) {
  ReadOptions options;
  EXPECT_NE(refusal("2,13;-0,13\n1,5;0,64\n3,1;2,2\n", options).find("--no-header"),
            std::string::npos);
}

TEST(Categorical, NominalAttributesOfArffFilesAreWords) {
  const std::string text =
      "@relation r\n@attribute c {red,green,blue}\n@attribute z numeric\n@attribute y {a,b}\n"
      "@data\ngreen,1,a\n?,2,b\nred,?,a\n";
  ReadOptions options = reading({"auto"});
  options.id_column.clear();
  const Table table = read_text(text, options, "t.arff");
  ASSERT_EQ(table.categories.size(), 1U);
  EXPECT_EQ(table.categories[0].values, (Names{"red", "green", "blue"}));
  EXPECT_TRUE(table.categories[0].as_indicators);
  EXPECT_EQ(column(table, "c")[0], 1.0);
  EXPECT_TRUE(std::isnan(column(table, "c")[1]));
  EXPECT_TRUE(std::isnan(column(table, "z")[2]));
}

}  // namespace
}  // namespace kernmix
