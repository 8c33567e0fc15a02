#pragma once
/// \file
/// XXH3 of rows of mostly zeros, at the cost of their entries and a few steps for each 128 zeros.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// The digest of XXH3_64bits_withSeed() of rows of doubles, from their entries.
class SparseRowHash {
 public:
  /// \param columns  numbers of a row
  explicit SparseRowHash(Index columns);

  /// \param entries  column and value, with ascending columns
  [[nodiscard]] std::uint64_t digest(std::span<const std::pair<Index, double>> entries,
                                     std::uint64_t seed);

 private:
  static constexpr std::size_t lanes = 8;           ///< of 64 bits in a stripe
  static constexpr std::size_t block_stripes = 16;  ///< between two scrambles
  static constexpr std::size_t secret_words = 24;
  using Lanes = std::array<std::uint64_t, lanes>;

  void set_seed(std::uint64_t seed);
  [[nodiscard]] std::uint64_t secret_at(std::size_t byte) const;
  void add_stripe(const double* numbers, std::size_t secret_byte, Lanes& sums) const;
  void add_stripes(const double* numbers, std::size_t count, Lanes& sums) const;
  void scramble(Lanes& sums) const;
  void add_zero_blocks(std::size_t count, Lanes& sums) const;
  [[nodiscard]] std::uint64_t merged(const Lanes& sums) const;

  std::size_t columns_;
  std::uint64_t seed_ = 0;
  std::array<std::uint64_t, secret_words> secret_{};
  Lanes scramble_keys_{};
  Lanes zero_block_{};  ///< what a block of zeros adds
  Vector row_;          ///< zeros between two calls
};

}  // namespace kernmix
