#pragma once
/// \file
/// The SVM of all classes at one weight vector (Crammer and Singer, JMLR 2001, with biases or
/// without), K = K(d):
///
///   max_A  sum_i A_{i, y_i} - 1/2 tr(A' K A)   over the set of (D)
///
/// by the proximal point method (Rockafellar 1976). Around an anchor A0, with steps tau_i = step *
/// C_i, the response of a sample to decision values f and the function that Newton's method
/// minimises are
///
///   R_i(f) = argmax_{a in P_i} a_{y_i} - f'a - |a - A0_i|^2 / (2 tau_i),   the projection onto P_i
///            of A0_i + tau_i (e_{y_i} - f),
///   phi(B, b) = 1/2 tr(B' K B) + sum_i max_a {...}(f_i),   f = K B + 1 b',
///
/// whose gradient vanishes where B = R(f) and 1'R(f) = 0. phi has a piecewise linear gradient: its
/// Newton step is a linear system in the directions of the face of R (class_face.hpp).

#include "kernmix/context.hpp"
#include "loss/classes/crammer_singer.hpp"

namespace kernmix {

/// A dual matrix with its decision values, biases and gap at K(d).
struct JointDual {
  Matrix A;                 ///< n x K, feasible
  Matrix Z;                 ///< K(d) A
  Vector bias;              ///< the best biases for Z, length K
  std::vector<Index> free;  ///< free entries of A before its sums were corrected (free_entries)
  double gap = 0.0;         ///< sum of the samples' Fenchel-Young gaps
  double step = 0.1;        ///< of the proximal point method: margins are of size 1
};

/// Computes dual.Z, dual.bias and dual.gap from dual.A.
void measure(const ClassTargets& targets, const Matrix& K, JointDual& dual, const Context& context);

/// Improves a measured dual until its gap is at most `target` or stops decreasing.
/// \returns Newton steps
Index solve_joint_svm(const ClassTargets& targets, const Matrix& K, double target, JointDual& dual,
                      const Context& context);

}  // namespace kernmix
