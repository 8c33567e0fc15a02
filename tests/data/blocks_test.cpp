/// \file
/// A table that is read in blocks is the table that is read at once, with its notes and refusals.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <random>

#include "data/blocks/known_ids.hpp"
#include "data/blocks/table_blocks.hpp"
#include "data/blocks/text_blocks.hpp"
#include "data/csv_reader.hpp"
#include "data/temporary_file.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

constexpr Index kTogether = 64;
constexpr Index kRows = 20'000;

ReadOptions options_of_two() {
  ReadOptions options;
  options.only = {"a", "b"};
  options.label_optional = true;
  return options;
}

/// A budget whose blocks are the shortest.
Context little() {
  Context context;
  context.memory_bytes = std::size_t{2} << 20U;
  return context;
}

struct Joined {
  Table table;
  Index blocks = 0;
};

Joined joined_blocks(const std::string& file, ReadOptions options) {
  options.context = little();
  TableBlocks blocks(file, options, 64, kTogether);
  Joined all;
  while (const auto block = blocks.next()) {
    EXPECT_EQ(block->before % kTogether, 0);
    EXPECT_EQ(block->before, all.table.values.rows);
    all.table.columns = block->columns;
    all.table.source = block->source;
    all.table.values.cols = block->values.cols;
    all.table.values.rows += block->values.rows;
    std::ranges::copy(block->values.values, std::back_inserter(all.table.values.values));
    std::ranges::copy(block->ids, std::back_inserter(all.table.ids));
    ++all.blocks;
  }
  all.table.notes = blocks.notes();
  return all;
}

void expect_same(const std::string& text, const ReadOptions& options, const std::string& name) {
  const TemporaryFolder folder;
  const std::string file = folder.write(name, text);
  const Table whole = read_table({file}, options);
  const Joined parts = joined_blocks(file, options);
  EXPECT_GT(parts.blocks, 1);
  EXPECT_EQ(parts.table.columns, whole.columns);
  EXPECT_EQ(parts.table.source, whole.source);
  EXPECT_EQ(parts.table.values.values, whole.values.values);
  EXPECT_EQ(parts.table.ids, whole.ids);
  EXPECT_EQ(parts.table.notes, whole.notes);
}

void expect_same_refusal(const std::string& text, const ReadOptions& options) {
  const TemporaryFolder folder;
  const std::string file = folder.write("t.csv", text);
  const std::string whole = error_of([&] { (void)read_table({file}, options); });
  EXPECT_NE(whole, "no error");
  EXPECT_EQ(error_of([&] { (void)joined_blocks(file, options); }), whole);
}

using RowText = std::function<std::string(Index)>;

std::string text_of(const std::string& header, const RowText& row, const std::string& end = "\n") {
  std::string text = header.empty() ? "" : header + end;
  for (Index i = 0; i < kRows; ++i) text += row(i) + end;
  return text;
}

std::string plain_row(Index i) {
  return fmt::format("s{},{},{}", i, i % 7, 0.5 * static_cast<double>(i % 11));
}

/// `plain_row` with other rows at some places.
RowText with_row(Index at, const std::string& other) {
  return [=](Index i) { return i == at ? other : plain_row(i); };
}

TEST(TableBlocks, AreTheTableInEveryDialect) {
  ReadOptions options = options_of_two();
  expect_same(text_of("id,a,b", plain_row), options, "t.csv");
  options.id_column = "id";
  for (const char* end : {"\n", "\r\n"}) {
    expect_same(text_of("id,a,b", plain_row, end), options, "t.csv");
  }
  expect_same("\xef\xbb\xbf" + text_of("id,a,b", plain_row), options, "t.csv");
  expect_same("sep=;\n" + text_of("id;a;b", [](Index i) { return fmt::format("{};1;2,5", i); }),
              options, "t.csv");
  expect_same("# one\n# two\n" + text_of("id,a,b", plain_row), options, "t.csv");
  expect_same(text_of("id\ta\tb", [](Index i) { return fmt::format("s{}\t{}\t-1e3", i, i); }),
              options, "t.tsv");
  expect_same(text_of("id,x,a,b",
                      [](Index i) {
                        return fmt::format("{},\"say \"\"{}\"\",\nor, not\",1,\"{}\"", i, i, i);
                      }),
              options, "t.csv");
  expect_same(text_of("id;x;a;b",
                      [](Index i) { return fmt::format("{};\"one;\ntwo\";1;0,{}", i, i % 9 + 1); }),
              options, "t.csv");
  expect_same(text_of("id,x,a,b",
                      [](Index i) {
                        const char* const word = i < kRows - 9 ? "plain" : "caf\xe9";
                        return fmt::format("{},{},1,2", i, word);
                      }),
              options, "t.csv");
}

TEST(TableBlocks, KeepMissingCellsEmptyRowsAndNumbersOfColumns) {
  ReadOptions options = options_of_two();
  options.keep_missing = true;
  options.na = {"-9"};
  const auto row = [](Index i) {
    if (i % 1000 == 999) return std::string(",,");
    return i % 3 == 0 ? fmt::format("s{},-9,1", i) : plain_row(i);
  };
  const TemporaryFolder folder;
  const std::string file = folder.write("t.csv", text_of("id,a,b", row));
  const Table whole = read_table({file}, options);
  const Joined parts = joined_blocks(file, options);
  EXPECT_EQ(parts.table.notes, whole.notes);
  ASSERT_EQ(parts.table.values.values.size(), whole.values.values.size());
  for (std::size_t k = 0; k < whole.values.values.size(); ++k) {
    const double own = parts.table.values.values[k];
    EXPECT_TRUE(own == whole.values.values[k] || (std::isnan(own) && k % 2 == 0));
  }
  options = options_of_two();
  options.header = false;
  options.only = {"2", "3"};
  expect_same(text_of("", [](Index i) { return fmt::format("{},{},3.5", i, i % 5); }), options,
              "t.csv");
}

TEST(TableBlocks, RefuseWhatTheTableRefusesInTheSameWords) {
  ReadOptions options = options_of_two();
  options.id_column = "id";
  for (const Index at : {Index{3}, kRows / 2, kRows - 1}) {
    for (const char* row : {"x,none,1", "x,1", "x,1,2,3", "x,,1", "x,1,2 kg", ",1,2"}) {
      expect_same_refusal(text_of("id,a,b", with_row(at, row)), options);
    }
    expect_same_refusal(text_of("id,a,b", with_row(at, plain_row(1))), options);
  }
  expect_same_refusal(text_of("name,a,b", plain_row), options);
  expect_same_refusal(text_of("id,a,b", with_row(kRows - 1, "\"x,1,2")), options);
  expect_same_refusal(text_of("id,a,b", with_row(kRows / 2, "\"x\" y,1,2")), options);
}

TEST(TableBlocks, TakeShortFilesAndOtherFormatsAtOnce) {
  const TemporaryFolder folder;
  ReadOptions options = options_of_two();
  EXPECT_EQ(joined_blocks(folder.write("t.csv", "a,b\n1,2\n3,4\n"), options).blocks, 1);
  std::string arff = "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n";
  for (Index i = 0; i < kRows; ++i) arff += fmt::format("{},2.5\n", i);
  options.context.memory_bytes = 0;
  TableBlocks blocks(folder.write("t.arff", arff), options, 64, kTogether);
  EXPECT_EQ(blocks.next()->samples(), kRows);
  EXPECT_FALSE(blocks.next());
}

/// Cuts are where the reader of CSV ends a record.
TEST(WholeRecords, EndWhereTheReaderEndsThem) {
  std::mt19937 random(3);
  const std::string alphabet = "\"\",;ab \n\r";
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (int k = 0; k < 24; ++k) text += alphabet[random() % alphabet.size()];
    const std::size_t whole = whole_records(text, ',');
    ASSERT_LE(whole, text.size());
    const auto records = [](std::string_view part, Index& line) {
      std::vector<Names> found;
      CsvReader reader(part, ',', "t.csv", '.', line);
      while (reader.next_record()) {
        found.emplace_back();
        while (!reader.record_ended()) found.back().emplace_back(reader.field());
      }
      line = reader.next_line();
      return found;
    };
    Index line = 1;
    std::vector<Names> all;
    if (error_of([&] { all = records(text, line); }) != "no error") continue;
    Index cut_line = 1;
    std::vector<Names> parts = records(std::string_view(text).substr(0, whole), cut_line);
    std::ranges::move(records(std::string_view(text).substr(whole), cut_line),
                      std::back_inserter(parts));
    EXPECT_EQ(parts, all) << text;
    EXPECT_EQ(cut_line, line) << text;
  }
}

TEST(KnownIds, FindEveryIdAgainWithItsLine) {
  const Context unlimited;
  KnownIds ids("t.csv", unlimited);
  for (Index i = 0; i < 5000; ++i) EXPECT_FALSE(ids.add(fmt::format("s{}", i), i + 2));
  for (Index i = 0; i < 5000; ++i) EXPECT_EQ(ids.add(fmt::format("s{}", i), 1), i + 2);
  Context limited;
  limited.memory_bytes = 100'000;
  KnownIds few("t.csv", limited);
  EXPECT_THROW(
      {
        for (Index i = 0; i < 50'000; ++i) (void)few.add(fmt::format("s{}", i), i);
      },
      ResourceError);
}

}  // namespace
}  // namespace kernmix
