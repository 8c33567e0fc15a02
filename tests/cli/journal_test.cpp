/// \file
/// Records of journals: fields that come back, and any field that is altered though its checksum is
/// right.

#include "journal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "compare/split_line.hpp"
#include "kernmix/error.hpp"
#include "tune/fit_line.hpp"

namespace kernmix::cli {
namespace {

const std::string kHead = "kernmix-journal 3 tune 00000000000000ff whole\n";

JournalText journal_of(const std::string& kind, const std::vector<std::string>& fields) {
  std::string text = kHead;
  for (const std::string& one : fields) text += record_line(kind, one) + "\n";
  return parse_journal("--journal", "j", "tune", text);
}

SearchSize search_size() {
  return {{{20, 21}, 0},
          {{{10, 11}, 20}, {{9, 12}, 21}},
          3,
          [](Index) { return Index{2}; },
          {.least = 0.0, .most = 1.0}};
}

SearchedFit example_fit() {
  SearchedFit fit;
  fit.place = {1, 0, 1, 2};
  fit.score = 1.0 / 3.0;
  fit.converged = true;
  fit.kernels_used = 2;
  fit.kernel_seconds = 1e-300;
  fit.solve_seconds = 0.1;
  fit.answer = {{{0.1, 5e-324}, {1.0 / 7.0, -0.0, 3e300}, true}};
  return fit;
}

std::vector<ComparedData> compared_data() {
  ComparedData data;
  data.splits = {{{0, 1, 2}, {3}}, {{1, 2, 3}, {0}}};
  data.methods = {{"a", {{}, {}}}, {"b", {{}}}};
  return {data};
}

ComparisonSize comparison_size() {
  static const std::vector<ComparedData> data = compared_data();
  return {data, std::vector<ScoreRange>(2, {.least = 0.0, .most = 1.0}), 5,
          [](const Dataset&, const Candidate&) { return Index{2}; }};
}

ComparedSplit example_split() {
  ComparedSplit split;
  split.split = 1;
  split.train = 3;
  split.test = 1;
  split.methods.resize(2);
  split.methods[0].candidate = 1;
  for (ComparedCell& cell : split.methods) {
    cell.scores = {0.25, std::nullopt};
    cell.relative_gap = 1e-7;
    cell.kernels_used = 1;
    cell.kernels = 2;
    cell.fits = 3;
    cell.unconverged = 1;
  }
  return split;
}

TEST(JournalRecords, ComeBackBitByBit) {
  const SearchedFit fit = example_fit();
  const auto fits = fits_of_journal(journal_of("fit", {fit_fields(fit)}), search_size());
  ASSERT_EQ(fits.size(), 1U);
  EXPECT_EQ(fits[0].place, fit.place);
  EXPECT_EQ(fits[0].score, fit.score);
  EXPECT_EQ(fits[0].kernel_seconds, fit.kernel_seconds);
  EXPECT_EQ(fits[0].answer[0].norms, fit.answer[0].norms);
  EXPECT_EQ(fits[0].answer[0].a, fit.answer[0].a);
  EXPECT_TRUE(fits[0].answer[0].double_precision);
  EXPECT_EQ(fit_fields(fits[0]), fit_fields(fit));
  const std::string split = split_fields(example_split());
  const auto splits = splits_of_journal(journal_of("split", {split}), comparison_size());
  ASSERT_EQ(splits.size(), 1U);
  EXPECT_EQ(split_fields(splits[0]), split);
}

/// The words of a text, one of them replaced, left out or written twice.
std::vector<std::string> alterations(const std::string& fields) {
  std::istringstream in(fields);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  std::vector<std::string> altered;
  const auto add = [&](std::vector<std::string> some) {
    std::string text;
    for (const std::string& word : some) text += (text.empty() ? "" : " ") + word;
    altered.push_back(text);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const char* value : {"-2",
                              "-1",
                              "0",
                              "1",
                              "2",
                              "3",
                              "5",
                              "20",
                              "999999999999",
                              "99999999999999999999",
                              "nan",
                              "inf",
                              "-1e999",
                              "1e999",
                              "0x10",
                              "yes",
                              "no",
                              "-",
                              "x",
                              "\x1b[31m",
                              "9.2e18",
                              "1e308",
                              "-0.5",
                              "1.5"}) {
      std::vector<std::string> some = words;
      some[i] = value;
      add(some);
    }
    std::vector<std::string> less = words;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
    add(less);
    add({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(i)});
    std::vector<std::string> more = words;
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(i), words[i]);
    add(more);
  }
  return altered;
}

/// Read as something that writes the same again, or refused by its line.
template <typename Read>
void expect_within(const std::string& kind, const std::string& fields, const Read& read) {
  int refused = 0;
  for (const std::string& altered : alterations(fields)) {
    try {
      EXPECT_EQ(read(journal_of(kind, {altered})).size(), 1U);
    } catch (const DataError& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()).find("line 2 of j"), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(JournalRecords, AreRefusedByLineWhereAFieldIsOutOfRange) {
  const auto fits = [](const JournalText& journal) {
    const auto all = fits_of_journal(journal, search_size());
    for (const SearchedFit& fit : all) {
      EXPECT_LT(fit.place.outer, 2);
      EXPECT_LT(fit.place.fold, 2);
      EXPECT_LT(fit.place.candidate, 3);
      EXPECT_GE(fit.place.candidate, 0);
      EXPECT_LE(fit.kernels_used, 2);
      EXPECT_TRUE(!fit.score || (*fit.score >= 0.0 && *fit.score <= 1.0)) << *fit.score;
      for (const StartingPoint& start : fit.answer) {
        EXPECT_TRUE(start.norms.empty() || start.norms.size() == 2);
        EXPECT_LE(start.a.size(), 21U);
      }
    }
    return all;
  };
  expect_within("fit", fit_fields(example_fit()), fits);
  const auto splits = [](const JournalText& journal) {
    const auto all = splits_of_journal(journal, comparison_size());
    for (const ComparedSplit& split : all) {
      EXPECT_EQ(split.data, 0);
      EXPECT_LT(split.split, 2);
      EXPECT_LT(split.methods[0].candidate, 2);
      EXPECT_EQ(split.methods[1].candidate, 0);
      for (const ComparedCell& cell : split.methods) {
        EXPECT_TRUE(!cell.scores[0] || (*cell.scores[0] >= 0.0 && *cell.scores[0] <= 1.0));
        EXPECT_TRUE(cell.relative_gap <= 2.0 || std::isinf(cell.relative_gap));
        EXPECT_LE(cell.kernels_used, cell.kernels);
        EXPECT_LE(cell.kernels, 2);
        EXPECT_LE(cell.fits, 10);
      }
    }
    return all;
  };
  expect_within("split", split_fields(example_split()), splits);
}

std::string refusal_of(const std::string& text) {
  try {
    (void)fits_of_journal(parse_journal("--journal", "j", "tune", text), search_size());
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(JournalRecords, OfAnotherKindOrRepeatedAreRefusedByLine) {
  const std::string fit = record_line("fit", fit_fields(example_fit())) + "\n";
  SearchedFit slower = example_fit();
  slower.solve_seconds = 7.0;
  EXPECT_EQ(refusal_of(kHead + fit), "");
  EXPECT_NE(refusal_of(kHead + fit + record_line("split", "1 2") + "\n")
                .find("line 3 of j is of the unknown kind 'split'"),
            std::string::npos);
  EXPECT_NE(refusal_of(kHead + fit + record_line("fit", fit_fields(slower)) + "\n")
                .find("line 3 of j repeats line 2"),
            std::string::npos);
  EXPECT_EQ(refusal_of(kHead + fit + fit.substr(0, fit.size() - 1)), "") << "it is cut short";
}

TEST(JournalRecords, AreDamagedByAnyByte) {
  const std::string line = record_line("fit", fit_fields(example_fit()));
  for (std::size_t i = 0; i < line.size(); ++i) {
    for (const char other : {'\0', ' ', '1', '\x7f'}) {
      std::string altered = line;
      if (altered[i] == other) continue;
      altered[i] = other;
      EXPECT_FALSE(record_of_line(altered)) << i;
    }
    EXPECT_FALSE(record_of_line(line.substr(0, i))) << i;
  }
  EXPECT_FALSE(record_of_line(line + " "));
}

TEST(JournalRecords, OfOtherVersionsAreNoJournal) {
  for (const char* head :
       {"{\"kernmix_tune\": 2}\n", "kernmix-journal 4 tune 00000000000000ff whole\n"}) {
    EXPECT_NE(refusal_of(head).find("in the format of this version but of another"),
              std::string::npos);
  }
  for (const char* head : {"", "\n", "kernmix-journal 3 compare 00000000000000ff whole\n",
                           "kernmix-journal 3 tune ff whole\n", "kernmix-journal 3 tune \n"}) {
    EXPECT_NE(refusal_of(head).find("is not a journal of kernmix tune"), std::string::npos) << head;
  }
}

}  // namespace
}  // namespace kernmix::cli
