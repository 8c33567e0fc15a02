#pragma once
/// \file
/// A search in parts that run as separate jobs, and their combination.

#include <cstdint>
#include <string>
#include <vector>

#include "kernmix/selection/search.hpp"
#include "tune/fit_line.hpp"

namespace kernmix::cli {

/// The k-th of N: --part 2/4.
struct SearchPart {
  Index number = 1;
  Index count = 1;
  [[nodiscard]] std::string text() const;  ///< "2/4"
};

/// \throws ParameterError naming --part
[[nodiscard]] SearchPart parse_part(const std::string& text);

/// The units of a part: equal numbers up to one, and consecutive, so that few kernels are computed
/// twice. \throws ParameterError if there are fewer units than parts
[[nodiscard]] std::vector<SearchUnit> units_of(const SearchPart& part,
                                               const std::vector<SearchUnit>& all);

/// The models of some units.
[[nodiscard]] std::vector<FitPlace> places_of_units(const std::vector<SearchUnit>& units,
                                                    const std::vector<Candidate>& candidates);

/// A search with gathered parts.
struct SearchInParts {
  std::uint64_t run = 0;  ///< its fingerprint
  std::vector<SearchUnit> units;
  const std::vector<Candidate>& candidates;
  SearchSize size;
};

/// The models in the journals of all parts. \throws DataError for a part that is missing,
/// unfinished, duplicate or of another run
[[nodiscard]] std::vector<SearchedFit> gather_parts(const std::vector<std::string>& files,
                                                    const SearchInParts& search,
                                                    const Context& context);

}  // namespace kernmix::cli
