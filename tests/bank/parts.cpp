/// \file
/// Kernels that some samples lack: a bank that keeps them between the others alone gives the
/// products of the matrices with zeros, in less memory.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/linear_algebra.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/build.hpp"

namespace kernmix::testing {
namespace {

Matrix random_numbers(Index rows, Index cols, std::uint32_t seed) {
  std::mt19937 engine(seed);
  Matrix X(rows, cols);
  for (double& x : X.values) x = static_cast<double>(engine()) / 4294967296.0 - 0.5;
  return X;
}

/// Kernels between every sample, and between the first or the last ones alone.
std::vector<KernelSourcePtr> some_sources(Index n, Index present, bool dense) {
  const std::vector<Index> first = index_range(0, present);
  const std::vector<Index> last = index_range(n - present, n);
  std::vector<KernelSourcePtr> sources;
  std::uint32_t seed = 1;
  const auto source = [&](Index count, double gamma) {
    const ConstMatrix X(random_numbers(count, dense ? 20 : 2, ++seed));
    const KernelFunction function = dense ? make_kernel_function("rbf", {{"gamma", gamma}})
                                          : make_kernel_function("linear", {});
    return feature_source(function, X, X);
  };
  for (const double gamma : {0.5, 1.0}) {
    sources.push_back(source(n, gamma));
    for (const auto& samples : {first, last}) {
      const auto part = std::make_shared<const PresentSamples>(n, samples);
      sources.push_back(present_source(source(present, gamma), part, part));
    }
  }
  return sources;
}

std::vector<std::string> names_of(const std::vector<KernelSourcePtr>& sources) {
  return std::vector<std::string>(sources.size(), "kernel");
}

TEST(Parts, GiveTheProductsOfMatricesWithZeros) {
  constexpr Index n = 90;
  for (const bool dense : {false, true}) {
    for (const bool twice : {false, true}) {
      const auto sources = some_sources(n, 40, dense);
      BankOptions options;
      options.double_precision = twice;
      const auto bank = build_bank(sources, names_of(sources), options, {});
      const auto exact = exact_bank(sources);
      const double tolerance = twice ? 1e-12 : 1e-5;
      const Matrix A = random_numbers(5, n, 77);
      for (const Index vectors : {Index{1}, Index{5}}) {
        const Matrix own = vectors == 1 ? random_numbers(1, n, 78) : A;
        const Products p = bank->products(every_kernel(*bank), own, Reach::everywhere, {});
        const Products q = exact->products(every_kernel(*exact), own, Reach::everywhere, {});
        for (std::size_t i = 0; i < q.rows.values.size(); ++i) {
          EXPECT_NEAR(p.rows.values[i], q.rows.values[i], 50.0 * tolerance);
        }
        const Matrix forms = bank->products(every_kernel(*bank), own, Reach::forms, {}).forms;
        for (std::size_t i = 0; i < forms.values.size(); ++i) {
          EXPECT_NEAR(forms.values[i], q.forms.values[i], 500.0 * tolerance);
        }
      }
      const Vector d = {0.3, 0.2, 0.0, 0.1, 0.4, 0.5};
      const auto K = exact->combined(d);
      const auto stored = bank->combined(d);
      const std::vector<Index> all = all_samples(n);
      Vector expected(n * n);
      Vector found(n * n);
      K->matrix(all, expected, {});
      stored->matrix(all, found, {});
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], 5.0 * tolerance);
      }
      const Matrix z = stored->times(A, {});
      const Matrix y = K->times(A, {});
      for (std::size_t i = 0; i < z.values.size(); ++i) {
        EXPECT_NEAR(z.values[i], y.values[i], 50.0 * tolerance);
      }
      EXPECT_EQ(stored->columns() >= 0, !dense);
      if (!dense) {
        const Matrix Z = stored->factor({});
        const RowMatrix product = as_matrix(Z) * as_matrix(Z).transpose();
        for (Index i = 0; i < n; ++i) {
          for (Index j = 0; j < n; ++j) {
            EXPECT_NEAR(product(i, j), expected[to_size(i * n + j)], 5.0 * tolerance);
          }
        }
      }
      const std::vector<Index> some = {3, 11, 38, 39, 40, 52, 71, 89};
      const auto part = bank->restricted(some, {});
      Vector entries(64);
      Vector of_whole(64);
      for (Index m = 0; m < 6; ++m) {
        part->block(m, all_samples(8), all_samples(8), entries);
        exact->block(m, some, some, of_whole);
        for (std::size_t i = 0; i < 64; ++i) EXPECT_NEAR(entries[i], of_whole[i], tolerance);
      }
    }
  }
}

TEST(Parts, OfThreeTenthsTakeATenthOfTheMemory) {
  constexpr Index n = 1000;
  const auto sources = some_sources(n, 300, true);
  const auto whole = build_bank({sources[0]}, {"whole"}, {}, {});
  const auto part = build_bank({sources[1]}, {"part"}, {}, {});
  EXPECT_LE(static_cast<double>(part->bytes()), 0.15 * static_cast<double>(whole->bytes()));
  EXPECT_LE(plan_bank({sources[1]}, {}, {}).bank_bytes * 100, whole->bytes() * 15);
}

}  // namespace
}  // namespace kernmix::testing
