#pragma once
/// \file
/// Centring and alignment by their definitions, on dense matrices.

#include <cmath>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix::testing {

/// H K H, one factor after the other.
inline Matrix centred(const Matrix& K) {
  const Index n = K.rows;
  const auto size = static_cast<double>(n);
  Matrix half(n, n);
  for (Index j = 0; j < n; ++j) {
    double mean = 0.0;
    for (Index i = 0; i < n; ++i) mean += K(i, j) / size;
    for (Index i = 0; i < n; ++i) half(i, j) = K(i, j) - mean;
  }
  Matrix full(n, n);
  for (Index i = 0; i < n; ++i) {
    double mean = 0.0;
    for (Index j = 0; j < n; ++j) mean += half(i, j) / size;
    for (Index j = 0; j < n; ++j) full(i, j) = half(i, j) - mean;
  }
  return full;
}

inline double frobenius(const Matrix& A, const Matrix& B) {
  double sum = 0.0;
  for (std::size_t k = 0; k < A.values.size(); ++k) sum += A.values[k] * B.values[k];
  return sum;
}

inline Matrix outer(const Vector& y) {
  const Index n = length(y);
  Matrix out(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      out(i, j) = y[static_cast<std::size_t>(i)] * y[static_cast<std::size_t>(j)];
    }
  }
  return out;
}

inline Matrix weighted_sum(const std::vector<Matrix>& kernels, const Vector& d) {
  Matrix sum(kernels.front().rows, kernels.front().cols);
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    for (std::size_t k = 0; k < sum.values.size(); ++k) {
      sum.values[k] += d[m] * kernels[m].values[k];
    }
  }
  return sum;
}

/// <K^c, (yy')^c> / (||K^c|| ||(yy')^c||), Cortes et al. 2012, definition 4.
inline double alignment_of(const Matrix& K, const Vector& y) {
  const Matrix Kc = centred(K);
  const Matrix Yc = centred(outer(y));
  return frobenius(Kc, Yc) / std::sqrt(frobenius(Kc, Kc) * frobenius(Yc, Yc));
}

}  // namespace kernmix::testing
