#pragma once
/// \file
/// Conjugate gradients for (I + Y'Y) x = b with many columns, preconditioned with a sketch of Y'Y
/// (Frangella, Tropp and Udell, Randomized Nystroem preconditioning, SIAM J. Matrix Anal. Appl.
/// 44(2), 2023).

#include "base/linear_algebra.hpp"
#include "kernmix/context.hpp"
#include "svm/newton/centred_rows.hpp"

namespace kernmix {

/// Whether a system of F rows and r columns takes less time by conjugate gradients than by a
/// factorisation. Few rows need more iterations: 30 to 200 for fewer than 1000, 5 to 20 for more.
inline constexpr Index many_rows = 1024;
[[nodiscard]] inline bool by_conjugate_gradients(Index F, Index r) {
  return F > many_rows && r > WeightedColumns::many;
}

/// D + G G' ~ I + Y'Y, with G G' the Nystroem approximation of Y'Y on random signs, and D the
/// diagonal that it lacks.
class SketchedSystem {
 public:
  /// Costs 4 F r s operations, s its number of random vectors, of at most 8192 rows.
  SketchedSystem(const CentredRows& Y, const Context& context);

  /// (D + G G')^-1 b
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

 private:
  Eigen::MatrixXd G_;
  Eigen::VectorXd D_;
  Eigen::LLT<RowMatrix> core_;  ///< I + G'D^-1 G
};

/// x with a residual of at most `accuracy` times that of x = 0, in the norm of the preconditioner;
/// the best one when the context stops.
[[nodiscard]] Eigen::VectorXd conjugate_gradients(const CentredRows& Y,
                                                  const SketchedSystem& preconditioner,
                                                  const Eigen::VectorXd& b, double accuracy,
                                                  const Context& context);

/// Memory for both, besides Z.
[[nodiscard]] std::size_t conjugate_gradients_bytes(Index r, const Context& context);

}  // namespace kernmix
