#include <gtest/gtest.h>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

class Join : public ::testing::Test {
 protected:
  Join() {
    by_id_.id_column = "id";
    by_id_.label_column = "y";
  }
  [[nodiscard]] std::string message(const Names& files, const ReadOptions& options) const {
    return folder_.strip(error_of([&] { static_cast<void>(read_table(files, options)); }));
  }

  TemporaryFolder folder_;
  ReadOptions by_id_;
};

TEST_F(Join, MatchesIdsInTheOrderOfTheFirstFile) {
  const std::string a = folder_.write("a.csv", "id,x,y,u\ns3,3,no,30\ns1,1,yes,10\ns9,9,no,90\n");
  const std::string b = folder_.write("b.csv", "x,id\n-1,s1\n-2,s2\n-3,s3\n");
  const Table table = read_table({a, b}, by_id_);
  EXPECT_EQ(table.columns, (Names{"a.x", "u", "b.x"}));
  EXPECT_EQ(table.ids, (Names{"s3", "s1"}));
  EXPECT_EQ(table.labels, (Names{"no", "yes"}));
  EXPECT_EQ(table.values.values, (Vector{3, 30, -3, 1, 10, -1}));
  EXPECT_EQ(table.unmatched, 2) << "s9 and s2";
  EXPECT_EQ(folder_.strip(table.unmatched_example), "'s9', which b.csv lacks");
}

TEST_F(Join, SaysThatMostIdsDoNotMatch) {
  const std::string a = folder_.write("a.csv", "id,x,y\ns1,1,no\ns2,2,yes\ns3,3,no\n");
  const std::string b = folder_.write("b.csv", "id,z\nS1,1\ns2,2\nS3,3\nS4,4\n");
  const Table table = read_table({a, b}, by_id_);
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_EQ(folder_.strip(table.notes.front()),
            "only 1 sample id is in all files, which have 3 or more; a.csv has 's1', which b.csv "
            "lacks; b.csv has 'S1', which a.csv lacks; the sample ids 's1' of a.csv and 'S1' of "
            "b.csv differ only in case or blanks and are different samples; write them alike if "
            "they are one sample");
  const std::string more = folder_.write("c.csv", "id,z\ns1,1\ns2,2\nt3,3\nt4,4\nt5,5\nt6,6\n");
  EXPECT_TRUE(read_table({a, more}, by_id_).notes.empty());
}

TEST_F(Join, StandsFilesWithoutIdsSideBySide) {
  const std::string a = folder_.write("a.csv", "x\n1\n2\n");
  const std::string b = folder_.write("b.tsv", "z\tw\n3\t4\n5\t6\n");
  const Table table = read_table({a, b}, {});
  EXPECT_EQ(table.columns, (Names{"x", "z", "w"}));
  EXPECT_EQ(table.values.values, (Vector{1, 3, 4, 2, 5, 6}));
  EXPECT_EQ(resolve_views({}, table)[1].columns, (Names{"z", "w"}));
}

TEST_F(Join, PrefixesDoNotDependOnWhatIsRead) {
  const std::string a = folder_.write("a.csv", "x,u\n1,2\n");
  const std::string b = folder_.write("b.csv", "x,v\n3,4\n");
  ReadOptions options;
  options.only = {"b.x", "v"};
  EXPECT_EQ(read_table({a, b}, options).columns, (Names{"b.x", "v"}));
}

TEST_F(Join, FilesMayBeNamed) {
  const std::string a = folder_.write("a.csv", "x\n1\n");
  const std::string b = folder_.write("b.csv", "x\n3\n");
  EXPECT_EQ(read_table({"first=" + a, "second=" + b}, {}).columns, (Names{"first.x", "second.x"}));
}

TEST_F(Join, RefusesWhatDoesNotMatch) {
  const std::string a = folder_.write("a.csv", "id,x,y\ns1,1,no\ns2,2,no\n");
  EXPECT_EQ(message({a, folder_.write("b.csv", "id,z\ns1,1\n\ns1,2\n")}, by_id_),
            "b.csv: sample id 's1' occurs on line 2 and on line 4; ids must differ");
  EXPECT_EQ(
      message({a, folder_.write("b.csv", "id,z\nS1,1\n")}, by_id_),
      "no sample id occurs in all files; a.csv begins with 's1', b.csv with 'S1'; the sample ids "
      "'s1' of a.csv and 'S1' of b.csv differ only in case or blanks and are different samples; "
      "write them alike if they are one sample");
  EXPECT_EQ(message({a, folder_.write("b.csv", "ID,z\ns1,1\n")}, by_id_),
            "b.csv: there is no id column 'id'; the id column needs one name in all files: rename "
            "its column 'ID' to 'id'");
  ReadOptions mistyped = by_id_;
  mistyped.id_column = "idd";
  EXPECT_EQ(message({a, folder_.write("b.csv", "id,z\ns1,1\n")}, mistyped),
            "a.csv: there is no id column 'idd', did you mean 'id'?");
  EXPECT_EQ(message({a, folder_.write("b.csv", "id,z,y\ns2,1,yes\n")}, by_id_),
            "b.csv:2: label 'yes' differs from 'no' of the same sample on line 3 of a.csv; correct "
            "one of them");
  ReadOptions options;
  options.ignore = {"id"};
  options.label_column = "y";
  EXPECT_EQ(
      message({a, folder_.write("b.csv", "id,z\ns1,1\n")}, options),
      "a.csv has 2 samples and b.csv has 1; name a column of sample ids with --id to join them");
  EXPECT_EQ(message({a, a}, by_id_), "a.csv: the file is named twice; name it once");
}

TEST_F(Join, RefusesAnIdThatOccursTwiceInOneFile) {
  const std::string a = folder_.write("a.csv", "id,x,y\ns1,1,no\ns1,2,no\n");
  EXPECT_EQ(message({a}, by_id_),
            "a.csv: sample id 's1' occurs on line 2 and on line 3; ids must differ");
}

TEST_F(Join, RefusesAForgottenIdColumn) {
  const std::string a = folder_.write("a.csv", "patient,x\n1,5\n2,6\n3,7\n4,8\n");
  const std::string other = folder_.write("b.csv", "patient,z\n3,1\n1,2\n4,3\n2,4\n");
  const std::string same = folder_.write("c.csv", "patient,z\n1,1\n2.0,2\n3,3\n4,4\n");
  const std::string few = folder_.write("d.csv", "patient,z\n3,1\n9,2\n4,3\n2,4\n");
  const std::string words = folder_.write("e.csv", "z,patient\n1,s3\n2,s1\n3,s2\n4,s4\n");
  const std::string ordered = folder_.write("f.csv", "patient,w\ns1,1\ns2,2\ns3,3\ns4,4\n");
  const std::string arff =
      folder_.write("g.arff", "@relation r\n@attribute patient numeric\n@data\n4\n3\n2\n1\n");
  for (const std::string& file : {other, few, arff}) {
    const std::string sentence = message({a, file}, {});
    EXPECT_NE(sentence.find("column 'patient' names the samples, whose rows do not correspond in "
                            "the two files: join the files by it with --id patient"),
              std::string::npos)
        << sentence;
  }
  EXPECT_NE(message({a, same}, {}).find("--id patient, or leave it out with --ignore"),
            std::string::npos);
  ReadOptions ignoring;
  ignoring.ignore = {"patient"};
  EXPECT_EQ(read_table({a, same}, ignoring).columns, (Names{"x", "z"}));
  EXPECT_NE(message({a, other}, ignoring).find("--id patient"), std::string::npos);
  EXPECT_NE(message({ordered, words}, ignoring).find("--id patient"), std::string::npos);
  ReadOptions predicting;
  predicting.only = {"w", "z"};
  EXPECT_NE(message({ordered, words}, predicting).find("--id patient"), std::string::npos);
  ReadOptions joined;
  joined.id_column = "patient";
  EXPECT_EQ(read_table({a, other}, joined).values.values, (Vector{5, 2, 6, 4, 7, 1, 8, 3}));
}

TEST_F(Join, RefusesIdsUnderOtherNames) {
  const std::string a = folder_.write("a.csv", "pid,x\n1,0.5\n2,0.5\n3,0.7\n4,0.8\n");
  const std::string b = folder_.write("b.csv", "PID,z\n3,1.5\n1,1.5\n4,0.1\n2,0.2\n");
  const std::string same = folder_.write("c.csv", "row,z\n1,1.5\n2,1.5\n3,0.1\n4,0.2\n");
  const std::string ranks = folder_.write("d.csv", "r,s\n3,4\n1,3\n4,2\n2,1\n");
  EXPECT_NE(message({a, b}, {})
                .find("columns 'pid' and 'PID' have the same whole numbers in "
                      "another order"),
            std::string::npos);
  ReadOptions ignoring;
  ignoring.ignore = {"PID"};
  EXPECT_EQ(read_table({a, b}, ignoring).columns, (Names{"pid", "x", "z"}));
  EXPECT_EQ(read_table({a, same}, {}).columns, (Names{"pid", "x", "row", "z"}));
  EXPECT_EQ(read_table({a, ranks}, {}).columns, (Names{"pid", "x", "r", "s"}));
}

TEST_F(Join, TakesSharedColumnsThatNameNothing) {
  const std::string a = folder_.write("a.csv", "sex,age,x\n0,50,5\n1,51,6\n1,53,7\n0,54,8\n");
  const std::string b = folder_.write("b.csv", "sex,age,z\n0,60,1\n1,61,2\n1,50,3\n0,69,4\n");
  EXPECT_EQ(read_table({a, b}, {}).columns, (Names{"a.sex", "a.age", "x", "b.sex", "b.age", "z"}));
}

}  // namespace
}  // namespace kernmix
