#include "kernmix/classical/kernel_family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/shape.hpp"
#include "kernmix/bank/checks.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

class KernelSum : public KernelFamily {
 public:
  explicit KernelSum(const KernelBank& bank) : bank_(bank), all_(all_samples(bank.samples())) {}
  [[nodiscard]] Index samples() const override { return bank_.samples(); }
  [[nodiscard]] Index weights() const override { return bank_.kernels(); }

  [[nodiscard]] Matrix at(ConstSpan d, const Context& context) const override {
    Matrix K(samples(), samples());
    bank_.combined(d)->matrix(all_, MutableSpan(K.values), context);
    return K;
  }
  void derivatives(ConstSpan /*d*/, const Matrix& /*K*/, ConstSpan a, MutableSpan out,
                   const Context& context) const override {
    std::ranges::copy(all_forms(bank_, a, context), out.begin());
  }

 private:
  const KernelBank& bank_;
  std::vector<Index> all_;
};

/// exp(-exponent(i, j)) for all pairs of n samples.
template <typename Exponent>
Matrix exponential_kernel(Index n, const Exponent& exponent, const Context& context) {
  Matrix K(n, n);
  parallel_for(context, n, [&](Index i) {
    for (Index j = 0; j <= i; ++j) K(i, j) = K(j, i) = std::exp(-exponent(i, j));
  });
  return K;
}

/// K o a a'
RowMatrix weighted_by(ConstSpan a, const Matrix& K) {
  return as_vector(a).asDiagonal() * as_matrix(K) * as_vector(a).asDiagonal();
}

/// dK / dd_m = -D_m o K
class DistanceProduct : public KernelFamily {
 public:
  explicit DistanceProduct(std::vector<Matrix> distances) : distances_(std::move(distances)) {}
  [[nodiscard]] Index samples() const override { return distances_.front().rows; }
  [[nodiscard]] Index weights() const override { return length(distances_); }

  [[nodiscard]] Matrix at(ConstSpan d, const Context& context) const override {
    const auto exponent = [&](Index i, Index j) {
      double sum = 0.0;
      for (std::size_t m = 0; m < d.size(); ++m) sum += d[m] * distances_[m](i, j);
      return sum;
    };
    return exponential_kernel(samples(), exponent, context);
  }
  void derivatives(ConstSpan /*d*/, const Matrix& K, ConstSpan a, MutableSpan out,
                   const Context& context) const override {
    const RowMatrix P = weighted_by(a, K);
    parallel_for(context, weights(), [&](Index m) {
      const auto at = static_cast<std::size_t>(m);
      out[at] = -as_matrix(distances_[at]).cwiseProduct(P).sum();
    });
  }

 private:
  std::vector<Matrix> distances_;
};

class ColumnProduct : public KernelFamily {
 public:
  ColumnProduct(Matrix X, std::vector<Index> view, Index weights)
      : X_(std::move(X)), view_(std::move(view)), weights_(weights) {}
  [[nodiscard]] Index samples() const override { return X_.rows; }
  [[nodiscard]] Index weights() const override { return weights_; }

  [[nodiscard]] Matrix at(ConstSpan d, const Context& context) const override {
    const auto exponent = [&](Index i, Index j) {
      double sum = 0.0;
      for (Index c = 0; c < X_.cols; ++c) {
        const double difference = X_(i, c) - X_(j, c);
        sum += d[weight_of(c)] * difference * difference;
      }
      return sum;
    };
    return exponential_kernel(samples(), exponent, context);
  }

  /// With P = K o aa' and rho = P 1 the distances of column x are never computed
  /// (docs/reference/regularizers/gmkl.md):
  /// -<D, P> = 2 x' P x - 2 sum_i rho_i x_i^2.
  void derivatives(ConstSpan /*d*/, const Matrix& K, ConstSpan a, MutableSpan out,
                   const Context& /*context*/) const override {
    const RowMatrix P = weighted_by(a, K);
    const auto X = as_matrix(X_);
    const Eigen::VectorXd rho = P.rowwise().sum();
    const Eigen::VectorXd squares = X.cwiseAbs2().transpose() * rho;
    const Eigen::VectorXd products = X.cwiseProduct(P * X).colwise().sum().transpose();
    std::ranges::fill(out, 0.0);
    for (Index c = 0; c < X_.cols; ++c) out[weight_of(c)] += 2.0 * (products[c] - squares[c]);
  }

 private:
  [[nodiscard]] std::size_t weight_of(Index column) const {
    return static_cast<std::size_t>(view_[static_cast<std::size_t>(column)]);
  }

  Matrix X_;
  std::vector<Index> view_;  ///< the weight of each column
  Index weights_;
};

/// Schoenberg: exp(-t D) is positive semidefinite for every t >= 0 where D_ii = 0 and
/// D_i1 + D_1j - D_ij is positive semidefinite: D then holds squared Euclidean distances.
void check_distances(const Matrix& D, std::size_t number) {
  const std::string name = fmt::format("squared distances {}", number);
  const auto given = std::make_shared<Matrix>(D);
  check_symmetric(*matrix_source({"precomputed", {}}, given), name, {});
  const auto products = std::make_shared<Matrix>(D.rows, D.cols);
  for (Index i = 0; i < D.rows; ++i) {
    if (D(i, i) != 0.0) {
      throw DataError(fmt::format("{}: sample {} has the distance {} to itself, it must be 0", name,
                                  i + 1, D(i, i)));
    }
    for (Index j = 0; j < D.cols; ++j) (*products)(i, j) = 0.5 * (D(i, 0) + D(0, j) - D(i, j));
  }
  check_definite(*matrix_source({"precomputed", {}}, products), name + ", as inner products", {});
}

}  // namespace

std::unique_ptr<KernelFamily> kernel_sum(const KernelBank& bank) {
  return std::make_unique<KernelSum>(bank);
}

std::unique_ptr<KernelFamily> distance_product(std::vector<Matrix> distances) {
  if (distances.empty()) throw ParameterError("a product of kernels needs at least one matrix");
  const Index n = distances.front().rows;
  for (std::size_t m = 0; m < distances.size(); ++m) {
    const Matrix& D = distances[m];
    require_shape(fmt::format("squared distances {}", m + 1), D);
    if (D.rows != n || D.cols != n) {
      throw DataError(fmt::format("squared distances {} must be {} x {}, got {} x {}", m + 1, n, n,
                                  D.rows, D.cols));
    }
    check_distances(D, m + 1);
  }
  return std::make_unique<DistanceProduct>(std::move(distances));
}

std::unique_ptr<KernelFamily> column_product(Matrix X, std::vector<Index> view) {
  require_shape("the columns", X);
  if (X.cols < 1) throw DataError("a product of kernels needs at least one column");
  if (view.empty()) view = index_range(0, X.cols);
  if (length(view) != X.cols || std::ranges::min(view) < 0) {
    throw ParameterError(
        fmt::format("there must be a view >= 0 for each of the {} columns", X.cols));
  }
  const Index weights = std::ranges::max(view) + 1;
  return std::make_unique<ColumnProduct>(std::move(X), std::move(view), weights);
}

}  // namespace kernmix
