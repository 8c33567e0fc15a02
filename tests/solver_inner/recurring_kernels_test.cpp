/// \file
/// K(d) of kernels that come again: that of the bank, whatever came before.

#include "svm/recurring_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bank/stored_bank.hpp"
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
  RecurringKernels kernels(bank);
  std::vector<std::vector<float>> results;
  for (const Vector& d : sequence()) {
    results.emplace_back(static_cast<std::size_t>(kSamples * kSamples));
    kernels.combine(d, results.back(), context);
  }
  return results;
}

TEST(RecurringKernels, CombineAsTheBankDoes) {
  const StoredBank bank = mixed_bank();
  const std::vector<std::vector<float>> results = combine_all(bank, Context{});
  for (std::size_t k = 0; k < results.size(); ++k) {
    std::vector<float> expected(results[k].size());
    bank.combine(sequence()[k], expected, Context{});
    const float largest = *std::ranges::max_element(expected);
    for (std::size_t e = 0; e < expected.size(); ++e) {
      ASSERT_NEAR(results[k][e], expected[e], 1e-6F * largest) << "weights " << k;
    }
  }
}

TEST(RecurringKernels, AreTheSameOnAnyNumberOfThreads) {
  const StoredBank bank = mixed_bank();
  Context two;
  two.threads = 2;
  EXPECT_EQ(combine_all(bank, Context{}), combine_all(bank, two));
}

/// A bank that counts what it is asked for.
class CountingBank final : public ForwardingBank {
 public:
  using ForwardingBank::ForwardingBank;
  void combine(ConstSpan d, std::span<float> out, const Context& context) const override {
    combined += std::ranges::count_if(d, [](double weight) { return weight != 0.0; });
    bank().combine(d, out, context);
  }
  void triangles(std::span<const Index> subset, std::span<const std::span<float>> out,
                 const Context& context) const override {
    made += length(subset);
    bank().triangles(subset, out, context);
  }

  mutable Index combined = 0;  ///< kernels, each time again
  mutable Index made = 0;      ///< triangles
};

/// Those of many columns, each once; the short factor and the dense kernel stay with the bank.
TEST(RecurringKernels, MakeTrianglesOfLongFactorsOnce) {
  const StoredBank bank = mixed_bank();
  const CountingBank counting(bank);
  combine_all(counting, Context{});
  EXPECT_EQ(counting.made, 3);
  EXPECT_EQ(counting.combined, 3 + 1 + 1 + 1 + 1);
}

TEST(RecurringKernels, MakeNoneThatTheBudgetDoesNotAllow) {
  const StoredBank bank = mixed_bank();
  const CountingBank counting(bank);
  Context tight;
  tight.memory_bytes = bank.bytes() + 1;
  combine_all(counting, tight);
  EXPECT_EQ(counting.made, 0);
}

TEST(RecurringKernels, ExpectNoMoreThanComeAgain) {
  EXPECT_EQ(RecurringKernels::expected(200, 10), 10);
  EXPECT_EQ(RecurringKernels::expected(200, 1000), 64);
  EXPECT_EQ(RecurringKernels::expected(2000, 1000), 0);
}

}  // namespace
}  // namespace kernmix::testing
