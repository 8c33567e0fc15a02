#include "kernmix/classical/alignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/linear_algebra.hpp"
#include "base/symmetric.hpp"
#include "classical/naive.hpp"
#include "classical/two_stage/centred_products.hpp"
#include "classical/two_stage/nonnegative_qp.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "kernmix/two_stage.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::alignment_of;
using testing::centred;
using testing::frobenius;
using testing::RandomData;
using testing::weighted_sum;

double norm(const Vector& v) {
  double sum = 0.0;
  for (const double value : v) sum += value * value;
  return std::sqrt(sum);
}

Vector unit(Vector v) {
  const double size = norm(v);
  for (double& value : v) value /= size;
  return v;
}

/// argmin_{v >= 0} v'Mv - 2 a'v by trying every support: the best of the minimisers that are >= 0.
Vector best_of_all_supports(const Matrix& M, const Vector& a) {
  const auto count = a.size();
  Vector best(count, 0.0);
  double lowest = 0.0;
  for (std::size_t bits = 1; bits < (std::size_t{1} << count); ++bits) {
    std::vector<Index> support;
    for (std::size_t m = 0; m < count; ++m) {
      if ((bits >> m & 1U) != 0) support.push_back(static_cast<Index>(m));
    }
    const Index size = length(support);
    Eigen::MatrixXd block(size, size);
    Eigen::VectorXd right(size);
    for (Index k = 0; k < size; ++k) {
      right[k] = a[static_cast<std::size_t>(support[static_cast<std::size_t>(k)])];
      for (Index l = 0; l < size; ++l) {
        block(k, l) = M(support[static_cast<std::size_t>(k)], support[static_cast<std::size_t>(l)]);
      }
    }
    const Eigen::VectorXd v = solve_symmetric(block, right);
    if (v.minCoeff() < 0.0) continue;
    const double value = v.dot(block * v) - 2.0 * right.dot(v);
    if (value >= lowest) continue;
    lowest = value;
    std::ranges::fill(best, 0.0);
    for (Index k = 0; k < size; ++k) {
      best[static_cast<std::size_t>(support[static_cast<std::size_t>(k)])] = v[k];
    }
  }
  return best;
}

struct Naive {
  Matrix M;
  Vector a;
  explicit Naive(const std::vector<Matrix>& kernels, const Vector& y)
      : M(length(kernels), length(kernels)), a(kernels.size()) {
    const Matrix targets = testing::outer(y);
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      const Matrix Kc = centred(kernels[k]);
      a[k] = frobenius(Kc, targets);
      for (std::size_t l = 0; l < kernels.size(); ++l) {
        M(static_cast<Index>(k), static_cast<Index>(l)) = frobenius(Kc, centred(kernels[l]));
      }
    }
  }
};

TEST(CentredProducts, AreThoseOfTheCentredMatrices) {
  const RandomData data(1, 150, 3);  // more than two tiles a side
  const std::vector<Matrix> kernels = data.kernels();
  const Naive naive(kernels, data.y);
  const auto bank = dense_bank(data.kernels());
  const Matrix P = centred_products(*bank, Context{});
  const Vector norms = centred_norms(*bank, Context{});
  const double scale = *std::ranges::max_element(naive.M.values);
  for (std::size_t k = 0; k < P.values.size(); ++k) {
    EXPECT_NEAR(P.values[k], naive.M.values[k], 1e-12 * scale);
  }
  for (Index m = 0; m < P.rows; ++m) {
    const double norm_m = norms[static_cast<std::size_t>(m)];
    EXPECT_NEAR(norm_m * norm_m, naive.M(m, m), 1e-12 * scale);
  }
}

TEST(Alignment, WeighsEveryKernelByItsOwnAlignment) {
  const RandomData data(2, 90, 3);
  const std::vector<Matrix> kernels = data.kernels();
  const auto bank = dense_bank(data.kernels());
  const AlignmentWeights result = align(*bank, data.y, Context{});
  Vector expected;
  for (const Matrix& K : kernels) expected.push_back(alignment_of(K, data.y));
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    EXPECT_NEAR(result.alignment[m], expected[m], 1e-12);
    EXPECT_NEAR(result.weights[m], unit(expected)[m], 1e-12);
  }
}

TEST(Alignf, IsTheBestOfAllSupports) {
  for (const unsigned seed : {3u, 4u, 5u, 6u}) {
    const RandomData data(seed, 40, 1);
    std::vector<Matrix> kernels = data.kernels();
    const RandomData noise(seed + 100, 40, 3);
    for (const double width : {0.3, 2.0}) kernels.push_back(noise.gaussian(width, {0, 1, 2}));
    const Naive naive(kernels, data.y);
    const Vector expected = unit(best_of_all_supports(naive.M, naive.a));
    const AlignmentWeights result = alignf(*dense_bank(kernels), data.y, Context{});
    EXPECT_LE(result.relative_gap, 1e-11);
    // Kernels 0 and 1 are the same here (one column): only their sum is determined.
    EXPECT_NEAR(alignment_of(weighted_sum(kernels, result.weights), data.y),
                alignment_of(weighted_sum(kernels, expected), data.y), 1e-10);
  }
}

TEST(Alignf, BeatsAlignUniformAndEveryKernel) {
  for (const unsigned seed : {7u, 8u, 9u}) {
    const RandomData data(seed, 60, 4);
    const std::vector<Matrix> kernels = data.kernels();
    const auto bank = dense_bank(data.kernels());
    const auto value = [&](const Vector& d) {
      return alignment_of(weighted_sum(kernels, d), data.y);
    };
    const double best = value(alignf(*bank, data.y, Context{}).weights);
    EXPECT_GE(best, value(align(*bank, data.y, Context{}).weights) - 1e-12);
    EXPECT_GE(best, value(Vector(kernels.size(), 1.0)) - 1e-12);
    for (const Matrix& K : kernels) EXPECT_GE(best, alignment_of(K, data.y) - 1e-12);
  }
}

TEST(Alignf, DoesNotDependOnTheScaleOfAKernelNorOnCopies) {
  const RandomData data(10, 50, 3);
  const std::vector<Matrix> kernels = data.kernels();
  const Vector plain = alignf(*dense_bank(data.kernels()), data.y, Context{}).weights;
  std::vector<Matrix> scaled = data.kernels();
  for (double& entry : scaled[1].values) entry *= 1000.0;
  scaled.push_back(kernels[0]);
  Vector w = alignf(*dense_bank(scaled), data.y, Context{}).weights;
  w[1] *= 1000.0;
  w[0] += w.back();
  w.pop_back();
  const Vector same = unit(w);
  for (std::size_t m = 0; m < plain.size(); ++m) EXPECT_NEAR(same[m], unit(plain)[m], 1e-6);
}

TEST(Alignment, NearlyConstantKernelsKeepTheirDigits) {
  const RandomData data(11, 70, 3);
  std::vector<Matrix> kernels = data.kernels();
  const double expected = alignment_of(kernels[2], data.y);
  for (double& entry : kernels[2].values) entry = 1.0 + 1e-6 * entry;
  EXPECT_NEAR(align(*dense_bank(kernels), data.y, Context{}).alignment[2], expected, 1e-8);
}

TEST(Alignment, ConstantKernelsHaveNoWeight) {
  const RandomData data(12, 30, 2);
  std::vector<Matrix> kernels = data.kernels();
  std::ranges::fill(kernels[0].values, 0.0);
  std::ranges::fill(kernels[3].values, 0.1);
  const auto bank = dense_bank(std::move(kernels));
  for (const auto& result : {align(*bank, data.y, Context{}), alignf(*bank, data.y, Context{})}) {
    EXPECT_EQ(result.weights[0], 0.0);
    EXPECT_EQ(result.weights[3], 0.0);
    EXPECT_NEAR(norm(result.weights), 1.0, 1e-14);
  }
}

TEST(Alignment, RefusesWhatHasNoAlignment) {
  const RandomData data(13, 20, 2);
  const auto bank = dense_bank(data.kernels());
  EXPECT_THROW(static_cast<void>(align(*bank, Vector(20, 1.0), Context{})), DataError);
  EXPECT_THROW(static_cast<void>(alignf(*bank, Vector(20, 0.0), Context{})), DataError);
  Matrix constant(20, 20);
  std::ranges::fill(constant.values, 2.0);
  const auto flat = dense_bank({constant});
  EXPECT_THROW(static_cast<void>(alignf(*flat, data.y, Context{})), DataError);
  Context small;
  small.memory_bytes = bank->bytes() + 1000;
  EXPECT_THROW(static_cast<void>(alignf(*bank, data.y, small)), ResourceError);
}

TEST(Alignment, AnyNumberOfThreadsGivesTheSameBits) {
  const RandomData data(14, 130, 4);
  const auto bank = dense_bank(data.kernels());
  for (const int threads : {2, 3, 7}) {
    Context several;
    several.threads = threads;
    EXPECT_EQ(align(*bank, data.y, Context{}).weights, align(*bank, data.y, several).weights);
    EXPECT_EQ(alignf(*bank, data.y, Context{}).weights, alignf(*bank, data.y, several).weights);
  }
}

TEST(Alignment, SolveTrainsWithTheWeightsOfTheFirstStage) {
  const RandomData data(15, 40, 3);
  const testing::OwnedProblem owned = testing::make_problem(data.kernels(), data.y, 1.0);
  for (const char* text : {"alignment", "alignf"}) {
    const Answer solution = testing::solve_tightly(owned.with(parse_regularizer(text)));
    const Vector expected = std::string(text) == "alignf"
                                ? alignf(*owned.bank, data.y, Context{}).weights
                                : align(*owned.bank, data.y, Context{}).weights;
    EXPECT_EQ(solution.d, expected);
    EXPECT_EQ(solution.status, Status::converged);
    const Answer fixed = testing::solve_tightly(owned.with(Fixed{expected}));
    EXPECT_EQ(solution.a, fixed.a);
    EXPECT_EQ(solution.certificate.gap, fixed.certificate.gap);
  }
}

/// Rows of positive numbers whose Gram matrix, scaled to unit diagonal, has rank at most `rank`.
Matrix correlations(unsigned seed, Index count, Index rank) {
  std::mt19937 engine(seed);
  Matrix Z(count, rank);
  for (Index k = 0; k < count; ++k) {
    double size = 0.0;
    for (double& value : Z.row(k)) {
      value = std::pow(static_cast<double>(engine() % 1000) / 1000.0, 3.0) + 1e-3;
      size += value * value;
    }
    for (double& value : Z.row(k)) value /= std::sqrt(size);
  }
  Matrix N(count, count);
  as_matrix(N) = as_matrix(Z) * as_matrix(Z).transpose();
  for (Index k = 0; k < count; ++k) N(k, k) = 1.0;
  return N;
}

TEST(NonnegativeQp, SatisfiesKktWhateverTheRank) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Index count = 2 + static_cast<Index>(seed % 30);
    const Matrix N = correlations(seed, count, 1 + static_cast<Index>(seed % 7) * 4);
    Vector c(static_cast<std::size_t>(count));
    std::mt19937 engine(seed + 1000);
    for (double& value : c) value = static_cast<double>(engine() % 1000) / 1000.0;
    const NonnegativeQp qp = solve_nonnegative_qp(N, c);
    EXPECT_LE(qp.relative_gap, 1e-9) << seed;
    const Eigen::VectorXd slope =
        as_matrix(N) * as_vector(ConstSpan(qp.x)) - as_vector(ConstSpan(c));
    const double scale = *std::ranges::max_element(c);
    for (Index m = 0; m < count; ++m) {
      const double x = qp.x[static_cast<std::size_t>(m)];
      EXPECT_GE(x, 0.0);
      EXPECT_GE(slope[m], -1e-6 * scale);
      EXPECT_LE(std::min(x, slope[m]), 1e-6 * scale);
    }
  }
}

}  // namespace
}  // namespace kernmix
