/// \file
/// The hash of sparse rows is XXH3 of the same rows with their zeros.

#include "model/file/sparse_hash.hpp"

#define XXH_INLINE_ALL
#include <gtest/gtest.h>
#include <xxhash.h>

#include <random>

namespace kernmix {
namespace {

struct RowOfZeros {
  Vector numbers;
  std::vector<std::pair<Index, double>> entries;
};

RowOfZeros drawn(Index columns, double share, std::mt19937_64& random) {
  RowOfZeros row{Vector(to_size(columns), 0.0), {}};
  for (Index j = 0; j < columns; ++j) {
    if (std::uniform_real_distribution<double>()(random) >= share) continue;
    const double value = std::normal_distribution<double>()(random);
    row.numbers[to_size(j)] = value;
    row.entries.emplace_back(j, value);
  }
  return row;
}

TEST(SparseRowHash, IsThatOfAllNumbers) {
  std::mt19937_64 random(5);
  for (const Index columns : {1,   2,   8,   29,  30,  31,  32,  33,  64,  127,  128,  129,
                              130, 135, 136, 137, 255, 256, 257, 384, 385, 1000, 1024, 4099}) {
    SparseRowHash hash(columns);
    for (const double share : {0.0, 0.002, 0.02, 0.5, 1.0}) {
      for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, random(), random()}) {
        const RowOfZeros row = drawn(columns, share, random);
        EXPECT_EQ(
            hash.digest(row.entries, seed),
            XXH3_64bits_withSeed(row.numbers.data(), row.numbers.size() * sizeof(double), seed))
            << columns << " columns, share " << share;
      }
    }
  }
}

TEST(SparseRowHash, OfOneEntryAtEachPlace) {
  constexpr Index columns = 300;
  SparseRowHash hash(columns);
  Vector numbers(columns, 0.0);
  for (Index j = 0; j < columns; ++j) {
    numbers[to_size(j)] = 1.5;
    const std::vector<std::pair<Index, double>> entry = {{j, 1.5}};
    EXPECT_EQ(hash.digest(entry, 7),
              XXH3_64bits_withSeed(numbers.data(), numbers.size() * sizeof(double), 7));
    numbers[to_size(j)] = 0.0;
  }
}

}  // namespace
}  // namespace kernmix
