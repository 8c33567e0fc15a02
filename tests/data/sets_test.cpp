#include "kernmix/sets.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "data/temporary_file.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

/// The names in sets as "SET: NAME NAME".
Names texts_of(const std::vector<View>& sets) {
  Names texts;
  for (const View& set : sets) {
    texts.push_back(set.name + ":");
    for (const std::string& name : set.columns) texts.back() += " " + name;
  }
  return texts;
}

Table table_with(const Names& columns, std::vector<FilePart> parts = {}) {
  Table table;
  table.source = "data.csv";
  table.columns = columns;
  table.values = Matrix(1, length(columns));
  table.parts = std::move(parts);
  return table;
}

ColumnSets sets_of(std::vector<View> sets, const std::string& part = "") {
  return {"a.gmt", part, std::move(sets), {}};
}

/// Two genes in both of two files, and one in each alone.
Table two_files() {
  return table_with({"rna.TP53", "rna.MYC", "KRAS", "meth.TP53", "meth.MYC", "EGFR"},
                    {{"rna", 0, 3}, {"meth", 3, 3}});
}

TEST(Gmt, OfSeveralFilesHasDifferentSets) {
  const TemporaryFolder folder;
  const Table table = table_with({"x", "y"});
  const std::string first = folder.write("a.gmt", "A\t\tx\n");
  const std::string second = folder.write("b.gmt", "B\t\tx\nA\t\ty\n");
  const auto refusal = [&](const Names& files) -> std::string {
    std::vector<ColumnSets> sets;
    for (const std::string& file : files) sets.push_back(read_sets(file));
    try {
      (void)resolve_views({}, sets, table);
    } catch (const DataError& failure) {
      return failure.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({first, second}),
            second + ":2: the set 'A' is in " + first + ":1, too; names of sets must differ");
  EXPECT_EQ(refusal({second}), "");
}

TEST(Gmt, ReadsAllNotationsAlike) {
  const TemporaryFolder folder;
  const Names expected = {"A b: x y z", "B: y"};
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    for (const std::string mark : {"", "\xef\xbb\xbf"}) {
      for (const std::string tail : {"", "\t", "\t\t\t", " "}) {
        for (const std::string& last : {std::string(), end, end + end, "\t" + end}) {
          const std::string text =
              mark + "A b\thttp://a\tx\ty\t\t z" + tail + end + end + "B\t\ty" + tail + last;
          const ColumnSets sets = read_sets(folder.write("a.gmt", text));
          EXPECT_EQ(texts_of(sets.sets), expected) << text;
          EXPECT_EQ(sets.lines, (std::vector<Index>{1, 3})) << text;
        }
      }
    }
  }
}

TEST(Gmt, ReadsUtf16AndTheNameOfAFile) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.gmt", std::string("\xff\xfe"
                                                             "A\0\t\0\t\0\xe4\0\n\0",
                                                             12));
  const ColumnSets sets = read_sets("rna=" + file);
  EXPECT_EQ(sets.part, "rna");
  EXPECT_EQ(texts_of(sets.sets), Names{"A: \xc3\xa4"});
}

TEST(Gmt, RefusesByLine) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"", "a.gmt: is empty"},
      {"\n\r\n", "a.gmt: has no set, all of its lines are empty"},
      {"A\td\tx\nB x y\n",
       "a.gmt:2: 'B x y' has no tab; a line of a GMT file is NAME, DESCRIPTION and the members of "
       "the set, separated by tabs"},
      {"A\td\tx\n\nB\td\n", "a.gmt:3: the set 'B' has no members after its name and description"},
      {"A\td\t\t \t\n", "a.gmt:1: the set 'A' has no members after its name and description"},
      {"\td\tx\n", "a.gmt:1: the set has no name before its first tab"},
      {"A\td\tx\nB\td\tx\nA\td\ty\n",
       "a.gmt:3: the set 'A' is on line 1, too; names of sets must differ"},
      {std::string("A\td\tx\0y\n", 8),
       "a.gmt: is a binary file of unknown kind; kernmix reads CSV, TSV, LIBSVM, ARFF, NPY, NPZ, "
       "HDF5 and MATLAB files"}};
  for (const auto& [text, expected] : refusals) {
    const std::string file = folder.write("a.gmt", text);
    EXPECT_EQ(folder.strip(error_of([&] { static_cast<void>(read_sets(file)); })), expected);
  }
}

TEST(Gmt, StaysWithinItsLimits) {
  const TemporaryFolder folder;
  std::string text = "A\td";
  for (int i = 0; i < 10000; ++i) text += "\tx";
  const std::string file = folder.write("a.gmt", text);
  Context context;
  context.memory_bytes = 50000;  // of text, not of names
  EXPECT_THROW(static_cast<void>(read_sets(file, context)), ResourceError);
  context.memory_bytes = 0;
  const std::atomic<bool> asked_to_stop = true;
  context.cancelled = &asked_to_stop;
  EXPECT_THROW(static_cast<void>(read_sets(file, context)), ResourceError);
}

TEST(Sets, MakeViewsThatMayOverlap) {
  const SetViews found = views_of_sets(sets_of({{"A", {"c", "a", "c"}}, {"B b", {"a", "q"}}}),
                                       table_with({"a", "b", "c"}));
  EXPECT_EQ(texts_of(found.views), (Names{"A: c a", "B b: a"}));
  ASSERT_EQ(found.sizes.size(), 2U);
  EXPECT_EQ(found.sizes[0].named, 2);
  EXPECT_EQ(found.sizes[1].named, 2);
  EXPECT_EQ(found.sizes[1].matched, 1);
  EXPECT_EQ(found.unused, 1);
  EXPECT_EQ(found.warnings, Names());
}

TEST(Sets, WarnOnceOfThoseLeftOut) {
  std::vector<View> sets = {{"A", {"a", "b", "c", "d", "e", "f", "g"}}};
  for (int k = 1; k <= 7; ++k) sets.push_back({"S" + std::to_string(k), {"q" + std::to_string(k)}});
  const SetViews found =
      views_of_sets(sets_of(sets), table_with({"a", "b", "c", "d", "e", "f", "g"}));
  EXPECT_EQ(found.warnings,
            Names{"a.gmt: 7 of 8 sets are left out because no name in them is a column: 'S1', "
                  "'S2', 'S3', 'S4', 'S5' and 2 more"});
  EXPECT_EQ(found.views.size(), 1U);
  EXPECT_EQ(found.sizes.size(), 8U);
}

TEST(Sets, WarnOfNamesThatDoNotMatch) {
  const auto warning = [](const Names& set) {
    const Names all =
        views_of_sets(sets_of({{"A", set}}), table_with({"a", "ENSG1", "Tp53"})).warnings;
    return all.empty() ? "" : all.front();
  };
  EXPECT_EQ(warning({"a", "MYC"}), "") << "half of them";
  EXPECT_EQ(warning({"a", "MYC", "KRAS"}),
            "a.gmt: 1 of the 3 names in its sets is a column of data.csv: 'MYC' of the set 'A' is "
            "no column; the table has 'ENSG1'");
  EXPECT_EQ(warning({"a", "ENSG1", "TP53"}),
            "a.gmt: 1 of the 3 names in its sets differs from a column only in upper and lower "
            "case: 'TP53' of the set 'A' is no column, did you mean 'Tp53'?");
  EXPECT_EQ(
      warning({"a", "MYC", "A", "TP53"}),
      "a.gmt: 1 of the 4 names in its sets is a column of data.csv, and 2 differ from a column "
      "only in upper and lower case: 'A' of the set 'A' is no column, did you mean 'a'?");
}

TEST(Sets, RefuseWhatMakesNoView) {
  const auto refusal = [](const ColumnSets& sets, const Table& table) {
    return error_of([&] { static_cast<void>(views_of_sets(sets, table)); });
  };
  const Table table_of_x = table_with({"x"});
  ColumnSets sets = sets_of({{"A", {"TP53"}}, {"B", {"MYC"}}});
  EXPECT_EQ(refusal(sets, table_with({"ENSG1"})),
            "a.gmt: no name in 2 sets is a column of data.csv: 'TP53' of the set 'A' is no column; "
            "the table has 'ENSG1'");
  sets.lines = {4, 7};
  EXPECT_EQ(
      refusal(sets, table_with({"myc"})),
      "a.gmt:4: no name in 2 sets is a column of data.csv: 'MYC' of the set 'B' is no column, "
      "did you mean 'myc'?");
  sets.sets[1].name = "all";
  EXPECT_EQ(refusal(sets, table_with({"TP53"})),
            "a.gmt:7: the name 'all' is a word of the kernel language; rename the set");
  EXPECT_EQ(refusal(sets_of({}), table_of_x), "a.gmt: has no set");
  EXPECT_EQ(refusal(sets_of({{"A", {"x"}}, {"B", {}}}), table_of_x),
            "a.gmt: the set 'B' has no members");
  EXPECT_EQ(refusal(sets_of({{"", {"x"}}}), table_of_x), "a.gmt: a set has no name");
  EXPECT_EQ(refusal(sets_of({{"A", {"x"}}}, "rna"), table_with({"x"}, {{"rma", 0, 1}})),
            "rna=a.gmt: no data file has the name 'rna', did you mean 'rma'?; the names are rma");
}

TEST(Sets, NameColumnsOfSeveralFiles) {
  const Table table = two_files();
  EXPECT_EQ(texts_of(views_of_sets(sets_of({{"A", {"KRAS", "EGFR", "rna.MYC"}}}), table).views),
            Names{"A: KRAS EGFR rna.MYC"});
  EXPECT_EQ(error_of([&] {
              static_cast<void>(views_of_sets(sets_of({{"A", {"KRAS", "TP53"}}}), table));
            }),
            "a.gmt: 'TP53' of the set 'A' is a column of several files, 'rna.TP53', 'meth.TP53'; "
            "name the file of the sets, as in --sets NAME=FILE.gmt");
  const View genes{"A", {"TP53", "EGFR"}};
  EXPECT_EQ(texts_of(views_of_sets(sets_of({genes}, "rna"), table).views),
            Names{"rna.A: rna.TP53"});
  EXPECT_EQ(texts_of(views_of_sets(sets_of({genes}, "meth"), table).views),
            Names{"meth.A: meth.TP53 EGFR"});
}

TEST(Sets, StandBesideOtherViews) {
  const Table table = two_files();
  const ColumnSets every = sets_of({{"A", {"KRAS", "EGFR"}}});
  const ColumnSets of_rna = sets_of({{"A", {"TP53"}}}, "rna");
  EXPECT_EQ(texts_of(resolve_views({}, {every}, table).views), Names{"A: KRAS EGFR"});
  EXPECT_EQ(texts_of(resolve_views({}, {of_rna}, table).views),
            (Names{"meth: meth.TP53 meth.MYC EGFR", "rna.A: rna.TP53"}));
  EXPECT_EQ(texts_of(resolve_views({}, {every, of_rna}, table).views),
            (Names{"A: KRAS EGFR", "rna.A: rna.TP53"}));
  const SetViews both = resolve_views({"v=KRAS"}, {of_rna}, table);
  EXPECT_EQ(texts_of(both.views), (Names{"v: KRAS", "rna.A: rna.TP53"}));
  EXPECT_EQ(both.unused, 4);
  EXPECT_EQ(texts_of(resolve_views({}, {}, table).views), texts_of(resolve_views({}, table)));
  EXPECT_EQ(error_of([&] { static_cast<void>(resolve_views({"A=KRAS"}, {every}, table)); }),
            "two views have the name 'A'; names must differ");
}

}  // namespace
}  // namespace kernmix
