#pragma once
/// \file
/// The direction of Newton's method for phi of joint_svm.hpp. With the directions E of the face of
/// R (class_face.hpp), H = R - B and S = E'(K (x) I)E + E' diag(1 / tau) E,
///
///   S x - E'(1 db') = E' K H,   1'E x = 1'R,   dB = H - E x:
///
/// a Cholesky factor of S, of as many rows as R has free directions, and K equations for db.

#include <optional>

#include "kernmix/context.hpp"
#include "loss/classes/crammer_singer.hpp"

namespace kernmix {

struct JointDirection {
  Matrix B;
  Matrix G;     ///< K B
  Vector bias;  ///< zero if the problem has no bias
  Matrix f;     ///< G + 1 bias'
};

/// Nothing if S is not finite.
/// \param tau  length n;  \param R, B  n x K
[[nodiscard]] std::optional<JointDirection> joint_direction(const ClassTargets& targets,
                                                            const Matrix& K, ConstSpan tau,
                                                            const Matrix& R, const Matrix& B,
                                                            const Context& context);

/// K A for K of n x n and A of n x K, in blocks of rows.
[[nodiscard]] Matrix kernel_product(const Matrix& K, const Matrix& A, const Context& context);

/// G + 1 b'.
[[nodiscard]] Matrix decision_values(Matrix G, const Vector& bias);

}  // namespace kernmix
