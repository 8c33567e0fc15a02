#include <gtest/gtest.h>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

Table table_of(const Names& columns) {
  Table table;
  table.source = "data.csv";
  table.columns = columns;
  table.values = Matrix(1, length(columns));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    table.values.values[j] = static_cast<double>(j);
  }
  table.parts = {{"data", 0, length(columns), false}};
  return table;
}

const Names kColumns = {"red", "green", "blue", "hist_1", "hist_2", "x-y"};

Names columns_of(const std::string& specification) {
  return resolve_views({specification}, table_of(kColumns))[0].columns;
}

TEST(Views, SelectByNameGlobPositionAndRange) {
  EXPECT_EQ(columns_of("v=blue,red"), (Names{"blue", "red"}));
  EXPECT_EQ(columns_of("v = hist_*"), (Names{"hist_1", "hist_2"}));
  EXPECT_EQ(columns_of("v=hist_?, 1"), (Names{"hist_1", "hist_2", "red"}));
  EXPECT_EQ(columns_of("v=2-4"), (Names{"green", "blue", "hist_1"}));
  EXPECT_EQ(columns_of("v=green..hist_1"), (Names{"green", "blue", "hist_1"}));
  EXPECT_EQ(columns_of("v=x-y"), (Names{"x-y"})) << "a name goes before every other reading";
  EXPECT_EQ(columns_of("v=red,*"), kColumns) << "twice selected is selected once";
}

TEST(Views, DefaultToOneOfAllColumns) {
  const std::vector<View> views = resolve_views({}, table_of(kColumns));
  ASSERT_EQ(views.size(), 1u);
  EXPECT_EQ(views[0].name, "data");
  EXPECT_EQ(views[0].columns, kColumns);
}

TEST(Views, RefuseWithReason) {
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"red", "--view red: write NAME=COLUMNS, for example color=red,green,blue"},
      {"=red", "--view =red: a view's name cannot be ''; use letters, digits, '_', '-' and '.'"},
      {"a b=red",
       "--view a b=red: a view's name cannot be 'a b'; use letters, digits, '_', '-' and '.'"},
      {"all=red", "--view all=red: 'all' is a word of the kernel language; choose another name"},
      {"v=", "--view v=: an item of the column list is empty"},
      {"v=red,", "--view v=red,: an item of the column list is empty"},
      {"v=gren", "--view v=gren: data.csv has no column 'gren', did you mean 'green'?"},
      {"v=red..gren", "--view v=red..gren: data.csv has no column 'gren', did you mean 'green'?"},
      {"v=blue..red", "--view v=blue..red: range blue..red runs backwards"},
      {"v=4-2", "--view v=4-2: range 4-2 runs backwards"},
      {"v=0", "--view v=0: position 0 is outside of 1-6"},
      {"v=3-7", "--view v=3-7: position 3-7 is outside of 1-6"},
      {"v=q*", "--view v=q*: no column of data.csv matches 'q*'"},
  };
  for (const auto& [specification, message] : refusals) {
    const std::string& text = specification;
    EXPECT_EQ(error_of([&] { static_cast<void>(resolve_views({text}, table_of(kColumns))); }),
              message);
  }
  EXPECT_EQ(error_of([] {
              static_cast<void>(resolve_views({"v=1", "v=2"}, table_of(kColumns)));
            }),
            "two views have the name 'v'; names must differ");
}

TEST(SelectColumns, FollowsTheOrderAsked) {
  EXPECT_EQ(select_columns(table_of(kColumns), {"blue", "red"}).values, (Vector{2, 0}));
  EXPECT_EQ(error_of([] { static_cast<void>(select_columns(table_of(kColumns), {"bleu"})); }),
            "data.csv: there is no column 'bleu', did you mean 'blue'?");
}

}  // namespace
}  // namespace kernmix
