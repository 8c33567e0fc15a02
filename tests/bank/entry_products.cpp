/// Products of all entries against sums in four times the precision.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bank/reference.hpp"
#include "kernmix/bank/bounded_products.hpp"
#include "problem/quad.hpp"

namespace kernmix::test {
namespace {

constexpr double roundoff = 0.5 * std::numeric_limits<double>::epsilon();

/// Kernels that are evaluated, and one that lies in memory, of more columns than one block.
struct Kernels {
  std::vector<Matrix> matrices;
  std::vector<KernelSourcePtr> sources;

  explicit Kernels(Index n) {
    for (unsigned m = 0; m < 4; ++m) matrices.push_back(random_gram(n, 5 + 20 * m, m + 1));
    for (const Matrix& K : matrices) sources.push_back(std::make_shared<DenseSource>(K));
    matrices.push_back(random_gram(n, 30, 9));
    sources.push_back(std::make_shared<StoredSource>(matrices.back()));
  }
};

/// Two vectors of other supports, with weights of some kernels, and one whose forms alone are
/// wanted, or three of these with zeros in each. Products of vectors of size 1e8 cancel.
struct Requests {
  std::vector<Vector> d;
  std::vector<Vector> a;
  std::vector<ProductRequest> list;

  Requests(Index n, Index M, double size, bool forms_only = false) {
    for (unsigned r = 0; r < 3; ++r) {
      Vector weights = random_vector(M, r + 5, 0.4);
      for (double& weight : weights) weight = forms_only || r == 2 ? 0.0 : std::abs(weight);
      d.push_back(weights);
      a.push_back(random_vector(n, r + 20, forms_only ? 0.3 * (r + 1) : 0.3 * r));
      for (double& value : a.back()) value *= size;
    }
    for (std::size_t r = 0; r < a.size(); ++r) list.push_back({d[r], a[r]});
  }
};

class EntryProducts : public ::testing::TestWithParam<Index> {};

void expect_bounds(const Kernels& kernels, const Requests& requests, double size) {
  const Index n = kernels.matrices.front().rows;
  const auto products = entry_products(kernels.sources, requests.list, Context());
  for (std::size_t r = 0; r < products.size(); ++r) {
    const BankProducts& own = products[r];
    std::vector<Quad> z(own.z.size(), 0);
    for (std::size_t m = 0; m < kernels.matrices.size(); ++m) {
      Quad q = 0;
      for (Index i = 0; i < n; ++i) {
        Quad product = 0;
        for (Index j = 0; j < n; ++j) {
          product += Quad(kernels.matrices[m](i, j)) * requests.a[r][static_cast<std::size_t>(j)];
        }
        q += product * requests.a[r][static_cast<std::size_t>(i)];
        z[static_cast<std::size_t>(i)] += product * requests.d[r][m];
      }
      EXPECT_TRUE(Quad(own.q[m]) <= q && q <= Quad(own.q[m]) + Quad(own.q_error[m])) << m;
      EXPECT_LE(own.q_error[m], 8.0 * roundoff * own.q[m] + 1e-26 * size * size) << m;
    }
    for (std::size_t i = 0; i < z.size(); ++i) {
      EXPECT_TRUE(absolute(Quad(own.z[i]) - z[i]) <= Quad(own.z_error[i])) << i;
      EXPECT_LE(own.z_error[i], 1.1 * roundoff * std::abs(own.z[i]) + 1e-26 * size) << i;
    }
  }
}

TEST_P(EntryProducts, HoldThoseWithoutRounding) {
  const Kernels kernels(GetParam());
  for (const double size : {1.0, 1e8}) {
    for (const bool forms_only : {false, true}) {
      SCOPED_TRACE(forms_only ? "forms only" : "products");
      expect_bounds(kernels, Requests(GetParam(), length(kernels.sources), size, forms_only), size);
    }
  }
}

TEST_P(EntryProducts, AreTheSameForAnyNumberOfThreads) {
  const Index n = GetParam();
  const Kernels kernels(n);
  const Requests requests(n, length(kernels.sources), 1.0);
  Context four;
  four.threads = 4;
  const auto one = entry_products(kernels.sources, requests.list, Context());
  const auto many = entry_products(kernels.sources, requests.list, four);
  for (std::size_t r = 0; r < one.size(); ++r) {
    EXPECT_EQ(one[r].z, many[r].z);
    EXPECT_EQ(one[r].q, many[r].q);
    EXPECT_EQ(one[r].z_error, many[r].z_error);
    EXPECT_EQ(one[r].q_error, many[r].q_error);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, EntryProducts, ::testing::Values(1, 7, 130, 521));

/// Nothing is rounded where nothing is added.
TEST(EntryProductsOfZero, AreExact) {
  const Kernels kernels(20);
  const Vector d(kernels.sources.size(), 1.0);
  const Vector a(20, 0.0);
  const std::vector<ProductRequest> requests = {{d, a}};
  const BankProducts products = entry_products(kernels.sources, requests, Context())[0];
  EXPECT_EQ(products.z_error, a);
  EXPECT_EQ(products.q_error, Vector(d.size(), 0.0));
}

}  // namespace
}  // namespace kernmix::test
