/// What the check for positive semidefinite kernels lets pass, and what it does not.

#include <gtest/gtest.h>

#include <cmath>

#include "bank/family/incomplete_cholesky.hpp"
#include "bank/reference.hpp"
#include "base/symmetric.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/bank/checks.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix::test {
namespace {

bool passes(const Matrix& K, int threads = 1) {
  Context context;
  context.threads = threads;
  try {
    check_definite(DenseSource(K), "K", context);
    return true;
  } catch (const DataError&) {
    return false;
  }
}

Matrix shifted(Matrix K, double shift) {
  for (Index i = 0; i < K.rows; ++i) K(i, i) += shift;
  return K;
}

double single_precision_bound(const Matrix& K, double lambda) {
  constexpr double u = 0x1p-24;
  const auto n = static_cast<double>(K.rows);
  const double trace = as_matrix(K).trace();
  const double s = 1e-6 * lambda + n * u * as_matrix(K).diagonal().maxCoeff();
  return s + (n + 2.0) * u * (trace + n * s);
}

/// Kernels of every rank, of which a multiple of the identity is taken away.
TEST(Definiteness, LetsAllPassThatAreAndNoneThatAreClearlyNot) {
  for (const Index n : {1, 2, 50, 400, 800}) {
    for (const Index rank : {Index{1}, n / 3 + 1, 2 * n}) {
      const Matrix K = random_gram(n, rank, static_cast<unsigned>(n + rank));
      const Eigen::VectorXd values = symmetric_eigenvalues(as_matrix(K));
      const double lambda = values[n - 1];
      EXPECT_TRUE(passes(K)) << n << ", rank " << rank;
      EXPECT_TRUE(passes(shifted(K, -0.5 * std::max(values[0], 0.0))));
      for (const double relative : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
        const Matrix below = shifted(K, -values[0] - relative * lambda);
        const double smallest = -relative * lambda;
        if (smallest >= -single_precision_bound(below, lambda)) continue;
        EXPECT_FALSE(passes(below)) << n << ", rank " << rank << ", " << relative;
      }
      EXPECT_FALSE(passes(shifted(K, -values[0] - 0.1 * lambda)));
    }
  }
}

TEST(Definiteness, DoesNotDependOnTheScaleOfAKernel) {
  const Matrix K = random_gram(60, 20, 3);
  const Matrix not_one = shifted(K, -1e-2);
  for (const double scale : {1e-200, 1e-40, 1e40, 1e200}) {
    Matrix scaled = K;
    Matrix indefinite = not_one;
    for (double& value : scaled.values) value *= scale;
    for (double& value : indefinite.values) value *= scale;
    EXPECT_TRUE(passes(scaled)) << scale;
    EXPECT_FALSE(passes(indefinite)) << scale;
  }
  EXPECT_TRUE(passes(Matrix(30, 30)));
}

/// Matrices of distances, given as kernels by mistake: their eigenvalues cancel in the trace.
TEST(Definiteness, SeesMatricesWithTinyDiagonals) {
  for (const double diagonal : {-1e-9, 0.0, 1e-9, 1e-7, 1e-5}) {
    for (const double entry : {1e-9, 3e-7, 1.0, 1e6}) {
      for (const Index n : {2, 120, 1600}) {
        Matrix K(n, n);
        for (Index i = 0; i < n; ++i) {
          for (Index j = 0; j < n; ++j) {
            const double apart = std::abs(static_cast<double>(i - j));
            K(i, j) = entry * (i == j ? diagonal : 1.0 + apart / static_cast<double>(n));
          }
        }
        EXPECT_FALSE(passes(K)) << diagonal << ", " << entry << ", " << n;
      }
    }
  }
}

/// Four blocks and a part: two samples that are more alike than with themselves.
TEST(Definiteness, SeesPairsOfManySamplesOnAnyNumberOfThreads) {
  constexpr Index n = 1700;
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i) K(i, i) = 1.0 + static_cast<double>(i % 7);
  for (const int threads : {1, 3}) {
    EXPECT_TRUE(passes(K, threads));
    for (const auto& [i, j] : {std::pair{3, 5}, {900, 901}, {10, 1699}, {1600, 1699}}) {
      Matrix pair = K;
      pair(i, j) = pair(j, i) = 1.01 * std::sqrt(K(i, i) * K(j, j));
      EXPECT_FALSE(passes(pair, threads)) << i << ", " << j;
      pair(i, j) = pair(j, i) = 0.99 * std::sqrt(K(i, i) * K(j, j));
      EXPECT_TRUE(passes(pair, threads)) << i << ", " << j;
    }
  }
}

/// The kernel of squared distances in the feature space.
KernelSourcePtr distances(const Matrix& gram) {
  return distance_kernels({std::make_shared<DenseSource>(gram)}).sources.front();
}

TEST(Definiteness, OfDistancesIsThatOnVectorsOfSumZero) {
  for (const Index n : {40, 1600}) {
    const Matrix K = random_gram(n, 5, 4);
    EXPECT_NO_THROW(check_definite(*distances(K), "D", {}));
    EXPECT_THROW(check_definite(*distances(shifted(K, -1.0)), "D", {}), DataError);
  }
}

// Kernels of svdd share a shift that is as large as the largest of their distances.
TEST(Definiteness, OfDistancesAllowsForTheRoundingOfALargeShift) {
  constexpr double shift = 1000.0;
  for (const Index n : {40, 1600}) {
    const Matrix K = random_gram(n, 5, 4);
    Matrix kept(n, n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        kept(i, j) = static_cast<float>(shift - (K(i, i) + K(j, j) - 2.0 * K(i, j)));
      }
    }
    const auto bank = dense_bank({kept});
    EXPECT_NO_THROW(check_definite(*bank, 0, *distances(K), "D", {})) << n;
    kept(0, 1) = kept(1, 0) += 0.5 * static_cast<double>(n);
    const auto indefinite = dense_bank({kept});
    EXPECT_THROW(check_definite(*indefinite, 0, *distances(K), "D", {}), DataError) << n;
  }
}

TEST(Definiteness, ARepairIsOnlyNamedForMatrices) {
  const auto x = std::make_shared<Matrix>(2, Index{1});
  x->values = {1.0, 2.0};
  const auto sigmoid = make_kernel_function("sigmoid", {{"gamma", 1.0}, {"coef0", -3.0}});
  try {
    check_definite(*feature_source(sigmoid, x, x), "sigmoid", {});
    FAIL() << "sigmoid was accepted";
  } catch (const DataError& refusal) {
    const std::string sentence = refusal.what();
    EXPECT_EQ(sentence.find("--repair"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("such as rbf or poly"), std::string::npos) << sentence;
  }
}

TEST(Definiteness, NamesTheEigenvaluesOrABound) {
  const auto message = [](const Matrix& K) -> std::string {
    try {
      check_definite(DenseSource(K), "K", {});
    } catch (const DataError& refusal) {
      return refusal.what();
    }
    return "not refused";
  };
  Matrix few(2, 2);
  few.values = {1.0, 2.0, 2.0, 1.0};
  EXPECT_EQ(message(few),
            "kernel 'K' is not positive semidefinite: its smallest eigenvalue is -1 and its "
            "largest 3; --repair clip, shift or flip makes given matrices positive semidefinite");
  Matrix many(1600, 1600);
  for (Index i = 0; i < many.rows; ++i) many(i, i) = i == 7 ? -1.0 : 1.0;
  EXPECT_EQ(message(many).find("kernel 'K' is not positive semidefinite: its smallest eigenvalue "
                               "is at most -"),
            0U)
      << message(many);
}

}  // namespace
}  // namespace kernmix::test
