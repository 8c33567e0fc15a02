#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "kernel/reference.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"
#include "naive_normalization.hpp"

namespace kernmix {
namespace {

const char* const rules[] = {"none",         "trace",           "unit-trace",
                             "cosine",       "center",          "cosine+trace",
                             "center+trace", "cosine+center",   "cosine+center+unit-trace",
                             "variance",     "cosine+variance", "center+variance"};

KernelSourcePtr training_kernel(const MatrixPtr& samples) {
  return feature_source(make_kernel_function("poly", {{"degree", 2}, {"coef0", 0.5}}), samples,
                        samples);
}

TEST(Normalization, IsWhatItsDefinitionSays) {
  const MatrixPtr samples = random_samples(make_kernel_function("linear", {}), 90, 5, 1);
  const KernelSourcePtr plain = training_kernel(samples);
  for (const char* text : rules) {
    const Normalization rule = parse_normalization(text);
    const KernelSourcePtr source = normalized_source(plain, fit_normalization(rule, *plain), true);
    const Matrix gram = evaluate(*source);
    const Eigen::MatrixXd expected = testing::naive_normalized(rule, as_matrix(evaluate(*plain)));
    const double size = expected.cwiseAbs().maxCoeff();
    EXPECT_LE((as_matrix(gram) - expected).cwiseAbs().maxCoeff(), 1e-12 * size) << text;
    Vector left(90);
    Vector right(90);
    source->left_diagonal(left);
    source->right_diagonal(right);
    EXPECT_LE((as_vector(ConstSpan(left)) - expected.diagonal()).cwiseAbs().maxCoeff(),
              1e-12 * size)
        << text;
    EXPECT_EQ(left, right) << text;
  }
}

TEST(Normalization, KeepsItsPromises) {
  EXPECT_TRUE(rc::check([] {
    const Index n = *rc::gen::inRange<Index>(2, 30);
    const auto seed = *rc::gen::arbitrary<unsigned>();
    const MatrixPtr samples = random_samples(make_kernel_function("linear", {}), n, 3, seed);
    const KernelSourcePtr plain = training_kernel(samples);
    const auto normalized = [&](const char* text) {
      const auto fitted = fit_normalization(parse_normalization(text), *plain);
      return evaluate(*normalized_source(plain, fitted, true));
    };
    const Matrix trace = normalized("trace");
    RC_ASSERT(std::abs(as_matrix(trace).diagonal().mean() - 1.0) < 1e-12);
    const Matrix unit = normalized("unit-trace");
    RC_ASSERT(std::abs(as_matrix(unit).trace() - 1.0) < 1e-12);
    const Matrix cosine = normalized("cosine");
    RC_ASSERT((as_matrix(cosine).diagonal().array() - 1.0).abs().maxCoeff() < 1e-12);
    const Matrix center = normalized("center+trace");
    RC_ASSERT(as_matrix(center).rowwise().sum().cwiseAbs().maxCoeff() <
              1e-10 * static_cast<double>(n));
  }));
}

TEST(Normalization, OfNewSamplesIsThatOfTraining) {
  const MatrixPtr samples = random_samples(make_kernel_function("linear", {}), 25, 4, 2);
  const auto copy = std::make_shared<const Matrix>(*samples);
  const KernelSourcePtr plain = training_kernel(samples);
  const KernelSourcePtr cross =
      feature_source(make_kernel_function("poly", {{"degree", 2}, {"coef0", 0.5}}), copy, samples);
  for (const char* text : rules) {
    const auto fitted = fit_normalization(parse_normalization(text), *plain);
    const Matrix training = evaluate(*normalized_source(plain, fitted, true));
    const Matrix prediction = evaluate(*normalized_source(cross, fitted, false));
    const double size = as_matrix(prediction).cwiseAbs().maxCoeff();
    EXPECT_LE((as_matrix(training) - as_matrix(prediction)).cwiseAbs().maxCoeff(), 1e-12 * size)
        << text;
  }
}

TEST(Normalization, OfNewSamplesIsTheSameInParts) {
  const MatrixPtr samples = random_samples(make_kernel_function("linear", {}), 12, 4, 6);
  const KernelSourcePtr plain = training_kernel(samples);
  const std::vector<Index> rows = {3, 0};
  const std::vector<Index> cols = {7, 2, 11};
  for (const char* text : rules) {
    const auto fitted = fit_normalization(parse_normalization(text), *plain);
    const KernelSourcePtr prediction = normalized_source(plain, fitted, false);
    const Matrix whole = evaluate(*prediction);
    Matrix part(2, 3);
    Matrix in_two_steps(2, 3);
    prediction->block(rows, cols, part.values);
    prediction->compare(rows, cols, in_two_steps.values);
    prediction->finish(rows, cols, in_two_steps.values);
    EXPECT_EQ(as_matrix(part), as_matrix(whole)(rows, cols)) << text;
    EXPECT_EQ(as_matrix(in_two_steps), as_matrix(whole)(rows, cols)) << text;
  }
}

TEST(Normalization, IsFittedToTheSameBitsByAnyNumberOfThreads) {
  const MatrixPtr samples = random_samples(make_kernel_function("linear", {}), 300, 4, 3);
  const KernelSourcePtr plain = training_kernel(samples);
  const Normalization rule = parse_normalization("cosine+center+trace");
  Context two;
  two.threads = 2;
  const auto alone = fit_normalization(rule, *plain);
  const auto together = fit_normalization(rule, *plain, two);
  EXPECT_EQ(alone.column_means, together.column_means);
  EXPECT_EQ(alone.scale, together.scale);
}

TEST(Normalization, LeavesTheZeroKernelAlone) {
  const KernelSourcePtr zero = training_kernel(std::make_shared<Matrix>(4, 2));
  EXPECT_EQ(fit_normalization(parse_normalization("unit-trace"), *zero).scale, 1.0);
  const KernelSourcePtr linear =
      feature_source(make_kernel_function("linear", {}), std::make_shared<Matrix>(4, 2),
                     std::make_shared<Matrix>(4, 2));
  for (const char* text : rules) {
    const auto fitted = fit_normalization(parse_normalization(text), *linear);
    EXPECT_EQ(fitted.scale, fitted.rule.center ? 0.0 : 1.0) << text;
    EXPECT_EQ(evaluate(*normalized_source(linear, fitted, true)).values, Vector(16)) << text;
  }
}

/// A constant in any of many samples: sums of n equal numbers err by up to n of their last bits.
TEST(Normalization, OfAConstantIsZeroWhenItIsCentred) {
  for (const Index n : {3, 60, 1000, 3001}) {
    for (const double value : {0.3, 0.7, 1.0 / 3.0, 1e6 / 7.0, 123456789.1}) {
      auto samples = std::make_shared<Matrix>(n, Index{1});
      std::ranges::fill(samples->values, value);
      for (const KernelSourcePtr& plain :
           {training_kernel(samples),
            feature_source(make_kernel_function("linear", {}), samples, samples)}) {
        for (const char* text : {"center", "center+trace", "cosine+center+unit-trace", "variance",
                                 "cosine+variance"}) {
          const auto fitted = fit_normalization(parse_normalization(text), *plain);
          EXPECT_EQ(fitted.scale, 0.0) << text << ", " << n << " of " << value;
        }
      }
    }
  }
}

/// What centring leaves may be small, and is kept as long as it is more than rounding.
TEST(Normalization, OfACloseGroupOfSamplesIsNotZero) {
  auto samples = std::make_shared<Matrix>(Index{1000}, Index{1});
  for (Index i = 0; i < samples->rows; ++i) (*samples)(i, 0) = 1e5 + static_cast<double>(i % 4);
  const KernelSourcePtr linear =
      feature_source(make_kernel_function("linear", {}), samples, samples);
  const auto fitted = fit_normalization(parse_normalization("center+trace"), *linear);
  EXPECT_NEAR(fitted.scale, 1.0 / 1.25, 1e-5);  // of 0, 1, 2, 3
}

TEST(Normalization, IsSymmetricToTheLastBit) {
  const MatrixPtr samples = random_samples(make_kernel_function("linear", {}), 50, 3, 5);
  const KernelSourcePtr plain = training_kernel(samples);
  for (const char* text : rules) {
    const auto fitted = fit_normalization(parse_normalization(text), *plain);
    const KernelSourcePtr source = normalized_source(plain, fitted, true);
    const Matrix K = evaluate(*source);
    EXPECT_EQ(as_matrix(K), as_matrix(K).transpose()) << text;
  }
}

TEST(Normalization, HasTheDiagonalOfCentredNewSamples) {
  const MatrixPtr samples = random_samples(make_kernel_function("linear", {}), 8, 2, 4);
  const KernelSourcePtr plain = training_kernel(samples);
  const auto fitted = fit_normalization(parse_normalization("center"), *plain);
  Vector known(8);
  Vector diagonal(8);
  normalized_source(plain, fitted, true)->left_diagonal(known);
  normalized_source(plain, fitted, false)->left_diagonal(diagonal);  // of the same samples
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(diagonal[i], known[i], 1e-12 * (1.0 + known[i]));
}

TEST(Normalization, IsWrittenAsItIsRead) {
  for (const char* text : rules) EXPECT_EQ(parse_normalization(text).text(), text);
  EXPECT_EQ(parse_normalization("trace + center+cosine").text(), "cosine+center+trace");
  EXPECT_EQ(Normalization{}.text(), "trace");
}

}  // namespace
}  // namespace kernmix
