#pragma once
/// \file
/// Normalisations of a training matrix as their definitions say.

#include "base/linear_algebra.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix::testing {

/// H K H and the others.
inline Eigen::MatrixXd naive_normalized(const Normalization& rule, Eigen::MatrixXd K) {
  const Eigen::Index n = K.rows();
  if (rule.cosine) {
    const Eigen::VectorXd root = K.diagonal().cwiseSqrt().cwiseInverse();
    K = root.asDiagonal() * K * root.asDiagonal();
  }
  if (rule.center) {
    const Eigen::MatrixXd H = Eigen::MatrixXd::Identity(n, n) -
                              Eigen::MatrixXd::Constant(n, n, 1.0 / static_cast<double>(n));
    K = H * K * H;
  }
  if (rule.scale == Normalization::Scale::trace) K *= static_cast<double>(n) / K.trace();
  if (rule.scale == Normalization::Scale::unit_trace) K /= K.trace();
  if (rule.scale == Normalization::Scale::variance)
    K /= K.trace() / static_cast<double>(n) - K.mean();
  return K;
}

}  // namespace kernmix::testing
