#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

Table read_csv_text(std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  return read_table({folder.write("data.csv", text)}, options);
}

ReadOptions labelled() {
  ReadOptions options;
  options.label_column = "y";
  return options;
}

TEST(Csv, ReadsColumnsLabelsAndIds) {
  ReadOptions options = labelled();
  options.id_column = "id";
  const Table table = read_csv_text("id,a,y,b\ns1,1,no,2.5\ns2,-3e2,yes,+4\n", options);
  EXPECT_EQ(table.columns, (Names{"a", "b"}));
  EXPECT_EQ(table.values.values, (Vector{1, 2.5, -300, 4}));
  EXPECT_EQ(table.labels, (Names{"no", "yes"}));
  EXPECT_EQ(table.ids, (Names{"s1", "s2"}));
  EXPECT_EQ(table.samples(), 2);
}

TEST(Csv, AcceptsEveryLineEndByteOrderMarkAndBlankLines) {
  for (const std::string_view text :
       {"a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4",
        "\xef\xbb\xbf"
        "a,b\n1,2\n3,4",
        "\n\na,b\n\n1,2\n  \n3,4\n\n", " a , b \n 1 , 2 \n\"3\" ,\" 4 \"\n"}) {
    const Table table = read_csv_text(text);
    EXPECT_EQ(table.columns, (Names{"a", "b"})) << text;
    EXPECT_EQ(table.values.values, (Vector{1, 2, 3, 4})) << text;
  }
}

TEST(Csv, FindsTheSeparatorInTheHeader) {
  for (const std::string_view text : {"a,b\n1,2", "a;b\n1;2", "a\tb\n1\t2", "\"a,x\";b\n1;2"}) {
    EXPECT_EQ(read_csv_text(text).values.values, (Vector{1, 2})) << text;
  }
}

TEST(Csv, QuotedFieldsMayHoldSeparatorsQuotesAndLines) {
  const Table table = read_csv_text(
      "\"a,1\",\"b\"\"2\",y\n1,2,\"li\nne\"\n3,\"4\",\"say \"\"no\"\"\"\n", labelled());
  EXPECT_EQ(table.columns, (Names{"a,1", "b\"2"}));
  EXPECT_EQ(table.labels, (Names{"li\nne", "say \"no\""}));
  EXPECT_EQ(table.values.values, (Vector{1, 2, 3, 4}));
}

TEST(Csv, ATableMayHoldLabelsOnly) {
  const Table table = read_csv_text("y\n1\n0\n", labelled());
  EXPECT_EQ(table.samples(), 2);
  EXPECT_EQ(table.values.cols, 0);
  EXPECT_TRUE(resolve_views({}, table).empty());
}

TEST(Csv, LeavesOutIgnoredColumns) {
  ReadOptions options = labelled();
  options.ignore = {"note*"};
  EXPECT_EQ(read_csv_text("a,note1,y,note2\n1,x,u,\n", options).columns, (Names{"a"}));
}

TEST(Csv, LooksAtWantedColumnsOnly) {
  ReadOptions options = labelled();
  options.only = {"b", "missing"};
  options.label_optional = true;
  const Table table = read_csv_text("a,b\ntext,1\n,2\n", options);
  EXPECT_EQ(table.columns, (Names{"b"}));
  EXPECT_EQ(table.values.values, (Vector{1, 2}));
}

TEST(Csv, HeadersThatCountColumnsAreNames) {
  EXPECT_EQ(read_csv_text("0,1,2\n5,6,7\n").columns, (Names{"0", "1", "2"}));
  EXPECT_EQ(read_csv_text("1,2,y\n5,6,u\n", labelled()).columns, (Names{"1", "2"}));
  EXPECT_EQ(read_csv_text("y,400,402.5,405\nu,6,7,8\n", labelled()).columns,
            (Names{"400", "402.5", "405"}));
}

TEST(Csv, NumbersInQuotesOrAboveTextAreNames) {
  EXPECT_EQ(read_csv_text("\"2019\",\"2021\",a\n5,6,7\n").columns, (Names{"2019", "2021", "a"}));
  ReadOptions options;
  options.label_column = "17";
  EXPECT_EQ(read_csv_text("a,17\n1,u\n", options).columns, (Names{"a"}));
}

/// The message for a file that cannot be used.
struct Refusal {
  std::string text;
  std::string message;
};

/// Also where other fields are text, all are in quotes, numbers occur twice, or there is no other
/// line.
TEST(Csv, RefusesAHeaderThatIsASample) {
  const auto refusal = [](const std::string& number, int column) {
    return fmt::format(
        "data.csv:1: the name of column {} is the number {}, so this line looks like a sample; use "
        "--no-header if it is one, otherwise quote names that are numbers",
        column, number);
  };
  const std::vector<Refusal> refusals = {
      {"5.1,3.5,1.4,0.2,setosa\n4.9,3.0,1.4,0.2,setosa\n", refusal("5.1", 1)},
      {"setosa,5.1\nvirginica,6.3\n", refusal("5.1", 2)},
      {"setosa,5.1\n", refusal("5.1", 2)},
      {"\"5.1\",\"3.5\"\n\"4.9\",\"3.0\"\n", refusal("5.1", 1)},
      {"1,1,0\n0,1,1\n", refusal("1", 1)},
      {"3,2,1\n1,2,3\n", refusal("3", 1)},
      {"2019,2020,a\n1,2,3\n", refusal("2019", 1)},
  };
  for (const auto& [text, message] : refusals) {
    const TemporaryFolder folder;
    const std::string file = folder.write("data.csv", text);
    EXPECT_EQ(folder.strip(error_of([&] { static_cast<void>(read_table({file}, {})); })), message);
  }
}

TEST(Csv, WithoutAHeaderColumnsAreCounted) {
  const TemporaryFolder folder;
  const std::string csv = folder.write("data.csv", "s1,5.1,no,3.5\ns2,4.9,yes,3\n");
  const std::string tsv = folder.write("other.tsv", "s2\t1\ns1\t2\n");
  ReadOptions options;
  options.header = false;
  options.id_column = "1";
  options.label_column = "3";
  const Table table = read_table({csv}, options);
  EXPECT_EQ(table.columns, (Names{"2", "4"}));
  EXPECT_EQ(table.values.values, (Vector{5.1, 3.5, 4.9, 3}));
  EXPECT_EQ(table.labels, (Names{"no", "yes"}));
  EXPECT_EQ(table.ids, (Names{"s1", "s2"}));
  EXPECT_EQ(resolve_views({"v=2-4"}, table)[0].columns, (Names{"2", "4"}))
      << "names, not positions";
  const Table joined = read_table({csv, tsv}, options);
  EXPECT_EQ(joined.columns, (Names{"data.2", "data.4", "other.2"}));
  EXPECT_EQ(joined.values.values, (Vector{5.1, 3.5, 2, 4.9, 3, 1}));

  const std::string libsvm = folder.write("data.libsvm", "1 1:2\n");
  EXPECT_EQ(folder.strip(error_of([&] { static_cast<void>(read_table({libsvm}, options)); })),
            "--no-header is for CSV and TSV files; data.libsvm is none");
}

TEST(Csv, RefusesWithPlaceRuleAndRemedy) {
  const std::string missing =
      "; fill it in or let training do so with --missing mean, remove the sample, or leave the "
      "column out with --ignore";
  const std::string text =
      " is not a finite number; if the column has labels, sample ids or nothing useful, name it "
      "with --label, --id or --ignore";
  const std::string fields = "; correct the line, or put quotes around texts with a separator";
  const std::vector<Refusal> refusals = {
      {"", "data.csv: is empty"},
      {"\n \n", "data.csv: has only blank lines"},
      {"a,y\n", "data.csv: has a header but no samples"},
      {"a,y\n1,u\n2\n", "data.csv:3: 1 field where the header has 2" + fields},
      {"a,y\n1,u\n2,v,3,4\n", "data.csv:3: 4 fields where the header has 2" + fields},
      {"a,y\n1,u\n\n,v\n", "data.csv:4: column 'a': the field is empty" + missing},
      {"a,y\nNA,v\n", "data.csv:2: column 'a': 'NA' is a missing value" + missing},
      {"a,y\nnan,v\n", "data.csv:2: column 'a': 'nan' is a missing value" + missing},
      {"a,y\ninf,v\n", "data.csv:2: column 'a': 'inf'" + text},
      {"a,y\n1e999,v\n", "data.csv:2: column 'a': '1e999'" + text},
      {"a,y\n1x,v\n", "data.csv:2: column 'a': '1x'" + text},
      {"a,y\n0x10,v\n", "data.csv:2: column 'a': '0x10'" + text},
      {"a;b;y\n1,5;2.5;v\n",
       "data.csv:2: column 'a': '1,5' has a decimal comma, unlike other columns; leave the column "
       "out with --ignore a, or rewrite it: recipe 'numbers' in docs/how-to/clean-a-table.md"},
      {"a;y\n12,500;v\n",
       "data.csv:2: column 'a': '12,500' may have a thousands separator or a decimal comma; "
       "--thousands , reads it as 12500, --decimal , as 12.5"},
      {"a;y\n1,012,500;v\n",
       "data.csv:2: column 'a': '1,012,500' has thousands separators; read the file with "
       "--thousands ,"},
      {"a,y\n1,\n",
       "data.csv:2: column 'y': the label is missing; fill it in or remove the sample"},
      {"a,y,y\n1,u,1\n",
       "data.csv:1: column 'y': the name occurs more than once; rename one of the columns"},
      {"a,,y\n1,2,u\n",
       "data.csv:2: column 'unnamed.2': it has no name but values, such as '2'; write a name into "
       "the header, or leave the column out with --ignore unnamed.2"},
      {"a,Y\n1,u\n", "data.csv: there is no label column 'y', did you mean 'Y'?"},
      {"a,y\n1,\"u\n",
       "data.csv:2: a quoted field is never closed; close the quote, or double a "
       "quote that belongs to the text"},
      {"a,y\n1,\"u\"v\n",
       "data.csv:2: text follows the closing quote of field 'u'; double a quote "
       "that belongs to the text"},
      {"PK\x03\x04zip", "data.csv: is a ZIP archive (as XLSX and NPZ are); save it as CSV or NPY"},
      {"BZh91AYzip", "data.csv: is compressed; unpack it first"},
      {"\xff\xfe"
       "a",
       "data.csv: is not valid UTF-16 text; save it as UTF-8"},
  };
  for (const Refusal& refusal : refusals) {
    const TemporaryFolder folder;
    const std::string file = folder.write("data.csv", refusal.text);
    const std::string message =
        error_of([&] { static_cast<void>(read_table({file}, labelled())); });
    EXPECT_EQ(folder.strip(message), refusal.message);
  }
}

TEST(Csv, RefusesAFirstLineOfNumbers) {
  EXPECT_THROW(static_cast<void>(read_csv_text("1.5,2\n3,4\n")), DataError);
}

TEST(Csv, RefusesFilesThatAreNotThere) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& file) {
    return folder.strip(error_of([&] { static_cast<void>(read_table({file}, {})); }));
  };
  EXPECT_EQ(message(folder.path("none.csv")), "none.csv: no such file");
  EXPECT_EQ(message(std::filesystem::temp_directory_path().string()),
            std::filesystem::temp_directory_path().string() + ": is a folder, not a file");
  EXPECT_EQ(error_of([] { static_cast<void>(read_table({}, {})); }), "no data file is given");
}

TEST(Csv, RefusesOptionsThatNameNoColumn) {
  const TemporaryFolder folder;
  const std::string file = folder.write("data.csv", "sample,age,y\ns1,3,u\n");
  ReadOptions options = labelled();
  options.id_column = "samples";
  EXPECT_EQ(folder.strip(error_of([&] { static_cast<void>(read_table({file}, options)); })),
            "data.csv: there is no id column 'samples', did you mean 'sample'?");
  options.id_column = "sample";
  options.ignore = {"aeg"};
  EXPECT_EQ(folder.strip(error_of([&] { static_cast<void>(read_table({file}, options)); })),
            "--ignore aeg: data.csv has no such column, did you mean 'age'?");
  options.ignore.clear();
  options.label_column = "sample";
  EXPECT_THROW(static_cast<void>(read_table({file}, options)), ParameterError);
}

TEST(Csv, RefusesTablesThatExceedTheMemoryAllowed) {
  ReadOptions options;
  options.context.memory_bytes = 100;  // the names of the columns take more
  EXPECT_THROW(static_cast<void>(read_csv_text("a,b,c,d\n1,2,3,4\n", options)), ResourceError);
  options.context.memory_bytes = 10000;
  std::string text = "a,b,c,d\n";
  for (int i = 0; i < 300; ++i) text += "1,2,3,4\n";
  const std::string refused = error_of([&] { static_cast<void>(read_csv_text(text, options)); });
  EXPECT_NE(refused.find("data.csv: a table of 300 samples and 4 columns needs"), std::string::npos)
      << refused;
  EXPECT_NE(refused.find("the memory budget of 9.77 KiB (--memory)"), std::string::npos) << refused;
}

std::string quote_field(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

RC_GTEST_PROP(CsvProperty, WhatIsWrittenIsRead, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 6);
  const auto rows = *rc::gen::inRange<std::size_t>(1, 12);
  const char separator = *rc::gen::element(',', ';', '\t');
  const std::string line_end = *rc::gen::element<std::string>("\n", "\r\n");
  const auto text = rc::gen::nonEmpty(rc::gen::container<std::string>(
      rc::gen::element('a', 'Z', '0', ' ', ',', ';', '\t', '"', '\n', '\r', '.', '~')));
  const auto names = *rc::gen::unique<Names>(columns, text);
  const auto labels = *rc::gen::container<Names>(rows, text);
  const auto finite = rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t bits) {
    return static_cast<double>(bits) * std::exp2(static_cast<double>(bits % 900));
  });
  const auto values = *rc::gen::container<Vector>(rows * columns, finite);

  // Each header name ends in a letter, so that none equals the label's or is all digits.
  std::string csv = "label";
  for (const std::string& name : names) csv += separator + quote_field(name + "x");
  for (std::size_t i = 0; i < rows; ++i) {
    csv += line_end + quote_field("l" + labels[i]);
    for (std::size_t j = 0; j < columns; ++j) {
      csv += separator + fmt::format("{}", values[i * columns + j]);
    }
  }
  const TemporaryFolder folder;
  ReadOptions options;
  options.label_column = "label";
  const Table table = read_table({folder.write("data.csv", csv)}, options);
  RC_ASSERT(table.values.values == values);
  for (std::size_t j = 0; j < columns; ++j) RC_ASSERT(table.columns[j] == names[j] + "x");
  for (std::size_t i = 0; i < rows; ++i) RC_ASSERT(table.labels[i] == "l" + labels[i]);
}

}  // namespace
}  // namespace kernmix
