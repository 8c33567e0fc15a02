/// \file
/// Tables with lines above the header, marks in numbers and rare encodings: each is read, or
/// refused with the place and a remedy.

#include <gtest/gtest.h>

#include <cmath>

#include "data/csv/notation.hpp"
#include "data/csv/problems.hpp"
#include "data/number.hpp"
#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* plain = "a,b,y\n1,2,u\n3,4,v\n";

/// ASCII with bytes of zero before or behind each character.
std::string wide(const std::string& text, const std::string& before, const std::string& behind) {
  std::string bytes;
  for (const char c : text) bytes += before + c + behind;
  return bytes;
}

Table read(const std::string& text, const std::string& name = "t.csv", ReadOptions options = {}) {
  const TemporaryFolder folder;
  if (name.ends_with(".csv")) options.label_column = "y";
  return read_table({folder.write(name, text)}, options);
}

std::string refusal(const std::string& text, const std::string& name = "t.csv") {
  const TemporaryFolder folder;
  ReadOptions options;
  if (name.ends_with(".csv")) options.label_column = "y";
  const std::string path = folder.write(name, text);
  return folder.strip(error_of([&] { static_cast<void>(read_table({path}, options)); }));
}

TEST(OddTables, SayTheSame) {
  const std::string zero(1, '\0');
  for (const std::string& text :
       Lines{wide(plain, "", zero), wide(plain, zero, ""), std::string(plain) + '\x1a',
             "a|b|y\n1|2|u\n3|4|v\n", "# a file, of ours\n#\na,b,y\n1,2,u\n3,4,v\n",
             "# one\r\na;b;y\r\n1;2;u\r\n3;4;v\r\n"}) {
    const Table table = read(text);
    EXPECT_EQ(table.columns, (Lines{"a", "b"})) << text;
    EXPECT_EQ(table.values.values, (Vector{1, 2, 3, 4})) << text;
    EXPECT_EQ(table.labels, (Lines{"u", "v"})) << text;
  }
}

TEST(OddTables, CommentsAreSaidAndHeadersAreNoComments) {
  EXPECT_EQ(read("#1\n#2\na,b,y\n1,2,u\n3,4,v\n").notes.size(), 1);
  const Table numbered = read("#,b,y\n1,2,u\n3,4,v\n");
  EXPECT_EQ(numbered.columns, (Lines{"#", "b"}));
  EXPECT_EQ(read("##x=1\n#CHROM,b,y\n1,2,u\n3,4,v\n").columns, (Lines{"#CHROM", "b"}));
}

TEST(OddTables, ANameBelowTheHeaderIsShown) {
  for (const std::string& text :
       Lines{"Report\n\na,b,y\n1,2,u\n3,4,v\n", "Report;;\n;;\na;b;y\n1;2;u\n"}) {
    EXPECT_NE(refusal(text).find("; line 3 has this name: remove the lines above it"),
              std::string::npos)
        << refusal(text);
  }
  EXPECT_NE(refusal("'a','y'\n1,'u'\n2,'v'\n").find("names in single quotes"), std::string::npos);
  EXPECT_EQ(refusal("a,b\n1,2\n").find("line"), std::string::npos);
}

/// Concatenated files, as of `cat`, `copy` and `Get-Content`.
TEST(OddTables, RepeatedHeadersAreNamed) {
  const std::string mark = "\xef\xbb\xbf";
  struct Case {
    std::string text;
    std::string name;
    std::string said;
  };
  const std::string at4 = "t.csv:4: the line repeats the header; remove it";
  for (const Case& one : {
           Case{"a,b,y\n1,2,u\n3,4,v\na,b,y\n5,6,u\n", "t.csv", at4},
           Case{mark + "a,b,y\n1,2,u\n3,4,v\n" + mark + "a,b,y\n5,6,u\n", "t.csv", at4},
           Case{"a,b,y\r\n1,2,u\r\n3,4,v\r\na,b,y\r\n5,6,u\r\n", "t.csv", at4},
           Case{"\"a\",\"b\",\"y\"\n1,2,u\n3,4,v\na, b ,y\n5,6,u\n", "t.csv", at4},
           Case{"a;b;y\n1,5;2;u\n3,5;4;v\na;b;y\n5;6;u\n", "t.csv", at4},
           Case{"a,b,y\n1,2,u\n3,4,v\na,b,y\n", "t.csv", at4},
           Case{",a,b,y\np,1,2,u\nq,3,4,v\n,a,b,y\nr,5,6,u\n", "t.csv", at4},
           Case{"a b y\np 1 2 u\nq 3 4 v\na b y\nr 5 6 u\n", "t.csv", at4},
           Case{"a\ty\n1\tu\n3\tv\na\ty\n5\tu\n", "t.csv", at4},
           Case{"a,a,y\n1,2,u\n3,4,v\na,a,y\n5,6,u\n", "t.csv", at4},
           Case{"y\nu\nv\ny\nu\n", "t.csv", at4},
           Case{"a,b,y\na,b,y\n1,2,u\n3,4,v\n", "t.csv",
                "t.csv:2: the line repeats the header; remove it"},
           Case{"a,b,y\n1,2,u\na,b,y\n3,4,v\na,b,y\n5,6,u\n", "t.csv",
                "t.csv:3: the line repeats the header (2 lines); remove it and the others"},
           Case{"a\tb\n1\t2\n3\t4\na\tb\n5\t6\n", "t.tsv",
                "t.tsv:4: the line repeats the header; remove it"},
       }) {
    EXPECT_EQ(refusal(one.text, one.name), one.said) << one.text;
  }
}

TEST(OddTables, RepeatedHeadersAreNamedWithWords) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "a,b,y\n1,x,u\n3,z,v\na,b,y\n5,x,u\n");
  ReadOptions options;
  options.label_column = "y";
  options.categorical = {"auto"};
  EXPECT_EQ(folder.strip(error_of([&] { static_cast<void>(read_table({path}, options)); })),
            "t.csv:4: the line repeats the header; remove it");
}

TEST(OddTables, SamplesThatResembleTheHeaderAreRead) {
  const Table numbers = read("0\t1\t2\n5\t6\t7\n0\t1\t2\n3\t4\t5\n", "t.tsv");
  EXPECT_EQ(numbers.samples(), 3);
  ASSERT_EQ(numbers.notes.size(), 1);
  EXPECT_NE(numbers.notes.front().find(":3: has the same numbers as the header"),
            std::string::npos);
  EXPECT_EQ(read("a,y\n1,a\n2,y\n").labels, (Lines{"a", "y"}));
}

TEST(OddTables, Utf32IsNamed) {
  const std::string zeros(3, '\0');
  const std::string text = std::string("\xff\xfe\0\0", 4) + wide(plain, "", zeros);
  EXPECT_NE(refusal(text).find("is UTF-32 text; save it as UTF-8"), std::string::npos);
}

TEST(OddTables, MinusAndApostropheOfTypesetters) {
  EXPECT_EQ(parse_number("\xe2\x88\x92"
                         "2.5"),
            -2.5);
  EXPECT_EQ(parse_number("\xe2\x88\x92"
                         "1.234,5",
                         {',', '.'}),
            -1234.5);
  EXPECT_EQ(parse_number("\xe2\x88\x92-2"), std::nullopt);
  EXPECT_EQ(parse_number("-\xe2\x88\x92"
                         "2"),
            std::nullopt);
  EXPECT_EQ(parse_number("1\xe2\x80\x99"
                         "234'567.5",
                         {'.', '\''}),
            1234567.5);
}

TEST(OddTables, MarksOfNumbersAreFoundAndWordsHaveNone) {
  const std::vector<std::pair<std::string, Mark>> cases = {
      {"$2.50", Mark::currency},
      {"-$1,234.50", Mark::currency},
      {"1.234,50 \xe2\x82\xac", Mark::currency},
      {"CHF 12", Mark::currency},
      {"5 kg", Mark::unit},
      {"1.5e3 m/s", Mark::unit},
      {"(12)", Mark::parentheses},
      {"1.5D+02", Mark::exponent},
      {"3 blind mice", Mark::none},
      {"()", Mark::none},
      {"$", Mark::none},
      {"d", Mark::none},
      {"1d", Mark::none},
      {"kg", Mark::none},
      {"EUR", Mark::none},
      {"2nd", Mark::none}};
  for (const auto& [text, mark] : cases) {
    EXPECT_EQ(find_mark(text).kind, mark) << text;
    EXPECT_EQ(fault_of(text, Notations(text)) == Fault::marked, mark != Mark::none) << text;
  }
  const std::string message = refusal("a,y\n$2.50,u\n$3,v\n");
  EXPECT_NE(message.find("'$2.50' is an amount of money (2 cells); leave the column out with "
                         "--ignore a, or turn it into plain numbers: recipe 'units'"),
            std::string::npos)
      << message;
}

/// Of every day of a year: whatever cell comes first, a number above 12 decides the order.
TEST(OddTables, TheOrderOfADateIsToldFromAllCells) {
  for (int day = 1; day <= 28; ++day) {
    for (int month = 1; month <= 12; ++month) {
      for (const bool day_first : {true, false}) {
        const int first = day_first ? day : month;
        const int second = day_first ? month : day;
        const std::string said = refusal("a,y\n02/03/2004,u\n" + std::to_string(first) + "/" +
                                         std::to_string(second) + "/2004,v\n01/02/2004,u\n");
        const char* const wanted = day <= 12   ? "the order of day and month is not certain"
                                   : day_first ? "is a date with the day first"
                                               : "is a date with the month first";
        EXPECT_NE(said.find(wanted), std::string::npos) << said;
      }
    }
  }
}

TEST(OddTables, TimesWithPointsAreNoDates) {
  EXPECT_NE(refusal("a,y\n18.00.00,u\n19.30.15,v\n").find("'18.00.00' is a time"),
            std::string::npos);
  EXPECT_NE(refusal("a,y\n10.11.12,u\n18.00.00,v\n").find("'10.11.12' is a time"),
            std::string::npos);
  EXPECT_NE(refusal("a,y\n10.11.12,u\n11.12.13,v\n").find("is a date or a time"),
            std::string::npos);
  EXPECT_NE(refusal("a,y\n18.01.2004,u\n19.02.2004,v\n").find("is a date"), std::string::npos);
}

TEST(OddTables, OneWordAmongNumbersMayBeMissing) {
  EXPECT_NE(refusal("a,y\n1,u\nx y,v\n3,u\n")
                .find("correct the cell, read it as a missing value (--na 'x y' --missing mean)"),
            std::string::npos);
}

TEST(OddTables, LibsvmIndicesInAnyOrder) {
  const Table table = read("1 3:3 1:1\n2 2:5\n", "t.svm");
  EXPECT_EQ(table.numbers().row(0)[2], 3.0);
  EXPECT_EQ(table.numbers().row(0)[0], 1.0);
  EXPECT_EQ(table.numbers().row(1)[1], 5.0);
}

TEST(OddTables, LibsvmMayLackValues) {
  ReadOptions options;
  options.keep_missing = true;
  options.na = {"-9"};
  const Table table = read("1 1:nan 2:1\n2 1:3 2:-9\n", "t.svm", options);
  EXPECT_TRUE(std::isnan(table.numbers().row(0)[0]));
  EXPECT_TRUE(std::isnan(table.numbers().row(1)[1]));
  EXPECT_EQ(table.numbers().row(1)[0], 3.0);
}

TEST(OddTables, SomeSamplesOfAPrecomputedKernelAreNoTable) {
  for (const std::string& text :
       Lines{"1 0:1 1:1 2:.5\n2 0:2 1:.5 2:1\n", "1 0:3 1:.1 2:.2 3:1\n2 0:1 1:1 2:.2 3:.1\n"}) {
    EXPECT_NE(refusal(text, "t.svm").find("precomputed kernel"), std::string::npos) << text;
  }
  EXPECT_EQ(read("1 0:1 1:1 2:5\n2 0:1 1:5 2:1\n", "t.svm").columns, (Lines{"0", "1", "2"}));
  EXPECT_EQ(read("1 0:7 1:1 2:5\n2 0:1 1:5 2:1\n", "t.svm").columns, (Lines{"0", "1", "2"}));
}

TEST(OddTables, RepeatedNumbersOfAPrecomputedKernelAreNoFeatures) {
  const std::string first = "1 0:1 1:1 2:.5 3:.2\n";
  const std::string second = "2 0:2 1:.5 2:1 3:.1\n";
  const std::string third = "2 0:3 1:.2 2:.1 3:1\n";
  const std::string ordered = first + second + third;
  for (const std::string& text : {
           ordered + second,        // a sample twice
           first + first + second,  // and others not at all
           third + first + third,   // in another order
           ordered + ordered,       // files that were concatenated
           std::string("1 0:1 1:5 2:7\n2 0:2 1:4 2:3\n1 0:1 1:6 2:8\n2 0:2 1:9 2:9\n"),
           std::string("1 0:1 1:1 2:.5\n2 0:2 1:.5 2:1\n3 0:3 1:.5 2:.5\n"),  // of new samples
           std::string("0:0 1:1 2:.5\n0:0 1:.5 2:1\n"),
       }) {
    const std::string said = refusal(text, "t.svm");
    EXPECT_NE(said.find("precomputed kernel"), std::string::npos) << text;
    EXPECT_NE(said.find("recipe 'libsvm'"), std::string::npos) << text << said;
  }
  EXPECT_NE(refusal(ordered, "t.svm").find("give it with --gram t.svm; recipe 'libsvm'"),
            std::string::npos);
  for (const std::string& text : {
           std::string("1 0:1 1:1 2:5\n2 0:1 1:1 2:5\n"),  // a feature that is constant
           std::string("1 0:2 1:1 2:5\n2 0:1 1:2 2:5\n1 0:2 1:7 2:5\n"),  // two different samples
           std::string("1 0:1 1:1 2:5 3:1\n2 0:2 1:2 2:5 3:2\n1 0:1 1:7 2:5 3:3\n"),
           std::string("1 0:1.5 1:1 2:.5\n2 0:2 1:.5 2:1\n"),
           std::string("1 0:1 1:1\n2 0:2 2:1\n"),
       }) {
    EXPECT_EQ(read(text, "t.svm").columns.front(), "0") << text;
  }
}

/// The texts and tables of several files share the budget.
TEST(OddTables, SeveralFilesShareTheMemory) {
  const TemporaryFolder folder;
  std::string text = "a,y\n";
  for (int i = 0; i < 20000; ++i) text += "1.25,u\n";
  Lines files;
  for (const char* name : {"p.csv", "q.csv", "r.csv", "s.csv"})
    files.push_back(folder.write(name, text));
  ReadOptions options;
  options.label_column = "y";
  options.context.memory_bytes = std::size_t{4} << 20;
  EXPECT_NO_THROW(static_cast<void>(read_table({files[0]}, options)));
  EXPECT_THROW(static_cast<void>(read_table(files, options)), ResourceError);
  options.context.memory_bytes = std::size_t{64} << 20;
  EXPECT_EQ(read_table(files, options).samples(), 20000);
}

}  // namespace
}  // namespace kernmix
