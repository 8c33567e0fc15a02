#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernel/reference.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

template <typename Expected, typename Call>
std::string message(const Call& call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string refusal(const char* name, const std::map<std::string, double>& parameters) {
  return message<ParameterError>(
      [&] { static_cast<void>(make_kernel_function(name, parameters)); });
}

TEST(KernelFunctionRefusals, NameTheRule) {
  EXPECT_EQ(refusal("rfb", {}), "unknown kernel 'rfb', did you mean 'rbf'?");
  EXPECT_EQ(refusal("quantum", {}),
            "unknown kernel 'quantum'; the kernels are linear, poly, rbf, laplacian, exponential, "
            "inverse_distance, inverse_square_distance, matern, rational_quadratic, chi2, "
            "additive_chi2, intersection, bray_curtis, minmax, sigmoid, cosine, spherical_rbf, "
            "precomputed");
  EXPECT_EQ(refusal("rbf", {{"gamma", -1.0}}), "rbf: gamma must be > 0, got -1");
  EXPECT_EQ(refusal("rbf", {{"gamma", NAN}}), "rbf: gamma must be a finite number, got nan");
  EXPECT_EQ(refusal("rbf", {{"gamma", HUGE_VAL}}), "rbf: gamma must be a finite number, got inf");
  EXPECT_EQ(refusal("rbf", {{"width", 0.0}}), "rbf: width must be > 0, got 0");
  EXPECT_EQ(refusal("rbf", {{"width", 1e-200}}), "rbf: width 1e-200 is out of range");
  EXPECT_EQ(refusal("rbf", {}), "rbf: gamma is required");
  EXPECT_EQ(refusal("rbf", {{"gamma", 1.0}, {"width", 1.0}}), "rbf: give gamma or width, not both");
  EXPECT_EQ(refusal("rbf", {{"sigma", 1.0}}),
            "rbf has no parameter 'sigma'; its parameters are gamma, width");
  EXPECT_EQ(refusal("sigmoid", {{"width", 1.0}}),
            "sigmoid has no parameter 'width'; its parameters are gamma, coef0");
  EXPECT_EQ(refusal("linear", {{"gamma", 1.0}}), "linear has no parameters");
  EXPECT_EQ(refusal("matern", {{"nu", 3.5}, {"width", 1.0}}),
            "matern: nu must be 0.5, 1.5 or 2.5, got 3.5");
  EXPECT_EQ(refusal("rational_quadratic", {{"alpha", 0.0}}),
            "rational_quadratic: alpha must be > 0, got 0");
  EXPECT_EQ(refusal("poly", {}), "poly: degree is required");
  EXPECT_EQ(refusal("poly", {{"degree", 2.5}}),
            "poly: degree must be a whole number from 1 to 100, got 2.5");
  EXPECT_EQ(refusal("poly", {{"degree", 2.0}, {"coef0", -1.0}}),
            "poly: coef0 must be >= 0, got -1");
}

std::string source_refusal(const char* name, const Matrix& left, const Matrix& right) {
  const auto f = make_kernel_function(name, {});
  return message<Error>([&] {
    static_cast<void>(
        feature_source(f, std::make_shared<Matrix>(left), std::make_shared<Matrix>(right)));
  });
}

TEST(KernelSourceRefusals, NameSampleAndColumn) {
  Matrix good(2, 3);
  Matrix bad(2, 3);
  bad(1, 2) = -0.5;
  EXPECT_EQ(source_refusal("chi2", good, bad),
            "chi2 needs finite non-negative values, but sample 2, column 3 is -0.5");
  EXPECT_EQ(source_refusal("intersection", bad, bad),
            "intersection needs finite non-negative values, but sample 2, column 3 is -0.5");
  EXPECT_EQ(source_refusal("bray_curtis", bad, bad),
            "bray_curtis needs finite non-negative values, but sample 2, column 3 is -0.5");
  EXPECT_EQ(source_refusal("minmax", bad, good),
            "minmax needs finite non-negative values, but sample 2, column 3 is -0.5");
  EXPECT_EQ(source_refusal("linear", good, bad), "nothing was thrown");
  bad(1, 0) = NAN;
  EXPECT_EQ(source_refusal("linear", good, bad),
            "linear needs finite values, but sample 2, column 1 is nan");
  EXPECT_EQ(source_refusal("linear", good, Matrix(2, 2)),
            "linear: the left samples have 3 columns, the right ones 2");
  EXPECT_EQ(source_refusal("precomputed", good, good),
            "precomputed reads a given matrix, not columns");
}

TEST(KernelSourceRefusals, OfMatrices) {
  auto matrix = std::make_shared<Matrix>(2, 3);
  (*matrix)(0, 1) = -2.0;
  const auto refusal_of = [&](const char* name, const std::map<std::string, double>& parameters) {
    const auto f = make_kernel_function(name, parameters);
    return message<Error>([&] { static_cast<void>(matrix_source(f, matrix)); });
  };
  EXPECT_EQ(refusal_of("rbf", {{"gamma", 1.0}}),
            "rbf needs finite non-negative values, but row 1, column 2 is -2");
  EXPECT_EQ(message<DataError>([&] {
              static_cast<void>(
                  matrix_source(make_kernel_function("rbf", {{"gamma", 1.0}}), matrix, {}, "D"));
            }),
            "matrix 'D': rbf needs finite non-negative values, but row 1, column 2 is -2");
  EXPECT_EQ(refusal_of("linear", {}),
            "linear reads columns; it cannot be applied to a given matrix");
  EXPECT_EQ(refusal_of("precomputed", {}), "nothing was thrown");
  const KernelSourcePtr source = matrix_source(make_kernel_function("precomputed", {}), matrix);
  Vector diagonal(2);
  EXPECT_EQ(message<DataError>([&] { source->left_diagonal(diagonal); }),
            "a Gram matrix between 2 and 3 samples does not contain k(x, x): use a normalization "
            "other than cosine");
}

TEST(NormalizationRefusals, NameTheRule) {
  const auto refusal_of = [](const char* text) {
    return message<ParameterError>([&] { static_cast<void>(parse_normalization(text)); });
  };
  EXPECT_EQ(refusal_of("tracee"), "unknown normalization 'tracee', did you mean 'trace'?");
  EXPECT_EQ(
      refusal_of("zscore"),
      "unknown normalization 'zscore'; known are none, variance, trace, unit-trace, cosine and "
      "center, joined by '+' as in cosine+variance");
  const auto contradiction = [](const char* text, const char* word) {
    return fmt::format(
        "normalization '{}' contradicts or repeats itself at '{}': use none alone, and each of "
        "cosine, center and one of variance, trace, unit-trace at most once",
        text, word);
  };
  EXPECT_EQ(refusal_of("trace+unit-trace"), contradiction("trace+unit-trace", "unit-trace"));
  EXPECT_EQ(refusal_of("center+none"), contradiction("center+none", "none"));
  EXPECT_EQ(refusal_of("center+center"), contradiction("center+center", "center"));
  const auto f = make_kernel_function("linear", {});
  const KernelSourcePtr wide =
      feature_source(f, std::make_shared<Matrix>(2, 1), std::make_shared<Matrix>(3, 1));
  EXPECT_EQ(message<ParameterError>(
                [&] { static_cast<void>(fit_normalization(Normalization{}, *wide)); }),
            "a normalization is fitted on a square training kernel, got 2 x 3");
  FittedNormalization centred;
  centred.rule.center = true;
  EXPECT_EQ(
      message<ParameterError>([&] { static_cast<void>(normalized_source(wide, centred, false)); }),
      "a centred kernel of 3 right samples needs as many column means, got 0");
}

}  // namespace
}  // namespace kernmix
