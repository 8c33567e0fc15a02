/// \file
/// Triangles of kernels that are combined again and again are those of the bank.

#include <gtest/gtest.h>

#include <vector>

#include "bank/reference.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/bank/triangle_cache.hpp"

namespace kernmix {
namespace {

constexpr Index kSamples = 90;

/// A family of smooth kernels on a line, one of low rank that is not in it, one of full rank.
std::unique_ptr<KernelBank> mixed_bank(bool double_precision) {
  std::vector<Matrix> kernels;
  for (const double width : {0.7, 1.0, 1.5, 3.0}) {
    kernels.push_back(test::line_rbf(kSamples, width, 3));
  }
  kernels.push_back(test::random_gram(kSamples, 3, 5));
  kernels.push_back(test::random_gram(kSamples, kSamples + 3, 7));
  BankOptions options;
  options.double_precision = double_precision;
  return build_bank(test::sources_of(kernels), test::names_of(kernels), options, Context());
}

/// The sum of the kernels at `numbers` of the bank with weights 1, 2, ...
void expect_those_of(const KernelBank& bank, const std::vector<Triangle>& few,
                     const std::vector<Index>& numbers) {
  Vector d(static_cast<std::size_t>(bank.kernels()), 0.0);
  Vector weights;
  for (const Index m : numbers) {
    weights.push_back(static_cast<double>(weights.size() + 1));
    d[static_cast<std::size_t>(m)] = weights.back();
  }
  std::vector<float> want(kSamples * kSamples);
  bank.combined(d)->matrix(all_samples(kSamples), std::span(want), Context());
  Matrix K(kSamples, kSamples);
  combine_triangles(few, weights, kSamples, K.values, Context());
  for (Index i = 0; i < kSamples; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double entry = want[static_cast<std::size_t>(i * kSamples + j)];
      ASSERT_NEAR(K(i, j), entry, 1e-4) << i << ", " << j;
    }
  }
}

TEST(Triangles, AreThoseOfTheBank) {
  for (const bool double_precision : {false, true}) {
    const auto bank = mixed_bank(double_precision);
    TriangleCache cache(*bank);
    for (const std::vector<Index>& numbers : {std::vector<Index>{5, 2, 0}, {5, 2, 0, 4, 1, 3}}) {
      expect_those_of(*bank, cache.triangles(numbers, Context()), numbers);
    }
  }
}

/// Once made they are added up for later weights, too, and nothing is copied.
TEST(Triangles, AreKeptWhereTheyAreOfUse) {
  const auto bank = mixed_bank(false);
  TriangleCache cache(*bank);
  const std::vector<Index> all = every_kernel(*bank);
  const std::vector<Triangle> first = cache.triangles(all, Context());
  const std::vector<Triangle> second = cache.triangles(all, Context());
  expect_those_of(*bank, second, all);
  Index kept = 0;
  for (const Index m : all) {
    Vector one(all.size(), 0.0);
    one[static_cast<std::size_t>(m)] = 1.0;
    const Index columns = bank->combined(one)->columns();
    const bool same = first[static_cast<std::size_t>(m)] == second[static_cast<std::size_t>(m)];
    EXPECT_EQ(same, columns < 0 || columns >= TriangleCache::columns_of_a_triangle) << m;
    kept += same ? 1 : 0;
  }
  EXPECT_GT(kept, 1);
}

TEST(Triangles, OfDenseKernelsAreThoseInTheBank) {
  constexpr Index dense = 5;
  for (const bool double_precision : {false, true}) {
    const auto bank = mixed_bank(double_precision);
    TriangleCache cache(*bank);
    const std::vector<Index> one = {dense};
    const Triangle first = cache.triangles(one, Context()).front();
    const Triangle second = cache.triangles(one, Context()).front();
    EXPECT_EQ(first == second, !double_precision) << "in double precision they are copies";
  }
}

TEST(Triangles, GiveTheSameBitsForAnyNumberOfThreads) {
  const auto bank = mixed_bank(false);
  const auto answer = [&](int threads) {
    Context context;
    context.threads = threads;
    TriangleCache cache(*bank);
    const std::vector<Triangle> few = cache.triangles(std::vector<Index>{0, 1, 4, 5}, context);
    Matrix K(kSamples, kSamples);
    combine_triangles(few, Vector{0.5, 1.0, 1.5, 2.0}, kSamples, K.values, context);
    return K.values;
  };
  EXPECT_TRUE(answer(1) == answer(3));
}

}  // namespace
}  // namespace kernmix
