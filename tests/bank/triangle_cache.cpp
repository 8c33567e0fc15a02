/// \file
/// K(d) of kernels that come again: that of the bank, whatever came before.

#include "kernmix/bank/triangle_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "bank/stored_bank.hpp"
#include "base/samples.hpp"
#include "factor_family.hpp"
#include "forwarding_bank.hpp"
#include "random_problem.hpp"

namespace kernmix::testing {
namespace {

constexpr Index kSamples = 90;
constexpr Index kRanks[] = {40, 1, 25, 60};  // and one that is no factor
constexpr Index kAll = 5;

/// Of rank 40, 1, 25 and 60, and a dense one.
StoredBank mixed_bank() {
  StoredBank bank(kSamples, kAll);
  Index m = 0;
  for (const Index rank : kRanks) {
    const RandomData data(static_cast<unsigned>(m), kSamples, rank);
    bank.keep(alone(m++, data.X), false);
  }
  const Matrix K = RandomData(9, kSamples, 2).gaussian(0.5, {0, 1});
  Packed<float> triangle(kSamples);
  for (Index i = 0; i < kSamples; ++i) {
    for (Index j = 0; j <= i; ++j) triangle.row(i)[j] = static_cast<float>(K(i, j));
  }
  bank.keep(m, std::move(triangle));
  return bank;
}

/// Kernels come, go and come back.
const std::vector<Vector>& sequence() {
  static const std::vector<Vector> weights = {{1.0, 1.0, 0.0, 0.0, 1.0}, {0.5, 0.2, 0.3, 0.0, 0.0},
                                              {0.0, 0.0, 0.0, 0.0, 1.0}, {0.1, 0.0, 0.2, 0.3, 0.4},
                                              {0.0, 0.7, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.6, 0.4, 0.0}};
  return weights;
}

std::vector<std::vector<float>> combine_all(const KernelBank& bank, const Context& context) {
  TriangleCache kernels(bank);
  std::vector<std::vector<float>> results;
  for (const Vector& d : sequence()) {
    results.emplace_back(static_cast<std::size_t>(kSamples * kSamples));
    kernels.combine(d, results.back(), context);
  }
  return results;
}

TEST(TriangleCache, CombineAsTheBankDoes) {
  const StoredBank bank = mixed_bank();
  const std::vector<std::vector<float>> results = combine_all(bank, Context{});
  for (std::size_t k = 0; k < results.size(); ++k) {
    std::vector<float> expected(results[k].size());
    bank.combined(sequence()[k])
        ->matrix(all_samples(bank.samples()), std::span(expected), Context{});
    const float largest = *std::ranges::max_element(expected);
    for (std::size_t e = 0; e < expected.size(); ++e) {
      ASSERT_NEAR(results[k][e], expected[e], 1e-6F * largest) << "weights " << k;
    }
  }
}

TEST(TriangleCache, AreTheSameOnAnyNumberOfThreads) {
  const StoredBank bank = mixed_bank();
  Context two;
  two.threads = 2;
  EXPECT_EQ(combine_all(bank, Context{}), combine_all(bank, two));
}

/// A bank that counts what it is asked for.
class CountingBank final : public ForwardingBank {
 public:
  using ForwardingBank::ForwardingBank;
  [[nodiscard]] std::unique_ptr<Combined> combined(ConstSpan d) const override {
    const Index kernels = std::ranges::count_if(d, [](double weight) { return weight != 0.0; });
    return std::make_unique<Counted>(*this, kernels, bank().combined(d));
  }

  mutable Index combined_kernels = 0;   ///< each time again
  mutable std::atomic<Index> made = 0;  ///< triangles

 private:
  class Counted final : public ForwardingCombined {
   public:
    Counted(const CountingBank& counter, Index kernels, std::unique_ptr<Combined> other)
        : ForwardingCombined(std::move(other)), counter_(counter), kernels_(kernels) {}
    using ForwardingCombined::matrix;
    void matrix(std::span<const Index> on, std::span<float> out,
                const Context& context) const override {
      counter_.combined_kernels += kernels_;
      ForwardingCombined::matrix(on, out, context);
    }
    [[nodiscard]] Triangle triangle(const Context& context) const override {
      ++counter_.made;
      return ForwardingCombined::triangle(context);
    }

   private:
    const CountingBank& counter_;
    Index kernels_;
  };
};

/// Those of many columns, each once; the short factor and the dense kernel stay with the bank.
TEST(TriangleCache, MakeTrianglesOfLongFactorsOnce) {
  const StoredBank bank = mixed_bank();
  const CountingBank counting(bank);
  combine_all(counting, Context{});
  EXPECT_EQ(counting.made, 3);
  EXPECT_EQ(counting.combined_kernels, 3 + 1 + 1 + 1 + 1);
}

TEST(TriangleCache, MakeNoneThatTheBudgetDoesNotAllow) {
  const StoredBank bank = mixed_bank();
  const CountingBank counting(bank);
  Context tight;
  tight.memory_bytes = bank.bytes() + 1;
  combine_all(counting, tight);
  EXPECT_EQ(counting.made, 0);
}

TEST(TriangleCache, ExpectNoMoreThanComeAgain) {
  EXPECT_EQ(TriangleCache::expected(200, 10), 10);
  EXPECT_EQ(TriangleCache::expected(200, 1000), 64);
  EXPECT_EQ(TriangleCache::expected(2000, 1000), 0);
}

}  // namespace
}  // namespace kernmix::testing
