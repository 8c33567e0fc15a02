#pragma once
/// \file
/// Kernels that act as the identity: almost every sample is similar to itself alone, so that the
/// kernel separates the training samples and says nothing about others.

#include <algorithm>

#include "kernmix/types.hpp"

namespace kernmix {

/// Whether c = |k(x, z)| / sqrt(k(x, x) k(z, z)) is at most 0.02 for 99 % of the pairs of
/// distinct samples. \param similarities  c of each pair, reordered; \param centred  added to 0.02
[[nodiscard]] inline bool acts_as_identity(Vector& similarities, double centred = 0.0) {
  constexpr double almost_all = 0.99;
  constexpr double almost_none = 0.02;
  if (similarities.empty()) return false;
  const auto rank = static_cast<Index>(almost_all * static_cast<double>(similarities.size() - 1));
  std::ranges::nth_element(similarities, similarities.begin() + rank);
  return similarities[to_size(rank)] <= almost_none + centred;
}

}  // namespace kernmix
