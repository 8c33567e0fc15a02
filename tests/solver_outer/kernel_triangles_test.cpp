/// \file
/// Few kernels, combined and multiplied in every step, are those of the bank.

#include "weights/kernel_triangles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "kernel_bank/reference.hpp"

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

Vector dual_vector() {
  Vector a(kSamples);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = i % 3 == 0 ? 0.0 : std::sin(1.0 + 7.0 * static_cast<double>(i));
  return a;
}

/// The kernels at `numbers` of the bank, with weights 1, 2, ...
void expect_those_of(const KernelBank& bank, const KernelTriangles& few,
                     const std::vector<Index>& numbers) {
  Vector d(static_cast<std::size_t>(bank.kernels()), 0.0);
  Eigen::ArrayXd weights(length(numbers));
  for (Index k = 0; k < length(numbers); ++k) {
    weights[k] = static_cast<double>(k + 1);
    d[static_cast<std::size_t>(numbers[static_cast<std::size_t>(k)])] = weights[k];
  }
  std::vector<float> want(kSamples * kSamples);
  bank.combine(d, want, Context());
  RowMatrix K;
  few.combine(weights, K);
  const Vector a = dual_vector();
  Matrix products(length(numbers), kSamples);
  bank.apply_each(numbers, a, products.values, Context());
  Matrix U(length(numbers), kSamples);
  few.multiply(a, U);
  for (Index i = 0; i < kSamples; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double entry = want[static_cast<std::size_t>(i * kSamples + j)];
      ASSERT_NEAR(K(i, j), entry, 1e-4) << i << ", " << j;
    }
    for (Index k = 0; k < length(numbers); ++k) {
      ASSERT_NEAR(U(k, i), products(k, i), 1e-4) << "kernel " << k << ", sample " << i;
    }
  }
}

TEST(KernelTriangles, AreThoseOfTheBank) {
  for (const bool double_precision : {false, true}) {
    const auto bank = mixed_bank(double_precision);
    const Context context;
    RecurringKernels known(*bank);
    KernelTriangles few(*bank, known, context);
    few.append({5, 2, 0});
    expect_those_of(*bank, few, {5, 2, 0});
    few.append({4, 1, 3});
    expect_those_of(*bank, few, {5, 2, 0, 4, 1, 3});
    few.keep({1, 3, 4});
    expect_those_of(*bank, few, {2, 4, 1});
    few.append({0, 3});  // where others were
    expect_those_of(*bank, few, {2, 4, 1, 0, 3});
  }
}

/// The inner solver adds up the same triangles then, and the next KernelTriangles copies nothing.
TEST(KernelTriangles, AreSharedWithKernelsThatComeAgain) {
  const auto bank = mixed_bank(false);
  const Context context;
  RecurringKernels known(*bank);
  KernelTriangles few(*bank, known, context);
  std::vector<Index> all(static_cast<std::size_t>(bank->kernels()));
  std::iota(all.begin(), all.end(), Index{0});
  few.append(all);
  std::vector<const float*> kept;
  for (const Index m : all) {
    const bool of_use = bank->columns_to_combine(m) >= 16;
    ASSERT_EQ(known.find(m) != nullptr, of_use) << "kernel " << m;
    if (of_use) kept.push_back(known.find(m)->values.get());
  }
  EXPECT_FALSE(kept.empty());
  KernelTriangles others(*bank, known, context);
  others.append(all);
  expect_those_of(*bank, others, all);
  std::size_t next = 0;
  for (const Index m : all) {
    if (known.find(m) == nullptr) continue;
    EXPECT_EQ(known.find(m)->values.get(), kept[next++]) << "kernel " << m;
  }
}

TEST(KernelTriangles, OfDenseKernelsAreThoseInTheBank) {
  const auto bank = mixed_bank(false);
  const Context context;
  RecurringKernels known(*bank);
  KernelTriangles few(*bank, known, context);
  constexpr Index dense = 5;
  ASSERT_NE(bank->stored_triangle(dense), nullptr);
  const auto users = bank->stored_triangle(dense)->values.use_count();
  few.append({dense});
  EXPECT_EQ(bank->stored_triangle(dense)->values.use_count(), users + 1);
  EXPECT_EQ(mixed_bank(true)->stored_triangle(dense), nullptr) << "in double precision";
}

TEST(KernelTriangles, MultiplyFactorsOnlyWhereTheBankIsNoMoreExact) {
  const std::array<Index, 3> subset = {5, 2, 0};
  const auto single = mixed_bank(false)->single_factors(subset, Context());
  EXPECT_TRUE(single[0].empty());
  EXPECT_FALSE(single[1].empty());
  EXPECT_FALSE(single[2].empty());
  for (const auto& L : mixed_bank(true)->single_factors(subset, Context())) EXPECT_TRUE(L.empty());
}

TEST(KernelTriangles, GiveTheSameBitsForAnyNumberOfThreads) {
  const auto bank = mixed_bank(false);
  const Vector a = dual_vector();
  const auto answer = [&](int threads) {
    Context context;
    context.threads = threads;
    RecurringKernels known(*bank);
    KernelTriangles few(*bank, known, context);
    few.append({0, 1, 4, 5});
    Matrix U(4, kSamples);
    few.multiply(a, U);
    RowMatrix K;
    few.combine(Eigen::ArrayXd::LinSpaced(4, 0.5, 2.0), K);
    for (Index i = 0; i < kSamples; ++i) {
      U.values.insert(U.values.end(), K.row(i).data(), K.row(i).data() + i + 1);
    }
    return U.values;
  };
  EXPECT_TRUE(answer(1) == answer(3));
}

}  // namespace
}  // namespace kernmix
