#pragma once
/// \file
/// The responses of the samples to decision values near an anchor A0, and the biases at which they
/// sum to zero: with steps tau_i = step * C_i,
///
///   R_i(f) = argmax_{a in P_i} a_{y_i} - f'a - |a - A0_i|^2 / (2 tau_i),   the projection onto P_i
///            of A0_i + tau_i (e_{y_i} - f),
///   1'R(G + 1 b') = 0   at the minimum over b of   sum_i max_a {...}(G_i + b).

#include "base/linear_algebra.hpp"
#include "kernmix/context.hpp"
#include "loss/classes/crammer_singer.hpp"

namespace kernmix {

class JointResponse {
 public:
  /// Both must outlive it.
  JointResponse(const ClassTargets& targets, const Context& context)
      : targets_(targets), context_(context) {}

  void set_anchor(Matrix A, double step);
  [[nodiscard]] const Matrix& anchor() const { return anchor_; }
  [[nodiscard]] const Vector& tau() const { return tau_; }

  /// R(G + 1 b') at the optimal b, searched from `bias`; b = 0 if the problem has no bias.
  [[nodiscard]] Matrix answer(const Matrix& G, Vector& bias) const;

 private:
  [[nodiscard]] Matrix at_bias(const Matrix& G, const Vector& bias) const;
  [[nodiscard]] Eigen::MatrixXd curvature(const Matrix& R) const;
  [[nodiscard]] double rounding_of_sums(const Matrix& G, const Vector& bias) const;

  const ClassTargets& targets_;
  const Context& context_;
  Matrix anchor_;
  Vector tau_;
};

/// M^{-1} rest for the biases. M is zero between classes without a common free sample; the kinks
/// are then at margins of size 1, hence a step of this length.
[[nodiscard]] Eigen::VectorXd bias_step(const Eigen::MatrixXd& M, const Eigen::VectorXd& rest);

}  // namespace kernmix
