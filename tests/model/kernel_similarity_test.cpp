// Alignments by their definition, written a second time with explicit H; spectra by their trace.
#include "kernmix/kernel_similarity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/linear_algebra.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

RowMatrix full(const KernelSource& source) {
  RowMatrix K(source.rows(), source.cols());
  std::vector<Index> all;
  for (Index i = 0; i < source.rows(); ++i) all.push_back(i);
  source.block(all, all, as_span(K));
  return K;
}

double alignment_of(const RowMatrix& K, const RowMatrix& L) {
  const Index n = K.rows();
  const RowMatrix H =
      RowMatrix::Identity(n, n) - RowMatrix::Constant(n, n, 1.0 / static_cast<double>(n));
  const RowMatrix k = H * K * H;
  const RowMatrix l = H * L * H;
  return (k.array() * l.array()).sum() / (k.norm() * l.norm());
}

struct Similarity : ::testing::Test {
  Similarity() { data.views = resolve_views({}, data.table); }
  [[nodiscard]] FittedKernels fit(const std::vector<std::string>& kernels) const {
    TrainOptions options;
    options.kernels = kernels;
    options.normalization = parse_normalization("trace");
    return {std::make_shared<const Dataset>(data), options, {}};
  }
  Dataset data = toy_data(40, 1);
};

TEST_F(Similarity, IsTheCentredAlignment) {
  const FittedKernels fitted = fit({"rbf(gamma=0.1)", "rbf(gamma=2)", "linear"});
  const Vector weights = {0.5, 0.3, 0.2};
  const KernelSimilarity found = kernel_similarity(fitted.training(), weights, 3, {});
  ASSERT_EQ(found.samples, 40);
  for (Index k = 0; k < 3; ++k) {
    for (Index l = 0; l < 3; ++l) {
      const double truth =
          alignment_of(full(*fitted.training()[to_size(k)]), full(*fitted.training()[to_size(l)]));
      EXPECT_NEAR(found.alignment(k, l), truth, 1e-12);
    }
  }
}

TEST_F(Similarity, SpectrumSumsToOneAndALinearKernelHasAsManyDirectionsAsColumns) {
  const FittedKernels fitted = fit({"linear"});
  const KernelSimilarity found = kernel_similarity(fitted.training(), Vector{2.0}, 1, {});
  ASSERT_EQ(found.spectrum.size(), 40U);
  double sum = 0.0;
  for (const double value : found.spectrum) sum += value;
  EXPECT_NEAR(sum, 1.0, 1e-12);
  for (std::size_t i = data.table.columns.size(); i < found.spectrum.size(); ++i) {
    EXPECT_LT(found.spectrum[i], 1e-12);
  }
}

TEST_F(Similarity, AConstantKernelIsLikeNone) {
  const FittedKernels fitted = fit({"rbf(gamma=1e-40)", "linear"});
  const KernelSimilarity found = kernel_similarity(fitted.training(), Vector{1.0, 1.0}, 2, {});
  EXPECT_EQ(found.alignment(0, 1), 0.0);
  EXPECT_EQ(found.alignment(0, 0), 0.0);
  EXPECT_NEAR(found.alignment(1, 1), 1.0, 1e-12);
}

TEST_F(Similarity, LooksAtTheHeaviestKernelsWithAWeight) {
  const FittedKernels fitted = fit({"rbf(gamma=0.1)", "rbf(gamma=2)", "linear"});
  const Vector weights = {0.2, 0.0, 0.8};
  EXPECT_EQ(kernel_similarity(fitted.training(), weights, 1, {}).kernels, std::vector<Index>{2});
  EXPECT_EQ(kernel_similarity(fitted.training(), weights, 3, {}).kernels,
            (std::vector<Index>{0, 2}));
  EXPECT_TRUE(kernel_similarity(fitted.training(), Vector(3, 0.0), 3, {}).kernels.empty());
}

TEST_F(Similarity, IsThatOfTheKernelsOfTraining) {
  TrainOptions options;
  options.kernels = {"rbf(gamma=0.1)", "rbf(gamma=2)", "linear"};
  options.regularizer = "average";
  options.similar_kernels = 3;
  const TrainResult trained = train(data, options, {});
  const KernelSimilarity own =
      kernel_similarity(fit(options.kernels).training(), Vector(3, 1.0 / 3.0), 3, {});
  ASSERT_EQ(trained.similarity.kernels, own.kernels);
  for (std::size_t i = 0; i < own.alignment.values.size(); ++i) {
    EXPECT_NEAR(trained.similarity.alignment.values[i], own.alignment.values[i], 1e-12);
  }
}

TEST_F(Similarity, RefusesAWeightTooFew) {
  const FittedKernels fitted = fit({"linear"});
  EXPECT_THROW((void)kernel_similarity(fitted.training(), {}, 1, {}), ParameterError);
}

}  // namespace
}  // namespace kernmix
