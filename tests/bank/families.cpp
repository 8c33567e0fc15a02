/// Kernels that share one basis, against the dense matrices they stand for.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "bank/family/family_build.hpp"
#include "bank/family/family_sketch.hpp"
#include "bank/family/incomplete_cholesky.hpp"
#include "bank/reference.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/bounded_products.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix::test {
namespace {

/// Points on a line, several times over.
std::shared_ptr<const Matrix> column(Index n, unsigned seed) {
  auto x = std::make_shared<Matrix>(n, Index{1});
  x->values = random_vector(n, seed);
  return x;
}

/// Gaussians of several widths and two polynomials on each of `columns` columns.
std::vector<KernelSourcePtr> column_kernels(Index n, unsigned columns) {
  std::vector<KernelSourcePtr> sources;
  for (unsigned c = 0; c < columns; ++c) {
    const auto x = column(n, c);
    for (const double gamma : {0.01, 0.1, 1.0, 8.0}) {
      sources.push_back(feature_source(make_kernel_function("rbf", {{"gamma", gamma}}), x, x));
    }
    for (const double degree : {1.0, 3.0}) {
      sources.push_back(
          feature_source(make_kernel_function("poly", {{"degree", degree}, {"coef0", 1.0}}), x, x));
    }
  }
  return sources;
}

Matrix dense(const KernelSource& source) {
  std::vector<Index> all(static_cast<std::size_t>(source.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  Matrix K(source.rows(), source.rows());
  source.block(all, all, K.values);
  return K;
}

/// The same kernels as given matrices, which do not say what they compare.
std::vector<KernelSourcePtr> given(const std::vector<KernelSourcePtr>& sources) {
  std::vector<KernelSourcePtr> matrices;
  for (const auto& source : sources) {
    matrices.push_back(std::make_shared<DenseSource>(dense(*source)));
  }
  return matrices;
}

/// The same as matrices in memory, scaled.
std::vector<KernelSourcePtr> stored(const std::vector<KernelSourcePtr>& sources) {
  std::vector<KernelSourcePtr> matrices;
  for (const auto& source : sources) {
    matrices.push_back(std::make_shared<StoredSource>(dense(*source)));
  }
  return matrices;
}

std::unique_ptr<KernelBank> built(const std::vector<KernelSourcePtr>& sources, int threads = 1) {
  Context context;
  context.threads = threads;
  return build_bank(sources, std::vector<std::string>(sources.size(), "k"), {}, context);
}

Index largest_rank(const std::vector<KernelSourcePtr>& sources) {
  Index rank = 0;
  for (const auto& entry : plan_bank(sources, {}, Context()).kernels) {
    rank = std::max(rank, entry.rank);
  }
  return rank;
}

/// Of a product with a shared basis, relative: what a basis leaves out, and the rounding of X to
/// single precision (2^-24 times sum_p |X_ip|) where many samples make it worth it.
double precision(Index n) { return n > 2048 ? 20.0 * 0x1p-24 : 1e-7; }

class Families : public ::testing::TestWithParam<Index> {};

/// Four Gaussians and two polynomials of a column cost little more than the roughest of them.
TEST_P(Families, KernelsOnOneColumnShareABasis) {
  const Index n = GetParam();
  const auto sources = column_kernels(n, 2);
  for (const auto& kernels : {sources, given(sources)}) {
    const Index rank = largest_rank(kernels);
    const auto bank = built(kernels);
    const auto basis = static_cast<std::size_t>(2 * n * (rank + 8)) * sizeof(double);
    const auto cores = static_cast<std::size_t>(2 * 6 * (rank + 8) * (rank + 8)) * sizeof(double);
    EXPECT_LE(bank->bytes(), basis + cores);
    EXPECT_EQ(bank->combined(Vector(sources.size(), 1.0))->columns() <= 2 * (rank + 8), true);
  }
}

TEST_P(Families, AreTheKernelsThatTheyStandFor) {
  const Index n = GetParam();
  const auto sources = column_kernels(n, 2);
  const Vector a = random_vector(n, 7, 0.3);
  std::vector<Matrix> kernels;
  for (const auto& source : sources) kernels.push_back(dense(*source));
  Vector d(sources.size(), 0.0);
  for (std::size_t m = 0; m < d.size(); m += 2) d[m] = 0.5 + static_cast<double>(m);
  const Matrix K = combined(kernels, d);
  const double scale = largest(K.values);
  const Vector Ka = product(K, a);
  std::vector<QuadraticForm> forms;
  for (const Matrix& kernel : kernels) forms.push_back(quadratic_form(kernel, a));
  for (const auto& form : {sources, given(sources), stored(sources)}) {
    const auto bank = built(form);
    Vector q = all_forms(*bank, a, Context());
    for (std::size_t m = 0; m < kernels.size(); ++m) {
      EXPECT_NEAR(q[m], forms[m].value, precision(n) * forms[m].magnitude) << m;
    }
    const Matrix Z = bank->combined(d)->factor(Context());
    EXPECT_LE(Z.cols, bank->combined(d)->columns());
    for (Index i = 0; i < n; i += 7) {
      for (Index j = 0; j < n; j += 11) {
        const double product =
            std::inner_product(Z.row(i).begin(), Z.row(i).end(), Z.row(j).begin(), 0.0);
        ASSERT_NEAR(product, K(i, j), 3.0 * precision(n) * scale);
      }
    }
    Vector z = combined_product(*bank, d, a, Context());
    for (std::size_t i = 0; i < z.size(); ++i) {
      ASSERT_NEAR(z[i], Ka[i], 3.0 * precision(n) * scale * static_cast<double>(n));
    }
  }
}

/// What is negligible in a sum of many samples is told from some of them.
TEST(FamiliesOfManySamples, KeepThoseThatLieApartFromAllOthers) {
  constexpr Index n = 5000;
  constexpr Index apart = 20;
  auto x = std::make_shared<Matrix>(n, Index{1});
  x->values = random_vector(n, 4);
  for (Index i = 0; i < apart; ++i)
    x->values[static_cast<std::size_t>(i)] = 6.0 + 3.0 * static_cast<double>(i);
  std::vector<KernelSourcePtr> sources;
  for (const double gamma : {0.5, 2.0, 8.0}) {
    sources.push_back(feature_source(make_kernel_function("rbf", {{"gamma", gamma}}), x, x));
  }
  const Matrix Z = built(sources)->combined(Vector(sources.size(), 1.0))->factor(Context());
  ASSERT_LT(Z.cols, n);
  for (Index i = 0; i < apart; ++i) {
    const auto z = Z.row(i);
    EXPECT_NEAR(std::inner_product(z.begin(), z.end(), z.begin(), 0.0), 3.0, 1e-4) << i;
  }
}

/// The bounds of a certificate need a basis of every column of many samples, at a tolerance near
/// rounding, whatever the distribution of the column: without one all n^2 entries are evaluated.
TEST(FamiliesOfManySamples, HaveBasesOfAlmostNoResidual) {
  constexpr Index n = 20000;
  constexpr double tolerance = 1e-14;
  for (unsigned seed = 0; seed < 12; ++seed) {
    for (const double power : {1.0, 2.0, 3.0}) {
      auto x = std::make_shared<Matrix>(n, Index{1});
      x->values = random_vector(n, seed);
      for (double& value : x->values)
        value = std::copysign(std::pow(std::abs(value), power), value);
      const auto source = feature_source(make_kernel_function("rbf", {{"gamma", 0.5}}), x, x);
      const auto outlines = bounding_families({source}, tolerance, Context());
      ASSERT_EQ(outlines->families.size(), 1u) << seed << ", " << power;
      const FamilySketch& sketch = outlines->families.front();
      const FamilyBasis basis =
          family_basis({source.get()}, sketch.pivots, tolerance, 2 * sketch.rank + 64, Context());
      EXPECT_EQ(basis.found.outcome, Factorization::Outcome::complete) << seed << ", " << power;
    }
  }
}

TEST_P(Families, AreTheSameForAnyNumberOfThreads) {
  const Index n = GetParam();
  const auto sources = given(column_kernels(n, n < 2048 ? 2 : 1));
  const Vector a = random_vector(n, 9);
  Vector first;
  for (const int threads : {1, 5}) {
    Context context;
    context.threads = threads;
    const auto bank = built(sources, threads);
    Vector q = all_forms(*bank, a, context);
    const Matrix Z = bank->combined(Vector(sources.size(), 0.25))->factor(context);
    q.insert(q.end(), Z.values.begin(), Z.values.end());
    if (first.empty()) first = q;
    EXPECT_TRUE(first == q) << threads;
  }
}

class FamilyPlans : public ::testing::TestWithParam<Index> {};

/// The plan knows the sizes before the kernels are computed on all samples.
TEST_P(FamilyPlans, AreWithinATenth) {
  const auto sources = column_kernels(GetParam(), 3);
  const MemoryPlan plan = plan_bank(sources, {}, Context());
  const auto bytes = static_cast<double>(built(sources)->bytes());
  EXPECT_NEAR(static_cast<double>(plan.bank_bytes), bytes, 0.1 * bytes);
  std::size_t sum = 0;
  for (const auto& entry : plan.kernels) sum += entry.bytes;
  EXPECT_EQ(sum, plan.bank_bytes);
}

/// A small sample of this kernel is of full rank there, but its rank on all is known to be 105.
TEST(Family, OfAKernelThatIsKnownByItsRankBound) {
  constexpr Index n = 270;
  auto x = std::make_shared<Matrix>(n, Index{13});
  x->values = random_vector(n * 13, 7);
  const std::vector<KernelSourcePtr> sources = {
      feature_source(make_kernel_function("poly", {{"degree", 2.0}, {"coef0", 1.0}}), x, x)};
  BankOptions options;
  options.double_precision = true;
  const auto bank = build_bank(sources, {"k"}, options, Context());
  EXPECT_EQ(bank->combined(Vector{1.0})->columns(), 105);
  const Vector a = random_vector(n, 8);
  Vector q = all_forms(*bank, a, Context());
  const Matrix K = dense(*sources.front());
  double expected = 0.0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      expected += a[static_cast<std::size_t>(i)] * K(i, j) * a[static_cast<std::size_t>(j)];
    }
  }
  EXPECT_NEAR(q[0], expected, 1e-9 * expected);
}

// All samples are looked at, a sketch of 512, and beyond 2048 single precision and three blocks.
/// What is negligible in the sum is told by the sketch, up to how ranks grow.
TEST_P(Families, PlanExpectsTheColumnsThatCountInTheSum) {
  const Index n = GetParam();
  const auto sources = column_kernels(n, 2);
  const MemoryPlan plan = plan_bank(sources, {}, Context());
  const auto bank = built(sources);
  const auto columns =
      static_cast<double>(bank->combined(Vector(sources.size(), 1.0))->factor(Context()).cols);
  const auto expected = static_cast<double>(expected_columns(plan));
  EXPECT_LE(expected_columns(plan), factor_columns(plan));
  EXPECT_LE(std::abs(expected - columns), 0.1 * columns + 1.0);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Families, ::testing::Values(90, 300, 600, 2100));
INSTANTIATE_TEST_SUITE_P(Sizes, FamilyPlans, ::testing::Values(90, 300, 700, 2500));

/// The first look at a few samples does not show where these kernels are more than their family.
/// A diagonal that rounding keeps apart from what the rows say of it.
TEST(IncompleteCholesky, PivotsAreSamplesThoughRowsAndDiagonalDiffer) {
  constexpr Index n = 3;
  RowwiseMatrix ones{Vector(n, 1.0), {}};
  ones.row = [=](Index p, Index begin, Index end, double* out) {
    ASSERT_LT(p, n);
    for (Index j = begin; j < end; ++j) *out++ = j == p ? 1.0 - 1e-9 : 1.0;
  };
  const Factorization found = incomplete_cholesky(ones, 1e-14, n, Context());
  EXPECT_EQ(found.outcome, Factorization::Outcome::complete);
  EXPECT_EQ(found.pivots, std::vector<Index>{0});
  EXPECT_EQ(found.columns.values, Vector(n, 1.0));
}

/// v v' and a diagonal of rounding, some of it negative: what is no larger is no column.
TEST(IncompleteCholesky, StopsAtTheRoundingThatTheEntriesBringAlong) {
  const Vector v = {2.0, 1.0, 1.0, 1.0, 1.0};
  const auto factorised = [&](double rounding) {
    const Vector error = {0.0, rounding, rounding, rounding, -2.0 * rounding};
    RowwiseMatrix K;
    for (std::size_t i = 0; i < v.size(); ++i) K.diagonal.push_back(v[i] * v[i] + error[i]);
    K.row = [&v, diagonal = K.diagonal](Index p, Index begin, Index end, double* out) {
      const auto at = static_cast<std::size_t>(p);
      for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j) {
        *out++ = j == at ? diagonal[j] : v[at] * v[j];
      }
    };
    return incomplete_cholesky(K, 1e-14, length(v), Context());
  };
  EXPECT_EQ(factorised(1e-12).outcome, Factorization::Outcome::complete);
  EXPECT_EQ(factorised(1e-12).pivots, std::vector<Index>{0});
  EXPECT_EQ(factorised(1e-9).outcome, Factorization::Outcome::indefinite);
}

/// A column of few values, which Gaussians from nearly constant to narrow make kernels of rank 1 to
/// 3 of: differences of numbers that are larger by up to 2^30.
TEST(FamiliesOfOthers, CentredKernelsOfFewValues) {
  for (const Index n : {60, 700}) {
    auto x = std::make_shared<Matrix>(n, Index{1});
    for (Index i = 0; i < n; ++i) (*x)(i, 0) = static_cast<double>(i * i % 11 % 4);
    std::vector<KernelSourcePtr> sources;
    for (const double exponent : {-28.0, -22.0, -16.0, -10.0, -4.0, 2.0}) {
      for (const char* rule : {"center", "center+trace", "cosine+center+trace"}) {
        const auto rbf =
            feature_source(make_kernel_function("rbf", {{"gamma", std::exp2(exponent)}}), x, x);
        const auto fitted = fit_normalization(parse_normalization(rule), *rbf);
        sources.push_back(normalized_source(rbf, fitted, true));
      }
    }
    const auto bank = built(sources);
    const Vector a = random_vector(n, 5);
    Vector q = all_forms(*bank, a, Context());
    for (std::size_t m = 0; m < sources.size(); ++m) {
      const QuadraticForm want = quadratic_form(dense(*sources[m]), a);
      EXPECT_NEAR(q[m], want.value, 1e-7 * want.magnitude) << m;
    }
  }
}

TEST(FamiliesOfOthers, KernelsThatDifferAtOneSampleStayApart) {
  constexpr Index n = 300;
  auto sources = given(column_kernels(n, 1));
  for (Index at = 10; at < n; at += 29) {
    Matrix K = dense(*sources[static_cast<std::size_t>(at) % 4]);
    K(at, at) += 1e-3;
    sources.push_back(std::make_shared<DenseSource>(K));
  }
  const auto bank = built(sources);
  for (std::size_t m = 0; m < sources.size(); ++m) {
    const Matrix K = dense(*sources[m]);
    for (Index i = 0; i < n; ++i) {
      double entry = 0.0;
      bank->block(static_cast<Index>(m), std::array{i}, std::array{i}, {&entry, 1});
      ASSERT_NEAR(entry, K(i, i), 1e-7 * largest(K.values)) << m << " at " << i;
    }
  }
}

/// Kernels on constant columns, say: their family has no columns at all.
TEST(FamiliesOfOthers, KernelsOfZeroAreAFamily) {
  for (const Index n : {40, 600}) {
    auto sources = column_kernels(n, 1);
    const auto zero = std::make_shared<Matrix>(n, Index{1});
    for (int times = 0; times < 3; ++times) {
      sources.push_back(feature_source(make_kernel_function("linear", {}), zero, zero));
    }
    const auto bank = built(sources, 2);
    Vector q = all_forms(*bank, random_vector(n, 3), Context());
    EXPECT_GT(q[0], 0.0);
    for (std::size_t m = 6; m < sources.size(); ++m) EXPECT_EQ(q[m], 0.0);
    const Vector even(sources.size(), 1.0);
    EXPECT_EQ(bank->combined(even)->factor(Context()).rows, n);
    std::vector<float> K(static_cast<std::size_t>(n * n));
    bank->combined(even)->matrix(all_samples(bank->samples()), std::span(K), Context());
    EXPECT_GT(K.front(), 0.0F);
  }
}

TEST(IncompleteCholesky, OfSeveralMatricesIsThatOfEach) {
  constexpr Index n = 120;
  const auto sources = stored(column_kernels(n, 2));
  const std::vector<Index> samples = all_samples(n);
  std::vector<RowwiseMatrix> matrices;
  for (const auto& source : sources) matrices.push_back(rowwise(*source, samples));
  const auto together = incomplete_cholesky(matrices, 1e-14, 30, Context());
  ASSERT_EQ(together.size(), matrices.size());
  for (std::size_t m = 0; m < matrices.size(); ++m) {
    const Factorization alone = incomplete_cholesky(matrices[m], 1e-14, 30, Context());
    EXPECT_EQ(together[m].outcome, alone.outcome) << m;
    EXPECT_EQ(together[m].pivots, alone.pivots) << m;
    EXPECT_TRUE(together[m].columns.values == alone.columns.values) << m;
  }
}

TEST(FamiliesOfOthers, KernelsOnOtherColumnsAndFullRankStayApart) {
  const Index n = 200;
  std::vector<KernelSourcePtr> sources = given(column_kernels(n, 2));
  sources.push_back(std::make_shared<DenseSource>(random_gram(n, n + 5, 3)));
  const auto bank = built(sources);
  const Vector a = random_vector(n, 4);
  Vector q = all_forms(*bank, a, Context());
  for (std::size_t m = 0; m < sources.size(); ++m) {
    const QuadraticForm want = quadratic_form(dense(*sources[m]), a);
    EXPECT_NEAR(q[m], want.value, 1e-7 * want.magnitude) << m;
  }
  Vector d(sources.size(), 1.0);
  EXPECT_EQ(bank->combined(d)->columns(), -1);
  d.back() = 0.0;
  EXPECT_GT(bank->combined(d)->columns(), 0);
}

}  // namespace
}  // namespace kernmix::test
