#pragma once
/// \file
/// The inner loops of all bank products: single or double precision data, double accumulation in a
/// fixed order of lanes, the best instruction set of the machine chosen at run time.

#include "kernmix/types.hpp"

namespace kernmix::simd {

/// sum_j x[j] y[j], j < n
[[nodiscard]] double dot(const float* x, const double* y, Index n);
[[nodiscard]] double dot(const double* x, const double* y, Index n);

struct DotPair {
  double y, z;
};
/// sum_j x[j] y[j] and sum_j x[j] z[j], j < n, with one read of x
[[nodiscard]] DotPair dot_pair(const double* x, const double* y, const double* z, Index n);

/// y[j] += alpha x[j], j < n
void add_scaled(double alpha, const float* x, double* y, Index n);
void add_scaled(double alpha, const double* x, double* y, Index n);

/// y[j] += sum_k alpha[k] x[k][j], k < 4: four kernels for one read and write of y.
void add_scaled(const double (&alpha)[4], const float* const (&x)[4], double* y, Index n);
void add_scaled(const double (&alpha)[4], const double* const (&x)[4], double* y, Index n);

/// y[j] = x[j] rounded to T, j < n. \returns max |x[j]|, or NaN where an entry is NaN
double round_to(const double* x, float* y, Index n);
double round_to(const double* x, double* y, Index n);

/// Both with one read of x: returns sum_j x[j] a[j] and does y[j] += alpha x[j].
double dot_add_scaled(const float* x, const double* a, double alpha, double* y, Index n);
double dot_add_scaled(const double* x, const double* a, double alpha, double* y, Index n);

/// The same for four x at once: y += sum_k alpha[k] x[k]; dots[k] = x[k]'a. Reads a and y once for
/// all, where they would take more time than x, and asks for the first n of each of `next`: rows
/// with others between them the processor does not see come.
void dot_add_scaled(const float* const (&x)[4], const float* const (&next)[4], const double* a,
                    const double (&alpha)[4], double* y, double (&dots)[4], Index n);
void dot_add_scaled(const double* const (&x)[4], const double* const (&next)[4], const double* a,
                    const double (&alpha)[4], double* y, double (&dots)[4], Index n);

/// y[j] += sum_{k < number} alpha[k] X[rows[k] * stride + j], j < n; null `rows` are 0, 1, 2, ...
void add_rows(const float* X, Index stride, const Index* rows, const double* alpha, Index number,
              double* y, Index n);
void add_rows(const double* X, Index stride, const Index* rows, const double* alpha, Index number,
              double* y, Index n);

struct ResidualRange {
  double sum, lowest, highest;  ///< the last two also over 0
};
/// column *= scale, residual -= column^2, and what the residual then is.
ResidualRange eliminate(double scale, double* column, double* residual, Index n);

}  // namespace kernmix::simd
