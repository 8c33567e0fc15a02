// XXH3 (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md) for inputs of more than 240 bytes:
// stripes of 64 bytes are added to 8 sums, and after 16 stripes the sums are scrambled. A stripe of
// zeros adds products of the secret alone, so that a block of them is 8 additions.

#include "model/file/sparse_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace kernmix {
namespace {

constexpr std::size_t longest_short_input = 240;  // bytes, which XXH3 hashes in other ways
constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::size_t stripe_bytes = 64;
constexpr std::size_t scramble_begin = 192 - stripe_bytes;
constexpr std::size_t last_stripe_begin = scramble_begin - 7;
constexpr std::size_t merge_begin = 11;

constexpr std::uint64_t prime_32_1 = 0x9E3779B1ULL;
constexpr std::uint64_t prime_32_2 = 0x85EBCA77ULL;
constexpr std::uint64_t prime_32_3 = 0xC2B2AE3DULL;
constexpr std::uint64_t prime_64_1 = 0x9E3779B185EBCA87ULL;
constexpr std::uint64_t prime_64_2 = 0xC2B2AE3D27D4EB4FULL;
constexpr std::uint64_t prime_64_3 = 0x165667B19E3779F9ULL;
constexpr std::uint64_t prime_64_4 = 0x85EBCA77C2B2AE63ULL;
constexpr std::uint64_t prime_64_5 = 0x27D4EB2F165667C5ULL;
constexpr std::uint64_t prime_avalanche = 0x165667919E3779F9ULL;

constexpr std::array<std::uint64_t, 24> default_secret = {
    0xbe4ba423396cfeb8ULL, 0x1cad21f72c81017cULL, 0xdb979083e96dd4deULL, 0x1f67b3b7a4a44072ULL,
    0x78e5c0cc4ee679cbULL, 0x2172ffcc7dd05a82ULL, 0x8e2443f7744608b8ULL, 0x4c263a81e69035e0ULL,
    0xcb00c391bb52283cULL, 0xa32e531b8b65d088ULL, 0x4ef90da297486471ULL, 0xd8acdea946ef1938ULL,
    0x3f349ce33f76faa8ULL, 0x1d4f0bc7c7bbdcf9ULL, 0x3159b4cd4be0518aULL, 0x647378d9c97e9fc8ULL,
    0xc3ebd33483acc5eaULL, 0xeb6313faffa081c5ULL, 0x49daf0b751dd0d17ULL, 0x9e68d429265516d3ULL,
    0xfca1477d58be162bULL, 0xce31d07ad1b8f88fULL, 0x280416958f3acb45ULL, 0x7e404bbbcafbd7afULL};

/// The product of the two halves.
std::uint64_t product_of_halves(std::uint64_t x) { return (x & 0xFFFFFFFFULL) * (x >> 32); }

std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

SparseRowHash::SparseRowHash(Index columns) : columns_(to_size(columns)), row_(columns_, 0.0) {
  set_seed(0);
}

std::uint64_t SparseRowHash::secret_at(std::size_t byte) const {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const char*>(secret_.data()) + byte, word_bytes);
  return value;
}

void SparseRowHash::set_seed(std::uint64_t seed) {
  seed_ = seed;
  for (std::size_t k = 0; k < secret_words; ++k) {
    secret_[k] = k % 2 == 0 ? default_secret[k] + seed : default_secret[k] - seed;
  }
  zero_block_ = {};
  for (std::size_t i = 0; i < lanes; ++i) {
    scramble_keys_[i] = secret_at(scramble_begin + word_bytes * i);
    for (std::size_t stripe = 0; stripe < block_stripes; ++stripe) {
      zero_block_[i] += product_of_halves(secret_at(word_bytes * (stripe + i)));
    }
  }
}

void SparseRowHash::add_stripe(const double* numbers, std::size_t secret_byte, Lanes& sums) const {
  for (std::size_t i = 0; i < lanes; ++i) {
    const auto value = std::bit_cast<std::uint64_t>(numbers[i]);
    sums[i ^ 1] += value;
    sums[i] += product_of_halves(value ^ secret_at(secret_byte + word_bytes * i));
  }
}

void SparseRowHash::add_stripes(const double* numbers, std::size_t count, Lanes& sums) const {
  for (std::size_t k = 0; k < count; ++k) add_stripe(numbers + lanes * k, word_bytes * k, sums);
}

void SparseRowHash::scramble(Lanes& sums) const {
  for (std::size_t i = 0; i < lanes; ++i) {
    sums[i] = ((sums[i] ^ (sums[i] >> 47)) ^ scramble_keys_[i]) * prime_32_1;
  }
}

/// Their sums do not mix, so that four at a time stay in registers.
void SparseRowHash::add_zero_blocks(std::size_t count, Lanes& sums) const {
  constexpr std::size_t at_once = 4;
  for (std::size_t first = 0; first < lanes; first += at_once) {
    std::array<std::uint64_t, at_once> own{};
    std::array<std::uint64_t, at_once> added{};
    std::array<std::uint64_t, at_once> keys{};
    for (std::size_t i = 0; i < at_once; ++i) {
      own[i] = sums[first + i];
      added[i] = zero_block_[first + i];
      keys[i] = scramble_keys_[first + i];
    }
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t i = 0; i < at_once; ++i) {
        const std::uint64_t sum = own[i] + added[i];
        own[i] = (sum ^ (sum >> 47) ^ keys[i]) * prime_32_1;
      }
    }
    for (std::size_t i = 0; i < at_once; ++i) sums[first + i] = own[i];
  }
}

std::uint64_t SparseRowHash::merged(const Lanes& sums) const {
  std::uint64_t hash = columns_ * sizeof(double) * prime_64_1;
  for (std::size_t i = 0; i < lanes; i += 2) {
    hash += folded_product(sums[i] ^ secret_at(merge_begin + word_bytes * i),
                           sums[i + 1] ^ secret_at(merge_begin + word_bytes * (i + 1)));
  }
  hash = (hash ^ (hash >> 37)) * prime_avalanche;
  return hash ^ (hash >> 32);
}

std::uint64_t SparseRowHash::digest(std::span<const std::pair<Index, double>> entries,
                                    std::uint64_t seed) {
  for (const auto& [column, value] : entries) row_[to_size(column)] = value;
  std::uint64_t hash = 0;
  if (columns_ * sizeof(double) <= longest_short_input) {
    hash = XXH3_64bits_withSeed(row_.data(), columns_ * sizeof(double), seed);
  } else {
    if (seed != seed_) set_seed(seed);
    constexpr std::size_t block = lanes * block_stripes;
    Lanes sums = {prime_32_3, prime_64_1, prime_64_2, prime_64_3,
                  prime_64_4, prime_32_2, prime_64_5, prime_32_1};
    const std::size_t blocks = (columns_ - 1) / block;  // the last stripes are no block
    std::size_t own = 0;
    for (auto next = entries.begin(); own < blocks; ++own) {
      const std::size_t filled =
          next == entries.end() ? blocks : std::min(to_size(next->first) / block, blocks);
      add_zero_blocks(filled - own, sums);
      own = filled;
      if (own == blocks) break;
      add_stripes(row_.data() + own * block, block_stripes, sums);
      scramble(sums);
      const auto end = static_cast<Index>((own + 1) * block);
      while (next != entries.end() && next->first < end) ++next;
    }
    const std::size_t begin = blocks * block;
    add_stripes(row_.data() + begin, (columns_ - begin - 1) / lanes, sums);
    add_stripe(row_.data() + columns_ - lanes, last_stripe_begin, sums);
    hash = merged(sums);
  }
  for (const auto& [column, value] : entries) row_[to_size(column)] = 0.0;
  return hash;
}

}  // namespace kernmix
