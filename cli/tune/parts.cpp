#include "tune/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "journal.hpp"
#include "kernmix/error.hpp"
#include "layout.hpp"

namespace kernmix::cli {
namespace {

std::optional<Index> number_of_part(std::string_view text) {
  Index value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

struct PartJournal {
  std::string file;
  SearchPart part;
  std::vector<SearchedFit> fits;
};

/// The part in the head of a journal.
SearchPart part_of(const std::string& file, const JournalHead& head, std::size_t units) {
  try {
    const SearchPart part = parse_part(head.part);
    if (part.count <= static_cast<Index>(units)) return part;
  } catch (const ParameterError&) {  // said below
  }
  throw DataError(fmt::format("--gather: {} is of part {}, which this search does not have", file,
                              in_quotes(head.part)));
}

PartJournal read_part(const std::string& file, const SearchInParts& search,
                      const Context& context) {
  const JournalText journal = read_journal("--gather", file, "tune", context);
  if (journal.head.part.empty()) {
    throw DataError(fmt::format("--gather: {} is of a whole run; resume it with --journal", file));
  }
  if (journal.head.run != search.run) {
    throw DataError(
        fmt::format("--gather: {} is of another run; all parts must have the same data, options, "
                    "seed and version of kernmix",
                    file));
  }
  return {file, part_of(file, journal.head, search.units.size()),
          fits_of_journal(journal, search.size)};
}

/// The journals by part number.
std::map<Index, PartJournal> read_parts(const std::vector<std::string>& files,
                                        const SearchInParts& search, const Context& context) {
  std::map<Index, PartJournal> parts;
  for (const std::string& file : files) {
    PartJournal journal = read_part(file, search, context);
    if (!parts.empty() && parts.begin()->second.part.count != journal.part.count) {
      throw DataError(fmt::format(
          "--gather: {} is of part {}, {} of part {}: N must be the same in all parts", file,
          journal.part.text(), parts.begin()->second.file, parts.begin()->second.part.text()));
    }
    const Index number = journal.part.number;
    const auto [place, is_new] = parts.try_emplace(number, std::move(journal));
    if (is_new) continue;
    throw DataError(fmt::format("--gather: {} and {} are both of part {}", place->second.file, file,
                                place->second.part.text()));
  }
  return parts;
}

void require_all_parts(const std::map<Index, PartJournal>& parts) {
  const Index count = parts.begin()->second.part.count;
  std::vector<std::string> missing;
  for (Index number = 1; number <= count; ++number) {
    if (!parts.contains(number)) missing.push_back(SearchPart{number, count}.text());
  }
  if (missing.empty()) return;
  throw DataError(fmt::format(
      "--gather: there is no journal of part {} among the files; run it, or name its file",
      listed(missing, 10)));
}

void require_finished(const PartJournal& journal, const std::vector<SearchUnit>& units,
                      const std::vector<Candidate>& candidates) {
  std::set<FitPlace> known;
  for (const SearchedFit& fit : journal.fits) known.insert(fit.place);
  const std::vector<FitPlace> places = places_of_units(units_of(journal.part, units), candidates);
  const auto done =
      std::ranges::count_if(places, [&](const FitPlace& place) { return known.contains(place); });
  if (done == length(places)) return;
  throw DataError(fmt::format(
      "--gather: part {} is not finished: {} has {} of its {} models; run it again to resume",
      journal.part.text(), journal.file, done, places.size()));
}

}  // namespace

std::string SearchPart::text() const { return fmt::format("{}/{}", number, count); }

SearchPart parse_part(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto number = number_of_part(std::string_view(text).substr(0, slash));
    const auto count = number_of_part(std::string_view(text).substr(slash + 1));
    if (number && count && *number >= 1 && *number <= *count) return {*number, *count};
  }
  throw ParameterError(
      fmt::format("--part must be K/N with K from 1 to N, such as 2/8, got {}", in_quotes(text)));
}

std::vector<SearchUnit> units_of(const SearchPart& part, const std::vector<SearchUnit>& all) {
  const Index count = length(all);
  if (part.count > count) {
    throw ParameterError(
        fmt::format("--part {}: the search has {} units, each a fold with the candidates of one "
                    "path; ask for at most {} parts",
                    part.text(), count, count));
  }
  const auto first = all.begin() + (part.number - 1) * count / part.count;
  return {first, all.begin() + part.number * count / part.count};
}

std::vector<FitPlace> places_of_units(const std::vector<SearchUnit>& units,
                                      const std::vector<Candidate>& candidates) {
  std::vector<FitPlace> places;
  for (const SearchUnit& unit : units) {
    std::ranges::copy(places_of(unit, candidates), std::back_inserter(places));
  }
  return places;
}

std::vector<SearchedFit> gather_parts(const std::vector<std::string>& files,
                                      const SearchInParts& search, const Context& context) {
  std::map<Index, PartJournal> parts = read_parts(files, search, context);
  require_all_parts(parts);
  std::vector<SearchedFit> fits;
  for (auto& [number, journal] : parts) {
    require_finished(journal, search.units, search.candidates);
    std::ranges::move(journal.fits, std::back_inserter(fits));
  }
  return fits;
}

}  // namespace kernmix::cli
