#pragma once
/// \file
/// A model of a search, as a line of a journal.

#include "kernmix/selection/search.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// Doubles are written so that they come back bit by bit: the next model begins with them.
[[nodiscard]] Json fit_line(const SearchedFit& fit);
[[nodiscard]] SearchedFit fit_of_line(const Json& line);
[[nodiscard]] std::vector<SearchedFit> fits_of_lines(const std::vector<Json>& lines);

}  // namespace kernmix::cli
