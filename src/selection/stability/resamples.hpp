#pragma once
/// \file
/// Which samples a resample has, and how often.

#include <cstdint>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/selection/stability.hpp"
#include "selection/stability/exchange.hpp"

namespace kernmix {

struct Resample {
  std::vector<Index> rows;     ///< ascending, each once
  Vector weights;              ///< of each row; they add up to the number of all samples
  double weight_of_one = 1.0;  ///< of a row that was drawn once

  /// Each row as often as it was drawn.
  [[nodiscard]] std::vector<Index> drawn() const;
};

/// `count` resamples that keep the number of samples of each class, or of groups, which are drawn
/// whole, that of groups of each class; of odd numbers the halves of a pair take turns to have one
/// more. \param strata  with classes, numbers >= 0;  \param stream  other numbers, other draws
/// \throws DataError for a class that some resample lacks
[[nodiscard]] std::vector<Resample> draw_resamples(const Strata& strata, Resampling method,
                                                   Index count, std::uint64_t seed,
                                                   std::uint32_t stream);

/// A permutation of the labels. \param stream  as above
[[nodiscard]] std::vector<Index> random_order(const Exchange& exchange, std::uint64_t seed,
                                              std::uint32_t stream);

/// The samples of each class, ascending; classes that have none are left out.
[[nodiscard]] std::vector<std::vector<Index>> samples_by_class(const std::vector<Index>& classes);

}  // namespace kernmix
