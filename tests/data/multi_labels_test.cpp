/// \file
/// Samples with several labels: in columns, in lists, and in files that name their labels.

#include <gtest/gtest.h>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;
using Flags = std::vector<unsigned char>;

const std::string kGolden = std::string(KERNMIX_SOURCE_DIR) + "/tests/data/golden/";
const Names kMoods = {"amazed", "sad-lonely", "quiet 'n calm"};

ReadOptions labels_in(const Names& columns) {
  ReadOptions options;
  options.label_columns = columns;
  return options;
}

Table read_text(const std::string& name, std::string_view text, const Names& columns) {
  const TemporaryFolder folder;
  return read_table({folder.write(name, text)}, labels_in(columns));
}

std::string refusal(const std::string& name, std::string_view text, const Names& columns) {
  const TemporaryFolder folder;
  const std::string file = folder.write(name, text);
  return folder.strip(error_of([&] { static_cast<void>(read_table({file}, labels_in(columns))); }));
}

void expect_music(const Table& table, const Names& labels) {
  EXPECT_EQ(table.values.values, (Vector{120.5, -7.25, 1, 60, -20, 0, 0, 0, 0, 93.75, 1e-3, 1}));
  EXPECT_EQ(table.multi_labels.names, labels);
  EXPECT_EQ(table.multi_labels.values, (Flags{1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1}));
  EXPECT_TRUE(table.labels.empty());
}

TEST(MultiLabelFiles, OfEveryFormHoldTheSame) {
  const Names names = read_label_names(kGolden + "music.xml");
  EXPECT_EQ(names, kMoods);
  for (const char* file : {"music.csv", "music.arff", "music-sparse.arff"}) {
    SCOPED_TRACE(file);
    const Table table = read_table({kGolden + file}, labels_in(names));
    EXPECT_EQ(table.columns, (Names{"tempo", "loudness", "has vocals"}));
    expect_music(table, kMoods);
  }
  expect_music(read_table({kGolden + "music-meka.arff"}, {}), kMoods);
  expect_music(read_table({kGolden + "music.libsvm"}, labels_in({"*"})), {"0", "1", "2"});
}

TEST(MultiLabelColumns, AreChosenLikeThoseOfViews) {
  const std::string text = "id,l_1,x,l_2,last\n1,0,2.5,1,1\n2,1,3.5,0,1\n";
  const auto names = [&](const Names& items) {
    const TemporaryFolder folder;
    ReadOptions options = labels_in(items);
    options.id_column = "id";
    return read_table({folder.write("a.csv", text)}, options).multi_labels.names;
  };
  EXPECT_EQ(names({"l_*"}), (Names{"l_1", "l_2"}));
  EXPECT_EQ(names({"last", "l_1"}), (Names{"last", "l_1"})) << "in the order asked";
  EXPECT_EQ(names({"3-4"}), (Names{"l_2", "last"})) << "ids have no position";
  EXPECT_EQ(names({"l_2..last", "1"}), (Names{"l_2", "last", "l_1"}));
  const Table table = read_text("a.csv", "l_1,x,l_2\n0,2.5,1\n1,3.5,0\n", {"l_2", "l_1"});
  EXPECT_EQ(table.columns, (Names{"x"}));
  EXPECT_EQ(table.multi_labels.values, (Flags{1, 0, 0, 1}));
}

TEST(MultiLabelColumns, MayBeWrittenInThreeWays) {
  const Table table =
      read_text("a.csv", "a,b,c,d\n1,-1,TRUE,1.0\n0,1,False,0\n+1,-1.0,true,0\n", {"*"});
  EXPECT_EQ(table.multi_labels.values, (Flags{1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0}));
  EXPECT_TRUE(table.columns.empty());
}

TEST(MultiLabelColumns, RefuseWhatIsNeitherYesNorNo) {
  const std::string unclear =
      " is not a label indicator; write 1 if the sample has the label, otherwise 0, and remove "
      "samples with unknown labels";
  EXPECT_EQ(refusal("a.csv", "a,x\n1,0\n2,0\n", {"a"}), "a.csv:3: column 'a': '2'" + unclear);
  EXPECT_EQ(refusal("a.csv", "a,x\n,0\n", {"a"}), "a.csv:2: column 'a': ''" + unclear);
  EXPECT_EQ(refusal("a.csv", "a,x\nmaybe,0\n", {"a"}), "a.csv:2: column 'a': 'maybe'" + unclear);
  EXPECT_EQ(refusal("a.csv", "a\n1\n0\n-1\n", {"a"}),
            "a.csv:4: column 'a': '-1' in a column that also has 0; write the labels as 0 and 1 or "
            "as -1 and 1, and remove samples with unknown labels");
}

TEST(MultiLabelColumns, RefuseSelectionsThatSelectNothing) {
  const char* const text = "mood_a,x\n1,0\n";
  EXPECT_EQ(refusal("a.csv", text, {"mood_b"}),
            "--labels: a.csv has no column 'mood_b', did you mean 'mood_a'?");
  EXPECT_EQ(refusal("a.csv", text, {"m_*"}), "--labels: no column of a.csv matches 'm_*'");
  EXPECT_EQ(refusal("a.csv", text, {"2-5"}), "--labels: position 2-5 is outside of 1-2");
  ReadOptions both = labels_in({"mood_a"});
  both.label_column = "x";
  const TemporaryFolder folder;
  const std::string file = folder.write("a.csv", text);
  EXPECT_EQ(error_of([&] { static_cast<void>(read_table({file}, both)); }),
            "--label names one column of classes and --labels many: give one of them");
}

TEST(MultiLabelColumns, OfSeveralFilesAreJoined) {
  const TemporaryFolder folder;
  const std::string x = folder.write("x.csv", "id,x,a\ns1,1,0\ns2,2,1\ns3,3,1\n");
  const std::string y = folder.write("y.arff",
                                     "@relation y\n@attribute id string\n@attribute a {0,1}\n"
                                     "@attribute b {0,1}\n@data\ns3,0,1\ns1,1,0\n");
  ReadOptions options = labels_in({"b", "x.a", "y.a"});
  options.id_column = "id";
  const Table table = read_table({x, y}, options);
  EXPECT_EQ(table.ids, (Names{"s1", "s3"}));
  EXPECT_EQ(table.columns, (Names{"x"}));
  EXPECT_EQ(table.multi_labels.names, (Names{"b", "x.a", "y.a"}));
  EXPECT_EQ(table.multi_labels.values, (Flags{0, 0, 1, 1, 1, 0}));
}

TEST(MultiLabelColumns, GoBeforeTheLabelsOfLibsvmFiles) {
  const TemporaryFolder folder;
  const std::string x = folder.write("x.libsvm", "3 1:5\n4 1:6\n");
  const std::string y = folder.write("y.csv", "a,b\n1,0\n0,1\n");
  const Table table = read_table({x, y}, labels_in({"a", "b"}));
  EXPECT_EQ(table.columns, (Names{"x.1"}));
  EXPECT_EQ(table.multi_labels.values, (Flags{1, 0, 0, 1}));
  EXPECT_TRUE(table.labels.empty());
}

TEST(MultiLabelLists, AreSetsOfLabelsInNumericOrder) {
  const Table table = read_text("a.libsvm", "10,2 1:1\n1:2\n+2.0 1:3\n", {"*"});
  EXPECT_EQ(table.multi_labels.names, (Names{"2", "10"}));
  EXPECT_EQ(table.multi_labels.values, (Flags{1, 1, 0, 0, 1, 0}));
  const Table words = read_text("a.libsvm", "jazz,rock 1:1\npop,jazz 1:2\n", {"*"});
  EXPECT_EQ(words.multi_labels.names, (Names{"jazz", "pop", "rock"}));
}

TEST(MultiLabelLists, MayBeSelectedAlsoWhereALabelDoesNotOccur) {
  const std::string text = "0,2 1:1\n2 1:2\n";
  const Table range = read_text("a.libsvm", text, {"0-3"});
  EXPECT_EQ(range.multi_labels.names, (Names{"0", "1", "2", "3"}));
  EXPECT_EQ(range.multi_labels.values, (Flags{1, 0, 1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(read_text("a.libsvm", text, {"2", "7"}).multi_labels.values, (Flags{1, 0, 1, 0}));
}

TEST(MultiLabelLists, OfSeveralFilesMustAgreeOrBeAbsent) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.libsvm", "0,1 1:5\n1 1:6\n");
  const std::string same = folder.write("b.libsvm", "1,0 1:5\n1 1:6\n");
  const std::string none = folder.write("c.libsvm", "1:5\n1:6\n");
  const std::string other = folder.write("d.libsvm", "0,1 1:5\n1:6\n");
  const Table table = read_table({a, same, none}, labels_in({"*"}));
  EXPECT_EQ(table.multi_labels.values, (Flags{1, 1, 0, 1}));
  EXPECT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(
      folder.strip(error_of([&] {
        static_cast<void>(read_table({a, other}, labels_in({"*"})));
      })),
      "d.libsvm:2: label '' differs from '1' of the same sample on line 2 of a.libsvm; correct "
      "one of them");
}

TEST(MultiLabelLists, RefuseWithPlaceAndRule) {
  EXPECT_EQ(refusal("a.libsvm", "1,2 1:5\n1,,2 1:5\n", {"*"}),
            "a.libsvm:2: '1,,2' lacks a label between commas; a sample without labels begins with "
            "its values");
  EXPECT_EQ(refusal("a.libsvm", "1,2,1.0 1:5\n", {"*"}),
            "a.libsvm:1: label '1' occurs twice in '1,2,1.0'; write it once");
  EXPECT_EQ(refusal("a.libsvm", "1:5\n", {"*"}), "a.libsvm: no sample has a label");
  EXPECT_EQ(refusal("a.libsvm", "rock 1:5\n", {"rok"}),
            "--labels: a.libsvm: no sample has the label 'rok', did you mean 'rock'?");
  EXPECT_EQ(refusal("a.libsvm", "rock 1:5\n", {"p*"}), "--labels: a.libsvm: no label matches 'p*'");
  EXPECT_NE(refusal("a.libsvm", "1 1:5\n", {"0-9000000000000000000"})
                .find("more than the memory budget of"),
            std::string::npos);
}

TEST(MultiLabelLists, AreNotInNpyFiles) {
  const TemporaryFolder folder;
  write_npy(folder.path("a.npy"), {2, 1}, Vector{1, 2});
  EXPECT_EQ(folder.strip(error_of(
                [&] { static_cast<void>(read_table({folder.path("a.npy")}, labels_in({"*"}))); })),
            "a.npy: no sample has a label");
}

TEST(LabelNames, RefuseWhatIsNoListOfLabels) {
  const TemporaryFolder folder;
  const auto message = [&](std::string_view text) {
    const std::string file = folder.write("a.xml", text);
    return folder.strip(error_of([&] { static_cast<void>(read_label_names(file)); }));
  };
  EXPECT_EQ(message("<labels>\n<label name=\"a\">\n</labels>"),
            "a.xml:3: is not XML: Start-end tags mismatch");
  EXPECT_EQ(
      message("<other/>"),
      "a.xml: is not a list of labels; MULAN's form is <labels><label name=\"...\"/></labels>");
  EXPECT_EQ(message("<labels/>"), "a.xml: names no label");
  EXPECT_EQ(message("<labels><label name='a'/><label/></labels>"),
            "a.xml: label 2 has no name; write <label name=\"...\"/>");
  EXPECT_EQ(message("<labels><label name='a'><label name='a'/></label></labels>"),
            "a.xml: label 'a' occurs twice");
  EXPECT_EQ(
      folder.strip(error_of([&] { static_cast<void>(read_label_names(folder.path("none.xml"))); })),
      "none.xml: no such file");
}

}  // namespace
}  // namespace kernmix
