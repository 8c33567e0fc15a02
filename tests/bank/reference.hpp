#pragma once
/// \file
/// Naive references and small kernel sources for the tests of the bank.

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "kernmix/bank/bank.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix::test {

/// A dense matrix as a kernel source.
class DenseSource : public KernelSource {
 public:
  explicit DenseSource(Matrix K, Index rank_bound = -1, bool psd = false)
      : K_(std::move(K)), rank_bound_(rank_bound < 0 ? K_.rows : rank_bound), psd_(psd) {}

  Index rows() const override { return K_.rows; }
  Index cols() const override { return K_.cols; }
  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    double* entry = out.data();
    for (const Index i : row_index) {
      for (const Index j : col_index) *entry++ = K_(i, j);
    }
  }
  void left_diagonal(MutableSpan out) const override {
    for (Index i = 0; i < K_.rows; ++i) out[static_cast<std::size_t>(i)] = K_(i, i);
  }
  void right_diagonal(MutableSpan out) const override { left_diagonal(out); }
  Index rank_bound() const override { return rank_bound_; }
  bool always_psd() const override { return psd_; }

 private:
  Matrix K_;
  Index rank_bound_;
  bool psd_;
};

/// The same, which also says where its entries lie: of twice the kernel, scaled by a half.
class StoredSource final : public DenseSource {
 public:
  explicit StoredSource(const Matrix& K) : DenseSource(K), twice_(K) {
    for (double& value : twice_.values) value *= 2.0;
  }
  std::optional<Stored> stored() const override {
    return Stored{twice_.values.data(), twice_.cols, 0.5};
  }

 private:
  Matrix twice_;
};

inline Vector random_vector(Index n, unsigned seed, double zero_share = 0.0) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Vector v(static_cast<std::size_t>(n));
  for (double& value : v) value = uniform(engine) < zero_share ? 0.0 : normal(engine);
  return v;
}

/// Z Z' / rank for a random n x rank matrix Z; the zero matrix for rank 0.
inline Matrix random_gram(Index n, Index rank, unsigned seed) {
  const Vector Z = random_vector(n * rank, seed);
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (Index c = 0; c < rank; ++c) {
        sum +=
            Z[static_cast<std::size_t>(i * rank + c)] * Z[static_cast<std::size_t>(j * rank + c)];
      }
      K(i, j) = K(j, i) = rank == 0 ? 0.0 : sum / static_cast<double>(rank);
    }
  }
  return K;
}

/// exp(-gamma (x_i - x_j)^2) of points on a line: low numerical rank, never an exact one.
inline Matrix line_rbf(Index n, double gamma, unsigned seed) {
  const Vector x = random_vector(n, seed);
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double distance = x[static_cast<std::size_t>(i)] - x[static_cast<std::size_t>(j)];
      K(i, j) = std::exp(-gamma * distance * distance);
    }
  }
  return K;
}

inline Vector product(const Matrix& K, ConstSpan a) {
  Vector z(a.size(), 0.0);
  for (Index i = 0; i < K.rows; ++i) {
    for (Index j = 0; j < K.cols; ++j) {
      z[static_cast<std::size_t>(i)] += K(i, j) * a[static_cast<std::size_t>(j)];
    }
  }
  return z;
}

/// a' K a and sum |a_i| |K_ij| |a_j|, which bounds its rounding error, in extended precision.
struct QuadraticForm {
  double value = 0.0;
  double magnitude = 0.0;
};
inline QuadraticForm quadratic_form(const Matrix& K, ConstSpan a) {
  long double value = 0.0L, magnitude = 0.0L;
  for (Index i = 0; i < K.rows; ++i) {
    for (Index j = 0; j < K.cols; ++j) {
      const long double term = static_cast<long double>(K(i, j)) * a[static_cast<std::size_t>(i)] *
                               a[static_cast<std::size_t>(j)];
      value += term;
      magnitude += std::abs(term);
    }
  }
  return {static_cast<double>(value), static_cast<double>(magnitude)};
}

inline Matrix combined(const std::vector<Matrix>& kernels, ConstSpan d) {
  Matrix sum(kernels.front().rows, kernels.front().cols);
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    for (std::size_t k = 0; k < sum.values.size(); ++k) {
      sum.values[k] += d[m] * kernels[m].values[k];
    }
  }
  return sum;
}

inline double largest(ConstSpan v) {
  double result = 0.0;
  for (const double value : v) result = std::max(result, std::abs(value));
  return result;
}

inline std::vector<KernelSourcePtr> sources_of(const std::vector<Matrix>& kernels) {
  std::vector<KernelSourcePtr> sources;
  for (const Matrix& K : kernels) sources.push_back(std::make_shared<DenseSource>(K));
  return sources;
}

inline std::vector<std::string> names_of(const std::vector<Matrix>& kernels) {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    names.push_back("k");
    names.back() += std::to_string(m);
  }
  return names;
}

}  // namespace kernmix::test
