#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/symmetric.hpp"
#include "kernel/reference.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

double relative(double a, double b) { return std::abs(a - b) / std::max({1.0, std::abs(a)}); }

// Column counts on both sides of the switch from sums to matrix products, and block sizes on both
// sides of a panel.
class EveryFunction : public testing::TestWithParam<Index> {};

TEST_P(EveryFunction, EqualsItsFormula) {
  const Index columns = GetParam();
  for (const KernelFunction& f : example_functions(static_cast<double>(columns))) {
    const MatrixPtr left = random_samples(f, 21, columns, 1);
    const MatrixPtr right = random_samples(f, 37, columns, 2);
    const Matrix cross = evaluate(*feature_source(f, left, right));
    for (Index i = 0; i < 21; ++i) {
      for (Index j = 0; j < 37; ++j) {
        const double k = naive_kernel(f, left->row(i), right->row(j));
        EXPECT_LE(relative(k, cross(i, j)), 1e-13 * static_cast<double>(columns + 10))
            << f.text() << " at " << i << ", " << j;
      }
    }
  }
}

TEST_P(EveryFunction, GivesTheSameEntriesInAnyBlocks) {
  const Index columns = GetParam();
  const std::vector<Index> rows = {20, 3, 3, 0, 11};
  const std::vector<Index> cols = {1, 19, 2, 3, 20, 0, 7};
  for (const KernelFunction& f : example_functions(static_cast<double>(columns))) {
    const MatrixPtr samples = random_samples(f, 21, columns, 3);
    const KernelSourcePtr source = feature_source(f, samples, samples);
    const Matrix gram = evaluate(*source);
    Vector block(rows.size() * cols.size());
    source->block(rows, cols, block);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < cols.size(); ++c) {
        EXPECT_EQ(gram(rows[r], cols[c]), block[r * cols.size() + c]) << f.text();
      }
    }
  }
}

/// A sample alone, some samples, and one pair, of odd rows in memory that is aligned otherwise.
TEST_P(EveryFunction, GivesTheSameBitsWhateverElseIsAskedFor) {
  const Index columns = GetParam();
  std::mt19937 random(17);
  for (const KernelFunction& f : example_functions(static_cast<double>(columns))) {
    const MatrixPtr left = random_samples(f, 31, columns, 5);
    const MatrixPtr right = random_samples(f, 45, columns, 6);
    const KernelSourcePtr source = feature_source(f, left, right);
    const Matrix whole = evaluate(*source);
    for (int k = 0; k < 12; ++k) {
      std::vector<Index> rows(k % 3 == 0 ? 1 : 1 + random() % 31);
      std::vector<Index> cols(k % 4 == 0 ? 1 : 1 + random() % 45);
      for (Index& i : rows) i = static_cast<Index>(random() % 31);
      for (Index& j : cols) j = static_cast<Index>(random() % 45);
      Vector block(rows.size() * cols.size());
      source->block(rows, cols, block);
      for (std::size_t e = 0; e < block.size(); ++e) {
        EXPECT_EQ(block[e], whole(rows[e / cols.size()], cols[e % cols.size()])) << f.text();
      }
    }
  }
}

TEST_P(EveryFunction, CrossKernelsAreBlocksOfTheTrainingKernel) {
  const Index columns = GetParam();
  for (const KernelFunction& f : example_functions(static_cast<double>(columns))) {
    const MatrixPtr samples = random_samples(f, 30, columns, 4);
    auto some = std::make_shared<Matrix>(9, columns);
    std::copy_n(samples->values.begin(), some->values.size(), some->values.begin());
    const Matrix gram = evaluate(*feature_source(f, samples, samples));
    const Matrix cross = evaluate(*feature_source(f, some, samples));
    for (Index i = 0; i < 9; ++i) {
      for (Index j = 0; j < 30; ++j) {
        EXPECT_LE(relative(gram(i, j), cross(i, j)), 1e-12) << f.text();
      }
    }
  }
}

TEST_P(EveryFunction, HasTheDiagonalOfItsBlocks) {
  const Index columns = GetParam();
  for (const KernelFunction& f : example_functions(static_cast<double>(columns))) {
    const MatrixPtr samples = random_samples(f, 12, columns, 5);
    const KernelSourcePtr source = feature_source(f, samples, samples);
    const Matrix gram = evaluate(*source);
    Vector left(12);
    Vector right(12);
    source->left_diagonal(left);
    source->right_diagonal(right);
    EXPECT_EQ(left, right);
    const bool of_distance = f.parameters.contains("gamma") && f.name != "poly" &&
                             f.name != "sigmoid" &&
                             f.name != "spherical_rbf";  // of a cosine, which rounds
    for (Index i = 0; i < 12; ++i) {
      const double diagonal = left[static_cast<std::size_t>(i)];
      EXPECT_LE(relative(gram(i, i), diagonal), 1e-12) << f.text();
      if (of_distance) {
        EXPECT_EQ(gram(i, i), 1.0) << f.text();
      }
    }
    if (of_distance) {
      EXPECT_EQ(gram(0, 3), 1.0) << f.text() << " of equal samples";
    }
  }
}

/// What is known to be semidefinite is not tested for it, which would take most of the time.
TEST_P(EveryFunction, SaysThatItIsSemidefiniteNormalisedOrNot) {
  const Index columns = GetParam();
  for (const KernelFunction& f : example_functions(static_cast<double>(columns))) {
    const MatrixPtr samples = random_samples(f, 25, columns, 7);
    const KernelSourcePtr plain = feature_source(f, samples, samples);
    const bool expected =
        std::ranges::find(kernel_functions(), f.name, &KernelFunctionInfo::name)->always_psd;
    EXPECT_EQ(plain->always_psd(), expected) << f.text();
    const Normalization rule = parse_normalization("center+trace");
    const auto normalized = normalized_source(plain, fit_normalization(rule, *plain), true);
    EXPECT_EQ(normalized->always_psd(), expected) << f.text();
    if (!expected) continue;
    const Matrix gram = evaluate(*normalized);
    const Eigen::VectorXd eigenvalues = symmetric_eigenvalues(as_matrix(gram));
    EXPECT_GE(eigenvalues.minCoeff(), -1e-12 * eigenvalues.maxCoeff()) << f.text();
  }
}

TEST_P(EveryFunction, HasARankBoundThatHolds) {
  const Index columns = GetParam();
  for (const KernelFunction& f : example_functions(static_cast<double>(columns))) {
    const MatrixPtr samples = random_samples(f, 40, columns, 6);
    const KernelSourcePtr source = feature_source(f, samples, samples);
    const Matrix gram = evaluate(*source);
    Eigen::VectorXd size = symmetric_eigenvalues(as_matrix(gram));
    for (double& value : size) value = std::abs(value);
    const double smallest = 1e-10 * std::ranges::max(size);
    const auto rank = std::ranges::count_if(size, [&](double value) { return value > smallest; });
    EXPECT_LE(rank, source->rank_bound()) << f.text();
    EXPECT_LE(source->rank_bound(), 40) << f.text();
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, EveryFunction, testing::Values(1, 2, 16, 17, 64, 530),
                         [](const auto& test) { return fmt::format("columns_{}", test.param); });

TEST(KernelFunctions, AreSymmetricAndPositiveSemidefinite) {
  EXPECT_TRUE(rc::check([] {
    const Index n = *rc::gen::inRange<Index>(1, 25);
    const Index columns = *rc::gen::inRange<Index>(1, 24);
    const auto seed = *rc::gen::arbitrary<unsigned>();
    for (const KernelFunction& f : example_functions(static_cast<double>(columns))) {
      const MatrixPtr samples = random_samples(f, n, columns, seed);
      const Matrix gram = evaluate(*feature_source(f, samples, samples));
      const auto K = as_matrix(gram);
      const double size = K.cwiseAbs().maxCoeff() + 1.0;
      RC_ASSERT((K - K.transpose()).cwiseAbs().maxCoeff() <= 1e-13 * size);
      if (f.name == "sigmoid") continue;
      RC_ASSERT(symmetric_eigenvalues(K)[0] >= -1e-12 * size * static_cast<double>(n));
    }
  }));
}

TEST(KernelFunctions, KeepTinyDistancesFarFromTheOrigin) {
  for (const Index columns : {Index{1}, Index{40}}) {
    auto samples = std::make_shared<Matrix>(2, columns);
    for (Index c = 0; c < columns; ++c) {
      (*samples)(0, c) = 1000.0;
      (*samples)(1, c) = 1000.0;
    }
    (*samples)(1, 0) += 0x1p-30;
    const auto f = make_kernel_function("exponential", {{"gamma", 1.0}});
    const Matrix gram = evaluate(*feature_source(f, samples, samples));
    EXPECT_DOUBLE_EQ(gram(0, 1), std::exp(-0x1p-30));
    EXPECT_EQ(gram(0, 0), 1.0);
  }
}

TEST(KernelFunctions, SurviveExtremeDistances) {
  for (const Index columns : {Index{1}, Index{40}}) {
    auto samples = std::make_shared<Matrix>(3, columns);
    (*samples)(1, 0) = 1e200;
    (*samples)(2, 0) = 27.0;
    const auto f = make_kernel_function("rbf", {{"gamma", 1.0}});
    const Matrix gram = evaluate(*feature_source(f, samples, samples));
    EXPECT_EQ(gram(0, 1), 0.0);
    EXPECT_EQ(gram(1, 1), 1.0);
    EXPECT_NEAR(gram(0, 2) / std::exp(-729.0), 1.0, 1e-4) << "a subnormal number";
  }
}

/// exp(-s) vanishes before its polynomial overflows.
TEST(KernelFunctions, OfMaternVanishAtInfinity) {
  auto samples = std::make_shared<Matrix>(2, 1);
  (*samples)(1, 0) = 1e200;
  for (const double nu : {0.5, 1.5, 2.5}) {
    const auto f = make_kernel_function("matern", {{"nu", nu}, {"gamma", 1.0}});
    const Matrix gram = evaluate(*feature_source(f, samples, samples));
    EXPECT_EQ(gram.values, (Vector{1.0, 0.0, 0.0, 1.0}));
  }
}

/// The rate overflows, the diagonal stays 1: the limit is the identity and not zero.
TEST(KernelFunctions, KeepTheirDiagonalAtTheNarrowestWidths) {
  auto samples = std::make_shared<Matrix>(2, 1);
  (*samples)(1, 0) = 1.0;
  const std::vector<KernelFunction> narrowest = {
      make_kernel_function("matern", {{"nu", 2.5}, {"gamma", 1e308}}),
      make_kernel_function("rational_quadratic", {{"alpha", 0.1}, {"gamma", 1e308}})};
  for (const KernelFunction& f : narrowest) {
    const Matrix gram = evaluate(*feature_source(f, samples, samples));
    EXPECT_EQ(gram(0, 0), 1.0);
    EXPECT_EQ(gram(1, 1), 1.0);
    EXPECT_NEAR(gram(0, 1), 0.0, 1e-30);
  }
}

TEST(KernelFunctions, OfMaternWithNuOneHalfAreExponential) {
  const auto matern = make_kernel_function("matern", {{"nu", 0.5}, {"width", 2.0}});
  const auto exponential = make_kernel_function("exponential", {{"width", 2.0}});
  const MatrixPtr samples = random_samples(matern, 20, 3, 9);
  EXPECT_LE(largest_difference(evaluate(*feature_source(matern, samples, samples)),
                               evaluate(*feature_source(exponential, samples, samples))),
            1e-15);
}

TEST(KernelFunctions, OfRationalQuadraticsComeNearGaussians) {
  const auto gaussian = make_kernel_function("rbf", {{"width", 2.0}});
  const auto rational =
      make_kernel_function("rational_quadratic", {{"alpha", 1e9}, {"width", 2.0}});
  const MatrixPtr samples = random_samples(gaussian, 20, 3, 9);
  EXPECT_LE(largest_difference(evaluate(*feature_source(gaussian, samples, samples)),
                               evaluate(*feature_source(rational, samples, samples))),
            1e-8);
}

/// k(x, x) = 1, but 0 of the sample without counts, which is like no sample.
TEST(KernelFunctions, OfCountsCompareSharesOfThem) {
  auto samples = std::make_shared<Matrix>(4, 3);
  samples->values = {0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 3.0, 2.0, 1.0, 0.0, 0.1, 0.0};
  const auto value = [&](const char* name, Index i, Index j) {
    return evaluate(*feature_source(make_kernel_function(name, {}), samples, samples))(i, j);
  };
  for (const char* name : {"bray_curtis", "minmax"}) {
    for (Index i = 0; i < 4; ++i) {
      EXPECT_EQ(value(name, i, i), i == 0 ? 0.0 : 1.0) << name;
      EXPECT_EQ(value(name, 0, i), 0.0) << name;
    }
  }
  EXPECT_DOUBLE_EQ(value("bray_curtis", 1, 2), 8.0 / 12.0);
  EXPECT_DOUBLE_EQ(value("minmax", 1, 2), 4.0 / 8.0);
}

/// |A and B| / |A or B| of sets, as fingerprints are compared.
TEST(KernelFunctions, OfFingerprintsAreTanimotoSimilarities) {
  auto prints = std::make_shared<Matrix>(2, 5);
  prints->values = {1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0};
  const auto minmax = make_kernel_function("minmax", {});
  EXPECT_DOUBLE_EQ(evaluate(*feature_source(minmax, prints, prints))(0, 1), 2.0 / 5.0);
}

TEST(KernelFunctions, TellTheRankOfPolynomials) {
  const auto rank = [](const KernelFunction& f, Index n, Index columns) {
    const MatrixPtr samples = random_samples(f, n, columns, 7);
    return feature_source(f, samples, samples)->rank_bound();
  };
  EXPECT_EQ(rank(make_kernel_function("linear", {}), 100, 7), 7);
  EXPECT_EQ(rank(make_kernel_function("cosine", {}), 100, 7), 7);
  EXPECT_EQ(rank(make_kernel_function("linear", {}), 5, 7), 5);
  EXPECT_EQ(rank(make_kernel_function("poly", {{"degree", 2}}), 100, 3), 6);
  EXPECT_EQ(rank(make_kernel_function("poly", {{"degree", 2}, {"coef0", 1}}), 100, 3), 10);
  EXPECT_EQ(rank(make_kernel_function("poly", {{"degree", 3}}), 100, 1), 1);
  EXPECT_EQ(rank(make_kernel_function("poly", {{"degree", 100}, {"coef0", 1}}), 50, 500), 50);
  EXPECT_EQ(rank(make_kernel_function("rbf", {{"gamma", 1}}), 50, 1), 50);
}

TEST(KernelFunctions, ApplyToGivenDistances) {
  auto distances = std::make_shared<Matrix>(2, 3);
  distances->values = {0.0, 1.5, 2.0, 1.5, 0.0, 0.25};
  const auto value = [&](const char* name, Index i, Index j) {
    return evaluate(*matrix_source(make_kernel_function(name, {{"gamma", 0.5}}), distances))(i, j);
  };
  EXPECT_DOUBLE_EQ(value("rbf", 0, 1), std::exp(-0.5 * 2.25));
  EXPECT_DOUBLE_EQ(value("laplacian", 0, 1), std::exp(-0.5 * 1.5));
  EXPECT_DOUBLE_EQ(value("exponential", 0, 2), std::exp(-std::sqrt(0.5) * 2.0));
  EXPECT_DOUBLE_EQ(value("inverse_distance", 1, 2), 1.0 / (std::sqrt(0.5) * 0.25 + 1.0));
  EXPECT_DOUBLE_EQ(value("inverse_square_distance", 1, 2), 1.0 / (0.5 * 0.0625 + 1.0));
  const double s = std::sqrt(3.0 * 0.5) * 0.25;
  EXPECT_DOUBLE_EQ(value("matern", 1, 2), (1.0 + s) * std::exp(-s));
  Vector diagonal(2);
  matrix_source(make_kernel_function("rbf", {{"gamma", 0.5}}), distances)->left_diagonal(diagonal);
  EXPECT_EQ(diagonal, (Vector{1.0, 1.0}));
}

TEST(KernelFunctions, DistanceKernelsAgreeWithTheirFeatureForm) {
  for (const char* name : {"rbf", "laplacian", "exponential", "inverse_distance",
                           "inverse_square_distance", "matern", "rational_quadratic"}) {
    const KernelFunction f = make_kernel_function(name, {{"gamma", 0.3}});
    const MatrixPtr samples = random_samples(f, 15, 4, 8);
    auto distances = std::make_shared<Matrix>(15, 15);
    for (Index i = 0; i < 15; ++i) {
      for (Index j = 0; j < 15; ++j) {
        const Eigen::VectorXd difference = as_vector(samples->row(i)) - as_vector(samples->row(j));
        (*distances)(i, j) = f.name == "laplacian" ? difference.lpNorm<1>() : difference.norm();
      }
    }
    EXPECT_LE(largest_difference(evaluate(*matrix_source(f, distances)),
                                 evaluate(*feature_source(f, samples, samples))),
              1e-14)
        << name;
  }
}

TEST(KernelFunctions, TakeGramMatricesAsTheyAre) {
  auto gram = std::make_shared<Matrix>(2, 2);
  gram->values = {2.0, -1.0, -1.0, 3.0};
  const KernelSourcePtr source = matrix_source(make_kernel_function("precomputed", {}), gram);
  EXPECT_EQ(evaluate(*source).values, gram->values);
  Vector diagonal(2);
  source->left_diagonal(diagonal);
  EXPECT_EQ(diagonal, (Vector{2.0, 3.0}));
}

TEST(KernelFunctions, WriteThemselvesBack) {
  EXPECT_EQ(make_kernel_function("linear", {}).text(), "linear");
  EXPECT_EQ(make_kernel_function("rbf", {{"gamma", 0.1}}).text(), "rbf(gamma=0.1)");
  EXPECT_EQ(make_kernel_function("rbf", {{"width", 2.0}}).text(), "rbf(gamma=0.125)");
  EXPECT_EQ(make_kernel_function("poly", {{"degree", 3}}).text(), "poly(degree=3)");
  EXPECT_EQ(make_kernel_function("poly", {{"degree", 3}, {"coef0", 1}}).text(),
            "poly(degree=3, coef0=1)");
  EXPECT_EQ(make_kernel_function("chi2", {}).text(), "chi2(gamma=1)");
  EXPECT_EQ(make_kernel_function("matern", {{"width", 2.0}}).text(), "matern(nu=1.5, gamma=0.25)");
  EXPECT_EQ(make_kernel_function("sigmoid", {{"gamma", 1e-7}, {"coef0", -1}}).text(),
            "sigmoid(gamma=1e-07, coef0=-1)");
}

TEST(KernelFunctions, AreListedWithFormulaAndParameters) {
  EXPECT_EQ(kernel_functions().size(), 18U);
  for (const KernelFunctionInfo& info : kernel_functions()) {
    EXPECT_FALSE(info.name.empty() || info.formula.empty() || info.parameters.empty());
  }
}

}  // namespace
}  // namespace kernmix
