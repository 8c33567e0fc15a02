#pragma once
/// \file
/// Two kernels on unscaled columns and their normalisations, straight from the definitions.

#include <cmath>

#include "kernmix/train.hpp"
#include "naive_normalization.hpp"

namespace kernmix::testing {

/// Of columns of about 10: Gaussians of all of them, and products of the last two.
inline const std::vector<std::string> naive_expressions = {"rbf(gamma=0.004) on all",
                                                           "linear on b"};

/// What they are normalised by; a given rule without cosine may come with a centre.
inline const std::vector<std::string> naive_rules = {"none", "trace", "center+trace", "variance",
                                                     "cosine+center+unit-trace"};

/// Both kernels on the samples of toy_data().
inline std::vector<Eigen::MatrixXd> naive_kernels(const Dataset& data, const std::string& rule) {
  const auto X = as_matrix(data.table.values);
  Eigen::MatrixXd rbf(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.rows(); ++j) {
      rbf(i, j) = std::exp(-0.004 * (X.row(i) - X.row(j)).squaredNorm());
    }
  }
  const Eigen::MatrixXd b = X.rightCols(2);
  const Normalization normalization = parse_normalization(rule);
  return {naive_normalized(normalization, rbf), naive_normalized(normalization, b * b.transpose())};
}

/// K a at all training samples, and the size of what is summed.
struct NaiveProduct {
  Eigen::VectorXd value, size;
};
inline NaiveProduct naive_product(const Eigen::MatrixXd& K, const std::vector<Index>& samples,
                                  ConstSpan coefficients) {
  NaiveProduct sum{Eigen::VectorXd::Zero(K.rows()), Eigen::VectorXd::Zero(K.rows())};
  for (std::size_t s = 0; s < samples.size(); ++s) {
    sum.value += coefficients[s] * K.col(samples[s]);
    sum.size += std::abs(coefficients[s]) * K.col(samples[s]).cwiseAbs();
  }
  return sum;
}

}  // namespace kernmix::testing
