/// \file
/// A table says the same in every dialect of CSV: as written by spreadsheets, pandas and R.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "data/csv/encoding.hpp"
#include "data/csv/label_spelling.hpp"
#include "data/number.hpp"
#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"
#include "kernmix/table_summary.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

enum class RowNames { none, unnamed, shifted };
enum class Encoding { utf8, bom, utf16le, utf16be, windows1252 };

struct Dialect {
  char separator = ',';
  char decimal = '.';
  bool quoted = false;
  bool sep_line = false;
  std::string line_end = "\n";
  RowNames row_names = RowNames::none;
  Encoding encoding = Encoding::utf8;
  bool final_separator = false;
};

std::string field(const std::string& text, const Dialect& dialect, bool force) {
  if (!dialect.quoted && !force) return text;
  return '"' + text + '"';
}

std::string number_text(double value, const Dialect& dialect) {
  std::string text = fmt::format("{}", value);
  std::ranges::replace(text, '.', dialect.decimal);
  const bool cut = dialect.decimal == dialect.separator;
  return field(text, dialect, cut);
}

std::string line_of(const Names& fields, const Dialect& dialect) {
  std::string line;
  for (std::size_t j = 0; j < fields.size(); ++j) {
    if (j > 0) line += dialect.separator;
    line += fields[j];
  }
  if (dialect.final_separator) line += dialect.separator;
  return line + dialect.line_end;
}

/// Text in UTF-8 with letters below U+0100 in the encoding.
std::string encoded(const std::string& text, Encoding encoding) {
  if (encoding == Encoding::utf8) return text;
  if (encoding == Encoding::bom) return "\xef\xbb\xbf" + text;
  std::string bytes = encoding == Encoding::utf16le   ? "\xff\xfe"
                      : encoding == Encoding::utf16be ? "\xfe\xff"
                                                      : "";
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0xc2) c = static_cast<unsigned char>(c << 6 | (text[++i] & 0x3f));
    if (encoding == Encoding::utf16be) bytes += '\0';
    bytes += static_cast<char>(c);
    if (encoding == Encoding::utf16le) bytes += '\0';
  }
  return bytes;
}

struct Content {
  Names columns;
  Vector values;  ///< row by row
  Names labels;
};

std::string written(const Content& content, const Dialect& dialect) {
  std::string text;
  if (dialect.sep_line) text += fmt::format("sep={}{}", dialect.separator, dialect.line_end);
  Names header;
  if (dialect.row_names == RowNames::unnamed) header.emplace_back(field("", dialect, false));
  for (const std::string& name : content.columns) header.push_back(field(name, dialect, false));
  header.push_back(field("größe", dialect, false));
  text += line_of(header, dialect);
  const std::size_t width = content.columns.size();
  for (std::size_t i = 0; i < content.labels.size(); ++i) {
    Names fields;
    if (dialect.row_names != RowNames::none) {
      fields.push_back(field(fmt::format("r{}", i), dialect, false));
    }
    for (std::size_t j = 0; j < width; ++j) {
      fields.push_back(number_text(content.values[i * width + j], dialect));
    }
    fields.push_back(field(content.labels[i], dialect, false));
    text += line_of(fields, dialect);
  }
  return encoded(text, dialect.encoding);
}

Content some_content() {
  Content content;
  const auto columns = *rc::gen::inRange<std::size_t>(1, 5);
  const auto rows = *rc::gen::inRange<std::size_t>(2, 9);
  for (std::size_t j = 0; j < columns; ++j) content.columns.push_back(fmt::format("c{}", j));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const auto thousandths = *rc::gen::inRange<int>(-2000000, 2000000);
      content.values.push_back(static_cast<double>(thousandths) / 1000.0);
    }
    content.labels.push_back(i % 2 == 0 ? "süß" : "herb");
  }
  content.values.front() = -0.25;  // a comma in it can only be a decimal mark
  return content;
}

RC_GTEST_PROP(Dialects, SayTheSame, ()) {
  const Content content = some_content();
  Dialect dialect;
  dialect.separator = *rc::gen::element(',', ';', '\t', ' ');
  const bool blank = dialect.separator == ' ';
  dialect.decimal = blank ? '.' : *rc::gen::element('.', ',');
  dialect.quoted = *rc::gen::arbitrary<bool>();
  dialect.sep_line = !blank && *rc::gen::arbitrary<bool>();
  dialect.line_end = *rc::gen::element<std::string>("\n", "\r\n", "\r");
  dialect.row_names = *rc::gen::element(RowNames::none, RowNames::unnamed, RowNames::shifted);
  if (blank && dialect.row_names == RowNames::unnamed) dialect.quoted = true;
  dialect.encoding = *rc::gen::element(Encoding::utf8, Encoding::bom, Encoding::utf16le,
                                       Encoding::utf16be, Encoding::windows1252);
  dialect.final_separator =
      !blank && dialect.row_names != RowNames::shifted && *rc::gen::arbitrary<bool>();
  const TemporaryFolder folder;
  ReadOptions options;
  options.label_column = "größe";
  const std::string text = written(content, dialect);
  const Table table = read_table({folder.write("data.csv", text)}, options);
  RC_ASSERT(table.columns == content.columns);
  RC_ASSERT(table.values.values == content.values);
  RC_ASSERT(table.labels == content.labels);
  if (dialect.row_names != RowNames::none) {
    options.id_column = "row.names";
    const Table named = read_table({folder.path("data.csv")}, options);
    RC_ASSERT(named.ids.front() == "r0");
    RC_ASSERT(named.values.values == content.values);
  }
  const TableSummary summary = summarise_table(folder.path("data.csv"), options);
  RC_ASSERT(summary.problems.empty());
  RC_ASSERT(summary.separator == dialect.separator);
  RC_ASSERT(summary.decimal == dialect.decimal);
}

RC_GTEST_PROP(Dialects, GroupsOfDigitsAreRead, ()) {
  const auto whole = *rc::gen::inRange<std::int64_t>(-999999999999, 999999999999);
  const char decimal = *rc::gen::element('.', ',');
  const char thousands = *rc::gen::element(',', '.', '\'', ' ');
  RC_PRE(decimal != thousands);
  std::string digits = fmt::format("{}", std::abs(whole));
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, thousands);
  }
  const std::string text = (whole < 0 ? "-" : "") + digits + decimal + "5";
  const double value = (whole < 0 ? -1.0 : 1.0) * (static_cast<double>(std::abs(whole)) + 0.5);
  RC_ASSERT(parse_number(text, {decimal, thousands}) == value);
}

RC_GTEST_PROP(Dialects, SayTheSameOfMatrices, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 6);
  const auto columns = *rc::gen::inRange<std::size_t>(2, 6);
  Dialect dialect;
  dialect.separator = *rc::gen::element(',', ';', '\t', ' ');
  dialect.decimal = dialect.separator == ',' ? '.' : *rc::gen::element('.', ',');
  dialect.sep_line = dialect.separator != ' ' && *rc::gen::arbitrary<bool>();
  dialect.line_end = *rc::gen::element<std::string>("\n", "\r\n");
  dialect.encoding = *rc::gen::element(Encoding::utf8, Encoding::bom, Encoding::utf16le);
  Matrix matrix(static_cast<Index>(rows), static_cast<Index>(columns));
  std::string text;
  if (dialect.sep_line) text = fmt::format("sep={}{}", dialect.separator, dialect.line_end);
  for (Index i = 0; i < matrix.rows; ++i) {
    Names fields;
    for (Index j = 0; j < matrix.cols; ++j) {
      const auto hundredths = *rc::gen::inRange<int>(-2000, 2000);
      matrix(i, j) = i + j == 0 ? 0.5 : static_cast<double>(hundredths) / 100.0;
      fields.push_back(number_text(matrix(i, j), dialect));
    }
    text += line_of(fields, dialect);
  }
  const TemporaryFolder folder;
  const std::string file = folder.write("m.txt", encoded(text, dialect.encoding));
  const std::vector<Matrix> read = read_matrices(file);
  RC_ASSERT(read.size() == 1U);
  RC_ASSERT(read[0].values == matrix.values);
  RC_ASSERT(read[0].cols == matrix.cols);
}

/// Only the text of one column of numbers, between separators that are not commas.
std::string refusal_of(const std::string& cells, const ReadOptions& options) {
  const TemporaryFolder folder;
  const std::string file = folder.write("data.csv", "a;b\n" + cells);
  return folder.strip(error_of([&] { static_cast<void>(read_table({file}, options)); }));
}

TEST(Dialects, AmbiguousCommasAreRefusedUntilTheirMeaningIsGiven) {
  ReadOptions options;
  EXPECT_EQ(refusal_of("12,500;1\n7,000;2\n", options),
            "data.csv:2: column 'a': '12,500' may have a thousands separator or a decimal comma (2 "
            "cells); --thousands , reads it as 12500, --decimal , as 12.5");
  const TemporaryFolder folder;
  const std::string file = folder.write("data.csv", "a;b\n12,500;1\n7,000;2\n");
  options.decimal = ',';
  EXPECT_EQ(read_table({file}, options).values.values, (Vector{12.5, 1, 7, 2}));
  options.decimal = '\0';
  options.thousands = ',';
  EXPECT_EQ(read_table({file}, options).values.values, (Vector{12500, 1, 7000, 2}));
}

TEST(Dialects, GroupsAreReadWhenTheyAreGiven) {
  struct Case {
    std::string cells;
    std::string remedy;
    ReadOptions options;
    Vector values;
  };
  const auto notation = [](char decimal, char thousands) {
    ReadOptions options;
    options.decimal = decimal;
    options.thousands = thousands;
    return options;
  };
  const std::vector<Case> cases = {
      {"1,012,500;1\n12,500;2\n", "--thousands ,", notation('\0', ','), {1012500, 1, 12500, 2}},
      {"1.234,50;1\n34,5;2\n",
       "--decimal , --thousands .",
       notation(',', '.'),
       {1234.5, 1, 34.5, 2}},
      {"34,5;1.234\n5,5;2\n",
       "--decimal , --thousands .",
       notation(',', '.'),
       {34.5, 1234, 5.5, 2}},
      {"1'234.5;1\n2;2\n", "--thousands \"'\"", notation('\0', '\''), {1234.5, 1, 2, 2}},
      {"1 234,5;1\n2;2\n", "--decimal , --thousands ' '", notation(',', ' '), {1234.5, 1, 2, 2}},
  };
  for (const Case& one : cases) {
    const std::string refusal = refusal_of(one.cells, {});
    EXPECT_TRUE(refusal.ends_with("read the file with " + one.remedy)) << refusal;
    const TemporaryFolder folder;
    const std::string file = folder.write("data.csv", "a;b\n" + one.cells);
    EXPECT_EQ(read_table({file}, one.options).values.values, one.values) << one.cells;
  }
  EXPECT_NE(refusal_of("12,50;1\n", notation('\0', ',')), "no error") << "a group of two digits";
  EXPECT_NE(refusal_of("0,500;1\n", notation('\0', ',')), "no error") << "a group after 0";
}

/// A notation is proposed for the whole file only if no column is harder to read in it.
TEST(Dialects, ANotationOfOneColumnIsNotProposedForTheOthers) {
  for (const char* const cells :
       {"1.100,50;0.568\n1.200,50;1.234\n", "1.100,50;53.149\n2.100,50;-0.157\n3.100,50;2.345\n",
        "1 100,5;12.25\n1 200,5;1.234\n"}) {
    const std::string refusal = refusal_of(cells, {});
    EXPECT_NE(refusal.find(", unlike other columns"), std::string::npos) << refusal;
    EXPECT_EQ(refusal.find("--thousands"), std::string::npos) << refusal;
  }
}

TEST(Dialects, MarksThatContradictEachOtherAreRefused) {
  ReadOptions options;
  options.decimal = ',';
  options.thousands = ',';
  EXPECT_EQ(refusal_of("1;2\n", options),
            "--thousands ,: --decimal , gives this character another meaning");
}

TEST(Dialects, EmptyRowsAreSkippedAndCounted) {
  const TemporaryFolder folder;
  const Table table =
      read_table({folder.write("data.csv", "a,b\n1,2\n,\n\"\",\"\"\n3,4\n,\n")}, {});
  EXPECT_EQ(table.values.values, (Vector{1, 2, 3, 4}));
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_EQ(folder.strip(table.notes[0]), "data.csv: 3 empty rows are skipped");
}

TEST(Dialects, RepeatedNamesGetNumbers) {
  const TemporaryFolder folder;
  const Table table = read_table({folder.write("data.csv", "a,a,a.2,a\n1,2,3,4\n")}, {});
  EXPECT_EQ(table.columns, (Names{"a", "a.3", "a.2", "a.4"}));
}

TEST(Dialects, RowNamesInAnotherOrderAreNotJoinedByPosition) {
  const TemporaryFolder folder;
  const std::string left = folder.write("l.csv", ",a\nr1,1\nr2,2\nr3,3\n");
  const std::string right = folder.write("r.csv", ",b\nr3,6\nr1,4\nr2,5\n");
  const std::string refusal = error_of([&] { static_cast<void>(read_table({left, right}, {})); });
  EXPECT_NE(refusal.find("--id row.names"), std::string::npos) << refusal;
  ReadOptions options;
  options.id_column = "row.names";
  EXPECT_EQ(read_table({left, right}, options).values.values, (Vector{1, 4, 2, 5, 3, 6}));
}

TEST(Dialects, MissingCellsAreKeptOnRequest) {
  const TemporaryFolder folder;
  const std::string file = folder.write("data.csv", "a,b,y\n1,,u\nN/A,-9,v\n3,4,u\n");
  ReadOptions options;
  options.label_column = "y";
  options.keep_missing = true;
  options.na = {"-9"};
  const Vector values = read_table({file}, options).values.values;
  EXPECT_TRUE(std::isnan(values[1]) && std::isnan(values[2]) && std::isnan(values[3]));
  EXPECT_EQ(values[5], 4.0);
  const std::string gaps = folder.write("gaps.csv", "a,b,y\n1,,u\n2,,v\n");
  EXPECT_EQ(folder.strip(error_of([&] { static_cast<void>(read_table({gaps}, options)); })),
            "gaps.csv:2: column 'b': the column has no value in any row (2 cells); leave it out "
            "with --ignore b");
}

TEST(Dialects, MissingLabelsAreRefusedInEveryNotation) {
  for (const std::string_view text : {"", "NA", "N/A", "?", "null", ".", "NaN", "#N/A"}) {
    const TemporaryFolder folder;
    const std::string file = folder.write("data.csv", fmt::format("a,y\n1,u\n2,{}\n", text));
    ReadOptions options;
    options.label_column = "y";
    const std::string refusal =
        folder.strip(error_of([&] { static_cast<void>(read_table({file}, options)); }));
    EXPECT_TRUE(refusal.starts_with("data.csv:3: column 'y': the label is missing")) << refusal;
  }
}

TEST(Dialects, AllProblemsAreListed) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "data.csv",
      "id,a,when,share,flag,kind,y\ns1,,2020-01-05,12%,TRUE,red,u\ns2,2,2020-01-06,7 %,FALSE,red,\n"
      "s3,NA,2020-01-07,1%,TRUE,blue,v\ns4,4,2020-01-08,1%,TRUE,blue,v\ns5,1\n");
  ReadOptions options;
  options.label_column = "y";
  const std::string refusal =
      folder.strip(error_of([&] { static_cast<void>(read_table({file}, options)); }));
  EXPECT_TRUE(refusal.starts_with("data.csv: 8 problems; the first three are\n  line 2: "))
      << refusal;
  EXPECT_EQ(std::ranges::count(refusal, '\n'), 4);
  EXPECT_NE(refusal.find("`kernmix inspect data.csv --label y` lists all problems"),
            std::string::npos)
      << refusal;
  std::map<std::string, TableProblem> found;
  for (const TableProblem& problem : summarise_table(file, options).problems) {
    found[problem.column] = problem;
  }
  ASSERT_EQ(found.size(), 8U);
  EXPECT_EQ(found.at("a").cells, 2);
  EXPECT_NE(found.at("a").remedy.find("--missing mean"), std::string::npos);
  EXPECT_NE(found.at("id").remedy.find("--id id"), std::string::npos);
  EXPECT_NE(found.at("when").remedy.find("recipe 'dates'"), std::string::npos);
  EXPECT_NE(found.at("share").remedy.find("recipe 'units'"), std::string::npos);
  EXPECT_NE(found.at("flag").remedy.find("--categorical flag"), std::string::npos);
  EXPECT_NE(found.at("kind").remedy.find("--categorical kind"), std::string::npos);
  EXPECT_EQ(found.at("y").line, 3);
  EXPECT_EQ(found.at("").line, 6);
}

/// Missing cells of a column of words, accepted or not, do not make the words look like slips in a
/// column of numbers.
TEST(Dialects, WordsWithMissingCellsAreCategories) {
  const TemporaryFolder folder;
  for (const char* missing : {"", "NA", "?"}) {
    std::string text = "kind,some,y\n";
    for (int i = 0; i < 30; ++i) {
      text += fmt::format("{},{},{}\n", i % 5 == 0 ? missing : (i % 2 == 0 ? "red" : "blue"),
                          i == 7 ? "low" : std::to_string(i), i % 2 == 0 ? "u" : "v");
    }
    const std::string file = folder.write("data.csv", text);
    for (const bool keep : {false, true}) {
      ReadOptions options;
      options.label_column = "y";
      options.keep_missing = keep;
      std::map<std::string, std::string> remedies;
      for (const TableProblem& problem : summarise_table(file, options).problems) {
        if (problem.fault.find("not a finite number") == std::string::npos) continue;
        remedies[problem.column] = problem.remedy;
      }
      ASSERT_EQ(remedies.size(), 2U) << missing << keep;
      EXPECT_NE(remedies.at("kind").find("--categorical kind makes indicators of its 2 different"),
                std::string::npos)
          << remedies.at("kind");
      EXPECT_NE(remedies.at("some").find("--na low"), std::string::npos) << remedies.at("some");
    }
  }
}

TEST(Dialects, UnpairedSurrogatesAndHalfCharactersAreRefused) {
  for (const std::string& text : {std::string("\xff\xfe"
                                              "a"),
                                  std::string("\xff\xfe\x00\xd8", 4),
                                  std::string("\xff\xfe\x00\xdc"
                                              "a\0",
                                              6)}) {
    std::string bytes = text;
    EXPECT_THROW(static_cast<void>(decode_text(bytes, "a", {})), DataError);
  }
  std::string pair("\xff\xfe\x3d\xd8\x00\xde", 6);
  EXPECT_EQ(decode_text(pair, "a", {}), "UTF-16 LE");
  EXPECT_EQ(pair, "\xf0\x9f\x98\x80");
}

TEST(Dialects, OverlongAndSurrogateBytesAreNotUtf8) {
  for (const char* text :
       {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xfc", "12345678\x80"}) {
    EXPECT_FALSE(is_utf8(text));
  }
  for (const char* text : {"", "plain text that is long", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"}) {
    EXPECT_TRUE(is_utf8(text));
  }
}

TEST(Dialects, LabelsThatDifferInCaseAreNoted) {
  EXPECT_EQ(label_spellings({"yes", "no", "maybe"}, "y"), "");
  const std::string note = label_spellings({"yes", "no", "Yes", "yes"}, "y");
  EXPECT_TRUE(note.starts_with("the labels 'Yes' (of 1 samples) and 'yes' (of 2)")) << note;
}

}  // namespace
}  // namespace kernmix
