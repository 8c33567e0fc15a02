/// Every product of every bank against naive sums over dense matrices.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <numeric>

#include "bank/reference.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/build.hpp"

namespace kernmix::test {
namespace {

/// One way to hold kernels, with the relative error that its storage may add.
struct Storage {
  std::string name;
  std::function<std::unique_ptr<KernelBank>(const std::vector<Matrix>&)> make;
  double error;
};

std::vector<Storage> storages() {
  const auto built = [](bool double_precision) {
    return [double_precision](const std::vector<Matrix>& kernels) {
      BankOptions options;
      options.double_precision = double_precision;
      return build_bank(sources_of(kernels), names_of(kernels), options, Context());
    };
  };
  return {
      {"dense", [](const std::vector<Matrix>& kernels) { return dense_bank(kernels); }, 1e-14},
      {"exact", [](const std::vector<Matrix>& kernels) { return exact_bank(sources_of(kernels)); },
       1e-14},
      {"exact, stored",
       [](const std::vector<Matrix>& kernels) {
         std::vector<KernelSourcePtr> sources;
         for (const Matrix& K : kernels) sources.push_back(std::make_shared<StoredSource>(K));
         return exact_bank(std::move(sources));
       },
       1e-14},
      {"single", built(false), 1e-7},
      {"double", built(true), 3e-11}};
}

/// Full rank, low rank, zero, one constant and a smooth kernel with duplicated samples.
std::vector<Matrix> kernel_zoo(Index n, unsigned seed) {
  std::vector<Matrix> kernels = {random_gram(n, n + 3, seed), random_gram(n, 2, seed + 1),
                                 random_gram(n, 0, 0), line_rbf(n, 0.5, seed + 2)};
  Matrix ones(n, n);
  for (double& value : ones.values) value = 1.0;
  kernels.push_back(std::move(ones));
  Matrix doubled = random_gram(n, 5, seed + 3);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) doubled(i, j) = doubled(i / 2, j / 2);
  }
  kernels.push_back(std::move(doubled));
  return kernels;
}

/// The kernels in every storage; building them takes longer than most of what is asked of them.
struct Stored {
  std::string name;
  std::unique_ptr<KernelBank> bank;
  double error;
};

std::vector<Stored> stored(const std::vector<Matrix>& kernels) {
  std::vector<Stored> all;
  for (const Storage& storage : storages()) {
    all.push_back({storage.name, storage.make(kernels), storage.error});
  }
  return all;
}

std::vector<QuadraticForm> quadratic_forms(const std::vector<Matrix>& kernels, ConstSpan a) {
  std::vector<QuadraticForm> forms;
  for (const Matrix& K : kernels) forms.push_back(quadratic_form(K, a));
  return forms;
}

class BankProducts : public ::testing::TestWithParam<Index> {
 protected:
  void expect_close(ConstSpan got, ConstSpan want, double scale, double error,
                    const std::string& what) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_NEAR(got[i], want[i], error * scale) << what << ", entry " << i;
    }
  }

  /// What panels of nine vectors give in rows 0 .. T - 1, whatever T.
  void expect_panels_of_rows(const std::vector<Vector>& vectors) {
    const Index n = GetParam();
    const std::vector<Matrix> kernels = kernel_zoo(n, 53);
    const Vector d = {0.3, 0.0, 2.0, 0.7, 0.4, 1.1};
    const Matrix sum = combined(kernels, d);
    const std::vector<Stored> banks = stored(kernels);
    for (const Index T : {1, 3, 4, 9}) {
      Matrix A(T, n);
      for (Index t = 0; t < T; ++t) {
        std::ranges::copy(vectors[static_cast<std::size_t>(t)], A.row(t).begin());
      }
      for (const auto& [name, bank, error] : banks) {
        const Matrix Q = all_panel_forms(*bank, A, Context());
        const Matrix Z = bank->combined(d)->times(A, Context());
        for (Index t = 0; t < T; ++t) {
          const Vector& a = vectors[static_cast<std::size_t>(t)];
          const std::vector<QuadraticForm> forms = quadratic_forms(kernels, a);
          for (std::size_t m = 0; m < kernels.size(); ++m) {
            EXPECT_NEAR(Q.row(t)[m], forms[m].value, error * forms[m].magnitude + 1e-300)
                << name << ", kernel " << m;
            EXPECT_GE(Q.row(t)[m], 0.0);
          }
          expect_close(Z.row(t), product(sum, a), 10.0 * static_cast<double>(n) * largest(a), error,
                       name);
        }
      }
    }
  }
};

TEST_P(BankProducts, QuadraticFormsAreThoseOfTheDenseMatrices) {
  const Index n = GetParam();
  const std::vector<Matrix> kernels = kernel_zoo(n, 11);
  const std::vector<Stored> banks = stored(kernels);
  for (const double zero_share : {0.0, 0.4, 0.9, 1.0}) {
    const Vector a = random_vector(n, 5, zero_share);
    const std::vector<QuadraticForm> want = quadratic_forms(kernels, a);
    for (const auto& [name, bank, error] : banks) {
      Vector q = all_forms(*bank, a, Context());
      for (std::size_t m = 0; m < kernels.size(); ++m) {
        EXPECT_NEAR(q[m], want[m].value, error * want[m].magnitude) << name << ", kernel " << m;
        EXPECT_GE(q[m], 0.0);
      }
    }
  }
}

TEST_P(BankProducts, ProductsAreThoseOfTheDenseMatrices) {
  const Index n = GetParam();
  const std::vector<Matrix> kernels = kernel_zoo(n, 23);
  const Vector d = {0.3, 0.0, 2.0, 0.7, 0.0, 1.1};
  const std::vector<Index> subset = {5, 0, 3, 1};
  const Vector u0 = random_vector(static_cast<Index>(subset.size()) * n, 1);
  const Matrix sum = combined(kernels, d);
  const std::vector<Stored> banks = stored(kernels);
  for (const double zero_share : {0.0, 0.9, 1.0}) {
    const Vector a = random_vector(n, 6, zero_share);
    const double scale = 10.0 * static_cast<double>(n) * largest(a);
    const Vector want = product(sum, a);
    Vector want_each;
    for (const Index m : subset) {
      const Vector of_one = product(kernels[static_cast<std::size_t>(m)], a);
      want_each.insert(want_each.end(), of_one.begin(), of_one.end());
    }
    for (const auto& [name, bank, error] : banks) {
      Vector z = random_vector(n, 2);
      z = combined_product(*bank, d, a, Context());
      expect_close(z, want, scale, error, name);

      Vector u = u0;
      u = bank->products(subset, a, Reach::everywhere, Context()).rows.values;
      expect_close(u, want_each, scale, error, name);
    }
  }
}

TEST_P(BankProducts, TrianglesAreThoseOfTheDenseMatrices) {
  const Index n = GetParam();
  const std::vector<Matrix> kernels = kernel_zoo(n, 29);
  const std::vector<Index> subset = {4, 0, 3, 5, 1};
  for (const Storage& storage : storages()) {
    const std::unique_ptr<KernelBank> bank = storage.make(kernels);
    for (std::size_t k = 0; k < subset.size(); ++k) {
      const Matrix& K = kernels[static_cast<std::size_t>(subset[k])];
      const double scale = largest(K.values);
      Vector one(kernels.size(), 0.0);
      one[static_cast<std::size_t>(subset[k])] = 1.0;
      const auto triangle = bank->combined(one)->triangle(Context());
      const float* entry = triangle.get();
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j <= i; ++j) {
          ASSERT_NEAR(*entry++, K(i, j), 1e-6 * scale) << storage.name << ", kernel " << k;
        }
      }
    }
  }
}

TEST_P(BankProducts, APartOfTheSamplesIsTheirRowsAndColumns) {
  const Index n = GetParam();
  std::vector<Index> samples;
  for (Index i = 0; i < n; ++i) {
    if (i % 3 != 1) samples.push_back(i);
  }
  const Vector a = random_vector(length(samples), 5);
  Vector spread(static_cast<std::size_t>(n), 0.0);  // the same vector, 0 at all others
  for (std::size_t k = 0; k < samples.size(); ++k) {
    spread[static_cast<std::size_t>(samples[k])] = a[k];
  }
  const std::vector<Matrix> kernels = kernel_zoo(n, 31);
  for (const auto& [name, bank, error] : stored(kernels)) {
    const std::unique_ptr<KernelBank> part = bank->restricted(samples, Context());
    ASSERT_EQ(part->samples(), length(samples));
    ASSERT_EQ(part->kernels(), bank->kernels());
    for (Index m = 0; m < part->kernels(); ++m) {
      Vector got(samples.size() * samples.size());
      Vector want(got.size());
      std::vector<Index> all(samples.size());
      std::iota(all.begin(), all.end(), Index{0});
      part->block(m, all, all, got);
      bank->block(m, samples, samples, want);
      EXPECT_EQ(got, want) << name << ", kernel " << m;
    }
    Vector q(kernels.size());
    Vector want(kernels.size());
    q = all_forms(*part, a, Context());
    want = all_forms(*bank, spread, Context());
    for (std::size_t m = 0; m < q.size(); ++m) {
      EXPECT_NEAR(q[m], want[m], 1e-9 * (1.0 + want[m])) << name << ", kernel " << m;
    }
  }
}

/// Many vectors at once give what they give one by one, whatever their number.
TEST_P(BankProducts, PanelsAreTheirRows) {
  std::vector<Vector> vectors;
  for (unsigned t = 0; t < 9; ++t) {
    vectors.push_back(random_vector(GetParam(), t, t % 2 == 0 ? 0.0 : 0.5));
  }
  expect_panels_of_rows(vectors);
}

/// Where few of their entries are not zero, these alone are read.
TEST_P(BankProducts, PanelsOfSparseVectorsAreTheirRows) {
  std::vector<Vector> vectors;
  for (unsigned t = 0; t < 9; ++t) vectors.push_back(random_vector(GetParam(), t, 0.9));
  expect_panels_of_rows(vectors);
}

/// Dense kernels bring their products at the support, other banks say that they do not.
TEST_P(BankProducts, FormsMayComeWithProductsAtTheSupport) {
  const Index n = GetParam();
  std::vector<Matrix> full;
  for (unsigned m = 0; m < 5; ++m) full.push_back(random_gram(n, n + 3, 40 + m));
  const std::vector<Index> subset = {0, 2, 3};
  for (const std::vector<Matrix>& kernels : {full, kernel_zoo(n, 47)}) {
    const std::vector<Stored> banks = stored(kernels);
    for (const double zero_share : {0.0, 0.4, 0.95, 1.0}) {
      const Vector a = random_vector(n, 8, zero_share);
      const double scale = 10.0 * static_cast<double>(n) * largest(a);
      const std::vector<QuadraticForm> want = quadratic_forms(kernels, a);
      std::vector<Vector> at_support(subset.size());
      for (std::size_t k = 0; k < subset.size(); ++k) {
        const Vector all = product(kernels[static_cast<std::size_t>(subset[k])], a);
        for (std::size_t i = 0; i < a.size(); ++i) {
          if (a[i] != 0.0) at_support[k].push_back(all[i]);
        }
      }
      for (const auto& [name, bank, error] : banks) {
        const Products both = bank->products(subset, a, Reach::support, Context());
        const Vector& q = both.forms.values;
        const Matrix& U = both.rows;
        const Index certain = name == "dense" ? length(subset) : 0;
        EXPECT_TRUE(U.rows == certain || (U.rows == length(subset) && !name.starts_with("exact")));
        for (std::size_t k = 0; k < subset.size(); ++k) {
          const QuadraticForm& form = want[static_cast<std::size_t>(subset[k])];
          EXPECT_NEAR(q[k], form.value, error * form.magnitude) << name;
          if (U.rows == 0) continue;
          expect_close(U.row(static_cast<Index>(k)), at_support[k], scale, error, name);
        }
      }
    }
  }
}

TEST_P(BankProducts, CombinedKernelsAreWeightedSums) {
  const Index n = GetParam();
  const std::vector<Matrix> kernels = kernel_zoo(n, 31);
  const Vector d = {0.3, 0.2, 2.0, 0.0, 0.4, 1.1};
  const Matrix want = combined(kernels, d);
  const double scale = largest(want.values);
  std::vector<Index> index;
  for (Index i = n - 1; i >= 0; i -= 3) index.push_back(i);
  for (const Storage& storage : storages()) {
    const auto bank = storage.make(kernels);
    std::vector<float> K(want.values.size(), -1.0F);
    bank->combined(d)->matrix(all_samples(bank->samples()), std::span(K), Context());
    expect_close(Vector(K.begin(), K.end()), want.values, scale, 3e-7 + storage.error,
                 storage.name);

    Vector block(index.size() * index.size(), -1.0);
    bank->combined(d)->matrix(index, std::span(block), Context());
    Vector expected;
    for (const Index i : index) {
      for (const Index j : index) expected.push_back(want(i, j));
    }
    expect_close(block, expected, scale, storage.error, storage.name);

    // Ascending: neighbours, and few of all.
    for (const Index step : {1, 2, 9}) {
      std::vector<Index> part;
      for (Index i = step / 2; i < n; i += step) part.push_back(i);
      std::vector<float> single(part.size() * part.size(), -1.0F);
      bank->combined(d)->matrix(part, std::span(single), Context());
      expected.clear();
      for (const Index i : part) {
        for (const Index j : part) expected.push_back(want(i, j));
      }
      expect_close(Vector(single.begin(), single.end()), expected, scale, 3e-7 + storage.error,
                   storage.name);
    }
  }
}

TEST_P(BankProducts, BlocksAreEntriesOfOneKernel) {
  const Index n = GetParam();
  const std::vector<Matrix> kernels = kernel_zoo(n, 37);
  std::vector<Index> rows;
  std::vector<Index> cols;
  for (Index i = 0; i < n; i += 2) rows.push_back(i);
  for (Index j = n - 1; j >= 0; j -= 3) cols.push_back(j);
  for (const Storage& storage : storages()) {
    const auto bank = storage.make(kernels);
    for (Index m = 0; m < length(kernels); ++m) {
      const Matrix& K = kernels[static_cast<std::size_t>(m)];
      Vector block(rows.size() * cols.size(), -1.0);
      bank->block(m, rows, cols, block);
      Vector expected;
      for (const Index i : rows) {
        for (const Index j : cols) expected.push_back(K(i, j));
      }
      expect_close(block, expected, std::max(largest(K.values), 1e-300), storage.error,
                   storage.name);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, BankProducts, ::testing::Values(1, 2, 3, 7, 64, 65, 131, 600));

TEST(BankProperty, SingleAndDoubleStorageDifferByTheRoundingOfTheEntries) {
  const bool holds = rc::check([] {
    const Index n = *rc::gen::inRange<Index>(1, 60);
    const Index rank = *rc::gen::inRange<Index>(0, n + 2);
    const auto seed = *rc::gen::inRange<unsigned>(0, 1000000);
    const double zero_share = *rc::gen::element(0.0, 0.5, 0.95);
    const std::vector<Matrix> kernels = {random_gram(n, rank, seed)};
    const Vector a = random_vector(n, seed + 1, zero_share);
    const QuadraticForm want = quadratic_form(kernels.front(), a);
    // A factor leaves a residual trace of at most 1e-14 trace(K) or n eps max diag(K) a sample.
    const double size = static_cast<double>(n) * largest(a);
    const double residual = 1e-15 * size * size * size * largest(kernels.front().values);
    for (const Storage& storage : storages()) {
      Vector q = all_forms(*storage.make(kernels), a, Context());
      RC_ASSERT(std::abs(q[0] - want.value) <=
                (storage.error > 1e-9 ? 1e-7 : 1e-14) * want.magnitude + residual);
    }
  });
  EXPECT_TRUE(holds);
}

TEST(BankProperty, ApplyAgreesWithQuadraticFormsAndIsLinearInTheWeights) {
  const bool holds = rc::check([] {
    const Index n = *rc::gen::inRange<Index>(1, 80);
    const auto seed = *rc::gen::inRange<unsigned>(0, 1000000);
    const std::vector<Matrix> kernels = {random_gram(n, n, seed), random_gram(n, 3, seed + 1),
                                         line_rbf(n, 2.0, seed + 2)};
    const Vector a = random_vector(n, seed + 3, 0.5);
    const Vector d = {0.25, 1.5, 0.0};
    for (const Storage& storage : storages()) {
      const auto bank = storage.make(kernels);
      const Vector q = all_forms(*bank, a, Context());
      const Vector z = combined_product(*bank, d, a, Context());
      double product_of_z = 0.0, size = 0.0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        product_of_z += a[i] * z[i];
        size += std::abs(a[i] * z[i]);
      }
      RC_ASSERT(std::abs(product_of_z - d[0] * q[0] - d[1] * q[1]) <= 1e-13 * (size + 1.0));
    }
  });
  EXPECT_TRUE(holds);
}

/// On two rows of tiles and of blocks, at least: more samples would repeat them.
TEST(BankProperty, EveryProductHasTheSameBitsForAnyNumberOfThreads) {
  const Index n = 530;
  std::vector<Matrix> kernels = kernel_zoo(n, 41);
  for (unsigned m = 0; m < 6; ++m) kernels.push_back(line_rbf(n, 0.1 * (m + 1.0), m));
  const Vector a = random_vector(n, 8, 0.3);
  const Vector d(kernels.size(), 0.375);
  std::vector<Index> subset = {0, 3, 5};
  std::vector<Index> all = subset;
  for (Index m = 0; m < length(kernels); ++m) all.push_back(m);
  const auto answers = [&](const KernelBank& bank, int threads) {
    Context context;
    context.threads = threads;
    Vector result = all_forms(bank, a, context);
    Vector z = combined_product(bank, d, a, context);
    result.insert(result.end(), z.begin(), z.end());
    for (const std::vector<Index>& chosen : {subset, all}) {
      Vector u(chosen.size() * a.size());
      u = bank.products(chosen, a, Reach::everywhere, context).rows.values;
      result.insert(result.end(), u.begin(), u.end());
    }
    Matrix panel(5, n);
    for (Index t = 0; t < 5; ++t) {
      std::ranges::copy(random_vector(n, static_cast<unsigned>(t)), panel.row(t).begin());
    }
    const Matrix Q = all_panel_forms(bank, panel, context);
    result.insert(result.end(), Q.values.begin(), Q.values.end());
    const Matrix Z = bank.combined(d)->times(panel, context);
    result.insert(result.end(), Z.values.begin(), Z.values.end());
    std::vector<float> K(a.size() * a.size());
    bank.combined(d)->matrix(all_samples(bank.samples()), std::span(K), context);
    result.insert(result.end(), K.begin(), K.end());
    Vector one(d.size(), 0.0);
    one[static_cast<std::size_t>(subset.back())] = 1.0;
    const auto triangle = bank.combined(one)->triangle(context);
    result.insert(result.end(), triangle.get(), triangle.get() + a.size() * (a.size() + 1) / 2);
    Vector block(a.size() * a.size());
    std::vector<Index> index;
    for (Index i = 0; i < n; ++i) index.push_back(i);
    bank.combined(d)->matrix(index, std::span(block), context);
    result.insert(result.end(), block.begin(), block.end());
    std::vector<float> part(index.size() / 2 * (index.size() / 2));
    bank.combined(d)->matrix(std::span(index).first(index.size() / 2), std::span(part), context);
    result.insert(result.end(), part.begin(), part.end());
    return result;
  };
  for (const auto& [name, bank, error] : stored(kernels)) {
    const Vector one = answers(*bank, 1);
    for (const int threads : {2, 7}) {
      EXPECT_TRUE(one == answers(*bank, threads)) << name << ", " << threads;
    }
  }
}

}  // namespace
}  // namespace kernmix::test
