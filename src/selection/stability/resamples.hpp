#pragma once
/// \file
/// Resamples as sample lists with weights.

#include <cstdint>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/selection/stability.hpp"
#include "selection/stability/exchange.hpp"

namespace kernmix {

struct Resample {
  std::vector<Index> rows;     ///< ascending, without duplicates
  Vector weights;              ///< of each row; they sum to the number of all samples
  double weight_of_one = 1.0;  ///< weight of a row that was drawn once

  /// The rows, repeated as often as drawn.
  [[nodiscard]] std::vector<Index> drawn() const;
};

/// `count` resamples with the same number of samples of each class or, with groups, of groups of
/// each class; for odd numbers the halves of pairs alternate in having one more. \param strata with
/// classes, numbers >= 0; \param stream number of the random stream \throws DataError for a class
/// that is missing in some resample
[[nodiscard]] std::vector<Resample> draw_resamples(const Strata& strata, Resampling method,
                                                   Index count, std::uint64_t seed,
                                                   std::uint32_t stream);

/// A permutation of the labels. \param stream  as above
[[nodiscard]] std::vector<Index> random_order(const Exchange& exchange, std::uint64_t seed,
                                              std::uint32_t stream);

/// The samples of each class, ascending; classes without samples are omitted.
[[nodiscard]] std::vector<std::vector<Index>> samples_by_class(const std::vector<Index>& classes);

}  // namespace kernmix
