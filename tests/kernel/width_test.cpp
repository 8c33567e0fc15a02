#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/reference.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

using Distance = std::function<double(ConstSpan, ConstSpan)>;

/// All positive distances, taken pair by pair, sorted.
Vector naive_distances(const Matrix& samples, const Distance& distance) {
  Vector all;
  for (Index i = 0; i < samples.rows; ++i) {
    for (Index j = 0; j < i; ++j) all.push_back(distance(samples.row(i), samples.row(j)));
  }
  std::erase(all, 0.0);
  std::ranges::sort(all);
  return all;
}

double naive_median(const Vector& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

/// Between the two that the 0.1 % quantile lies between, but at least a quarter of the median.
void expect_near(const Vector& sorted, double near, double rounding) {
  const double least = 0.25 * naive_median(sorted);
  const auto at = static_cast<std::size_t>(0.001 * static_cast<double>(sorted.size() - 1));
  const double upper = sorted[std::min(at + 1, sorted.size() - 1)];
  EXPECT_GE(near, std::max(least, sorted[at]) * (1.0 - rounding));
  EXPECT_LE(near, std::max(least, upper) * (1.0 + rounding));
}

double euclidean(ConstSpan x, ConstSpan z) { return std::sqrt(naive_squared_distance(x, z)); }

double absolute(ConstSpan x, ConstSpan z) {
  return sum_over_columns(x, z, [](double a, double b) { return std::abs(a - b); });
}

double chi_squared(ConstSpan x, ConstSpan z) {
  return sum_over_columns(
      x, z, [](double a, double b) { return a + b == 0.0 ? 0.0 : (a - b) * (a - b) / (a + b); });
}

KernelFunction function_of(const char* name) {
  return make_kernel_function(name, {{"gamma", 1.0}});
}

TEST(TypicalDistances, AreQuantilesOfAllPairs) {
  for (const Index columns : {Index{1}, Index{3}, Index{40}}) {
    for (const Index n : {Index{2}, Index{3}, Index{70}, Index{151}}) {
      const MatrixPtr samples = random_samples(function_of("chi2"), n, columns, 7);
      const double rounding = 1e-12;
      const auto expect = [&](const char* name, const Distance& distance) {
        SCOPED_TRACE(fmt::format("{} of {} x {}", name, n, columns));
        const Vector sorted = naive_distances(*samples, distance);
        const TypicalDistances typical = typical_distances(function_of(name), *samples);
        const double median = naive_median(sorted);
        EXPECT_NEAR(typical.median, median, rounding * median);
        expect_near(sorted, typical.near, rounding);
      };
      for (const char* name : {"rbf", "exponential", "inverse_distance", "inverse_square_distance",
                               "matern", "rational_quadratic"}) {
        expect(name, euclidean);
      }
      expect("laplacian", absolute);
      expect("chi2", chi_squared);
    }
  }
}

TEST(TypicalDistances, PassOverEqualSamples) {
  Matrix samples(5, 1);
  samples.values = {1.0, 1.0, 1.0, 1.0, 3.0};
  EXPECT_EQ(typical_distances(function_of("rbf"), samples).median, 2.0);
  EXPECT_EQ(typical_distances(function_of("rbf"), samples).near, 2.0);
  samples.values.assign(5, 7.0);
  EXPECT_EQ(typical_distances(function_of("rbf"), samples).median, 1.0);
  EXPECT_EQ(typical_distances(function_of("rbf"), Matrix(1, 3)).near, 1.0);
}

/// 30 columns are compared by products, whose rounding depends on where a sample stands.
TEST(TypicalDistances, OfManySamplesDoNotDependOnTheirOrder) {
  const Index n = 2500;
  for (const Index columns : {Index{2}, Index{30}}) {
    const MatrixPtr samples = random_samples(function_of("rbf"), n, columns, 3);
    Matrix reversed(n, columns);
    for (Index i = 0; i < n; ++i) {
      std::ranges::copy(samples->row(n - 1 - i), reversed.row(i).begin());
    }
    const TypicalDistances typical = typical_distances(function_of("rbf"), *samples);
    const TypicalDistances same = typical_distances(function_of("rbf"), reversed);
    EXPECT_NEAR(same.median, typical.median, 1e-12 * typical.median);
    EXPECT_NEAR(same.near, typical.near, 1e-12 * typical.near);
    const double median = naive_median(naive_distances(*samples, euclidean));
    EXPECT_NEAR(typical.median, median, 0.02 * median);
  }
}

TEST(TypicalDistances, OfAGivenMatrixAreThoseOfItsEntries) {
  Matrix distances(3, 3);
  distances.values = {0.0, 1.0, 5.0, 1.0, 0.0, 3.0, 5.0, 3.0, 0.0};
  EXPECT_EQ(typical_given_distances(distances).median, 3.0);
  EXPECT_EQ(typical_given_distances(Matrix(4, 4)).median, 1.0);
}

TEST(Widths, ReplaceGammas) {
  EXPECT_EQ(with_width(function_of("rbf"), 2.0).parameters.at("gamma"), 0.125);
  EXPECT_EQ(with_width(function_of("laplacian"), 2.0).parameters.at("gamma"), 0.5);
  EXPECT_TRUE(takes_width(function_of("chi2")));
  EXPECT_FALSE(takes_width(make_kernel_function("linear", {})));
}

TEST(Widths, RefuseUnknownDistances) {
  EXPECT_EQ(parse_distance("near"), TypicalDistance::near);
  EXPECT_THROW(static_cast<void>(parse_distance("far")), ParameterError);
}

}  // namespace
}  // namespace kernmix
