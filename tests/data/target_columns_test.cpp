/// \file
/// Columns of numbers to predict, which a table keeps apart from those that kernels read.

#include <gtest/gtest.h>

#include "data/column_places.hpp"
#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

ReadOptions targets_in(const Names& items) {
  ReadOptions options;
  options.target_columns = items;
  return options;
}

TEST(TargetColumns, AreChosenLikeThoseOfViews) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.csv", "id,t_1,x,t_2,last\n7,1,2.5,-1,3\n8,4,3.5,0,6\n");
  ReadOptions options = targets_in({"last", "t_*"});
  options.id_column = "id";
  const Table table = read_table({file}, options);
  EXPECT_EQ(table.columns, Names{"x"});
  EXPECT_EQ(table.values.values, (Vector{2.5, 3.5}));
  EXPECT_EQ(table.targets.names, (Names{"last", "t_1", "t_2"}));
  EXPECT_EQ(table.targets.values.values, (Vector{3, 1, -1, 6, 4, 0}));
  options.target_columns = {"1", "3"};  // those of ids do not count
  EXPECT_EQ(read_table({file}, options).targets.names, (Names{"t_1", "t_2"}));
  options.only = {"x"};
  EXPECT_EQ(read_table({file}, options).targets.values.values, (Vector{1, -1, 4, 0}));
  EXPECT_EQ(resolve_views({}, table)[0].columns, Names{"x"});
}

TEST(TargetColumns, OfSeveralFilesLeaveEachItsView) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.csv", "x,y,u\n1,2,3\n4,5,6\n");
  const std::string b = folder.write("b.csv", "x,z\n7,8\n9,10\n");
  const Table table = read_table({a, b}, targets_in({"b.x", "u"}));
  EXPECT_EQ(table.columns, (Names{"a.x", "y", "z"}));
  EXPECT_EQ(table.targets.names, (Names{"b.x", "u"}));
  EXPECT_EQ(table.targets.values.values, (Vector{7, 3, 9, 6}));
  const std::vector<View> views = resolve_views({}, table);
  EXPECT_EQ(views[0].columns, (Names{"a.x", "y"}));
  EXPECT_EQ(views[1].columns, Names{"z"});
}

TEST(TargetColumns, OfFilesWithoutNames) {
  const TemporaryFolder folder;
  const std::string npy = folder.path("a.npy");
  write_npy(npy, {2, 3}, Vector{1, 2, 3, 4, 5, 6});
  EXPECT_EQ(read_table({npy}, targets_in({"2"})).targets.values.values, (Vector{2, 5}));
  const std::string libsvm = folder.write("a.libsvm", "0 1:0.5 3:2\n1 2:4\n");
  const Table table = read_table({libsvm}, targets_in({"3", "1"}));
  EXPECT_TRUE(table.labels.empty());
  EXPECT_EQ(table.columns, Names{"2"});
  EXPECT_EQ(table.targets.values.values, (Vector{2, 0.5, 0, 0}));
  const std::string bare = folder.write("b.csv", "1,2,3\n4,5,6\n");
  ReadOptions options = targets_in({"b.3"});
  options.header = false;
  const Table both = read_table({npy, bare}, options);
  EXPECT_EQ(both.targets.values.values, (Vector{3, 6}));
  EXPECT_EQ(both.columns, (Names{"a.1", "a.2", "a.3", "b.1", "b.2"}));
}

TEST(TargetColumns, RefuseWhatIsNoNumberAndOtherLabels) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.csv", "x,y,c\n1,2,red\n3,?,blue\n");
  const auto refusal = [&](const ReadOptions& options) {
    return folder.strip(error_of([&] { static_cast<void>(read_table({file}, options)); }));
  };
  EXPECT_EQ(refusal(targets_in({"y", "c"})).substr(0, 17), "a.csv: 2 problems");
  EXPECT_EQ(refusal(targets_in({"yy"})).substr(0, 9), "--targets");
  ReadOptions options = targets_in({"y"});
  options.ignore = {"c"};
  EXPECT_EQ(refusal(options),
            "a.csv:3: column 'y': '?' is a missing value; fill it in, remove the sample, or leave "
            "the column out with --ignore");
  for (const bool many : {false, true}) {
    ReadOptions labelled = targets_in({"y"});
    (many ? labelled.label_columns.emplace_back() : labelled.label_column) = "c";
    EXPECT_EQ(refusal(labelled),
              "--targets names columns of numbers, --label and --labels name classes and labels: "
              "give one of them");
  }
}

TEST(TakeColumns, KeepsTheOthersWithTheirFiles) {
  const TemporaryFolder folder;
  Table table =
      read_table({folder.write("a.csv", "x,y\n1,2\n"), folder.write("b.csv", "z,w\n3,4\n")}, {});
  EXPECT_EQ(take_columns(table, {2, 0}).values, (Vector{3, 1}));
  EXPECT_EQ(table.columns, (Names{"y", "w"}));
  EXPECT_EQ(table.values.values, (Vector{2, 4}));
  EXPECT_EQ(resolve_views({}, table)[1].columns, Names{"w"});
}

}  // namespace
}  // namespace kernmix
