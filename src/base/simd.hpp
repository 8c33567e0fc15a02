#pragma once
/// \file
/// The inner loops of all bank products: single or double precision data, double accumulation in a
/// fixed order of lanes, with the best instruction set of the processor, chosen at run time.

#include <algorithm>

#include "kernmix/types.hpp"

namespace kernmix::simd {

/// sum_j x[j] y[j], j < n
[[nodiscard]] double dot(const float* x, const double* y, Index n);
[[nodiscard]] double dot(const double* x, const double* y, Index n);

/// y[j] += alpha x[j], j < n
void add_scaled(double alpha, const float* x, double* y, Index n);
void add_scaled(double alpha, const double* x, double* y, Index n);

/// Four rows with a factor each, and the four rows read after them, which are prefetched: the
/// hardware does not predict rows that are not adjacent.
template <typename T>
struct FourRows {
  const T* x[4];
  const T* next[4];
  double scale[4];
};

/// Rows k to k + 3 of `count`, where row(k) is a pointer and scale(k) a number; past the end, the
/// last row with factor 0.
template <typename T, typename Row, typename Scale>
[[nodiscard]] FourRows<T> four_rows(Index k, Index count, const Row& row, const Scale& scale) {
  FourRows<T> rows;
  for (Index r = 0; r < 4; ++r) {
    const Index at = std::min(k + r, count - 1);
    rows.x[r] = row(at);
    rows.next[r] = row(std::min(k + r + 4, count - 1));
    rows.scale[r] = k + r < count ? scale(at) : 0.0;
  }
  return rows;
}

/// y[j] += sum_k scale[k] x[k][j], j < n: four rows for one read and write of y.
void add_scaled(const FourRows<float>& rows, double* y, Index n);
void add_scaled(const FourRows<double>& rows, double* y, Index n);

/// The same for `count` rows, where row(k) is a pointer and scale(k) a number.
template <typename T, typename Row, typename Scale>
void add_scaled_rows(Index count, const Row& row, const Scale& scale, double* y, Index n) {
  for (Index k = 0; k < count; k += 4) add_scaled(four_rows<T>(k, count, row, scale), y, n);
}

/// y[j] = x[j] rounded to T, j < n. \returns max |x[j]|, or NaN where an entry is NaN
double round_to(const double* x, float* y, Index n);
double round_to(const double* x, double* y, Index n);

/// Both operations with one read of x: returns sum_j x[j] a[j] and computes y[j] += alpha x[j].
double dot_add_scaled(const float* x, const double* a, double alpha, double* y, Index n);
double dot_add_scaled(const double* x, const double* a, double alpha, double* y, Index n);

/// The same for four rows with one read of a and y: y[j] += sum_k scale[k] x[k][j] and dots[k] =
/// x[k]'a.
void dot_add_scaled(const FourRows<float>& rows, const double* a, double* y, double (&dots)[4],
                    Index n);
void dot_add_scaled(const FourRows<double>& rows, const double* a, double* y, double (&dots)[4],
                    Index n);

/// y[j] += sum_{k < number} alpha[k] X[rows[k] * stride + j], j < n; null `rows` are 0, 1, 2, ...
void add_rows(const float* X, Index stride, const Index* rows, const double* alpha, Index number,
              double* y, Index n);
void add_rows(const double* X, Index stride, const Index* rows, const double* alpha, Index number,
              double* y, Index n);

struct ResidualRange {
  double sum, lowest, highest;  ///< the last two including 0
};
/// column *= scale, residual -= column^2; returns the sum and range of the residual.
ResidualRange eliminate(double scale, double* column, double* residual, Index n);

}  // namespace kernmix::simd
