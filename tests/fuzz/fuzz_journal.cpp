#include <algorithm>
#include <set>

#include "compare/split_line.hpp"
#include "journal.hpp"
#include "survive.hpp"
#include "tune/fit_line.hpp"

using namespace kernmix;

namespace {

/// Checksums that fuzzing never hits: each line "KIND FIELDS" becomes a record.
std::string with_checksums(const std::string& text) {
  std::string journal = "kernmix-journal 3 tune 0000000000000000 whole\n";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string fields = line.substr(std::min(blank + 1, line.size()));
    journal += cli::record_line(line.substr(0, blank), fields) + "\n";
    begin = end + 1;
  }
  return journal;
}

cli::SearchSize search_size() {
  return {{{20, 21}, 0}, {{{10, 11}, 20}, {{9, 12}, 21}}, 3, [](Index) { return Index{4}; }};
}

std::vector<ComparedData> compared_data() {
  ComparedData data;
  data.splits = {{{0, 1, 2}, {3}}, {{1, 2, 3}, {0}}};
  data.methods = {{"a", {{}, {}}}, {"b", {{}}}};
  return {data, data};
}

cli::ComparisonSize comparison_size() {
  static const std::vector<ComparedData> data = compared_data();
  return {data, std::vector<cli::ScoreRange>(2, {.least = 0.0, .most = 1.0}), 5,
          [](const Dataset&, const Candidate&) { return Index{4}; }};
}

/// What is taken of a journal lies within the search.
void expect_fits(const cli::JournalText& journal) {
  std::set<FitPlace> places;
  for (const SearchedFit& fit : cli::fits_of_journal(journal, search_size())) {
    fuzz::expect(places.insert(fit.place).second);
    fuzz::expect(fit.place.candidate >= 0 && fit.place.candidate < 3 && fit.place.fold < 2);
    for (const StartingPoint& start : fit.answer) {
      fuzz::expect(start.norms.empty() || start.norms.size() == 4);
      fuzz::expect(start.a.size() <= 21);
    }
  }
}

}  // namespace

/// The first byte says what is read: a file, models of a search, or splits of a comparison.
KERNMIX_FUZZ {
  if (text.empty()) return;
  const std::string rest = text.substr(1);
  if (text.front() == 'f') {
    expect_fits(cli::parse_journal("--journal", "j", "tune", rest));
  } else if (text.front() == 'm') {
    expect_fits(cli::parse_journal("--journal", "j", "tune", with_checksums(rest)));
  } else {
    const auto journal = cli::parse_journal("--journal", "j", "tune", with_checksums(rest));
    for (const ComparedSplit& split : cli::splits_of_journal(journal, comparison_size())) {
      fuzz::expect(split.data < 2 && split.split < 2 && split.methods.size() == 2);
    }
  }
}
