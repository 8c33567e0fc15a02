#pragma once
/// \file
/// Which samples a resample has, and how often.

#include <cstdint>
#include <vector>

#include "kernmix/selection/stability.hpp"

namespace kernmix {

struct Resample {
  std::vector<Index> rows;  ///< ascending, each once
  Vector weights;           ///< of each row; they add up to the number of all samples
};

/// `count` resamples that keep the number of samples of each class; of odd classes the halves of a
/// pair take turns to have one more.
/// \param classes  of each sample, numbers >= 0;  \param stream  other numbers, other draws
/// \throws DataError for half of a class of one sample
[[nodiscard]] std::vector<Resample> draw_resamples(const std::vector<Index>& classes,
                                                   Resampling method, Index count,
                                                   std::uint64_t seed, std::uint32_t stream);

/// 0 .. n - 1 in random order. \param stream  as above
[[nodiscard]] std::vector<Index> random_order(Index n, std::uint64_t seed, std::uint32_t stream);

/// The samples of each class, ascending; classes that have none are left out.
[[nodiscard]] std::vector<std::vector<Index>> samples_by_class(const std::vector<Index>& classes);

}  // namespace kernmix
