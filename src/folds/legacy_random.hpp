#pragma once
/// \file
/// Random numbers of numpy.random.RandomState, as in scikit-learn's splitters.

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

class LegacyRandom {
 public:
  explicit LegacyRandom(std::uint32_t seed) : engine_(seed) {}

  /// Uniform in 0 .. largest: masked 32-bit draws until one is in range.
  [[nodiscard]] Index at_most(Index largest) {
    auto mask = static_cast<std::uint32_t>(largest);
    for (unsigned shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
    auto drawn = static_cast<std::uint32_t>(engine_()) & mask;
    while (static_cast<Index>(drawn) > largest) {
      drawn = static_cast<std::uint32_t>(engine_()) & mask;
    }
    return static_cast<Index>(drawn);
  }

  void shuffle(std::vector<Index>& values) {
    for (Index i = length(values) - 1; i > 0; --i) {
      std::swap(values[to_size(i)], values[to_size(at_most(i))]);
    }
  }

 private:
  std::mt19937 engine_;
};

}  // namespace kernmix
