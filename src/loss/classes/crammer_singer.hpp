#pragma once
/// \file
/// The hinge of all classes together (Crammer and Singer, JMLR 2001), y = 0 .. K - 1, with K
/// decision values of a sample. With C, of one sample:
///
///   loss(f) = C max_u (1 - [u = y] + f_u - f_y) = max_{a in P} a_y - f'a
///   P = { a : sum_u a_u = 0, a_u <= 0 for u != y, a_y <= C } = C e_y - C simplex
///
/// and of n samples, where a dual vector is A of n x K, row by row (docs/explanation/joint.md):
///
///   (P)  sum_i C_i max_u (1 - [u = y_i] + f_u(x_i) + b_u - f_{y_i}(x_i) - b_{y_i})
///   (D)  sum_i A_{i, y_i}  over A with rows in P_i, and 1'A = 0 where biases are free
///
/// Zien and Ong, Multiclass multiple kernel learning, ICML 2007.

#include <vector>

#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// loss(f) for decision values f of all classes.
[[nodiscard]] double crammer_singer_loss(ConstSpan f, Index y, double C);

/// loss(f) - a_y + f'a for a in P: sum_u p_u (max_v h_v - h_u), p = C e_y - a, h_u = 1 - [u = y] +
/// f_u. No term is negative.
[[nodiscard]] double crammer_singer_gap(ConstSpan f, ConstSpan a, Index y, double C);

/// Replaces `a` by a nearby point of P; unchanged if it is in P. Positive entries become 0, a_y
/// becomes minus the sum of the others, and all are scaled if it exceeds C. Rounding at a_u = 0 and
/// a_y = C remains.
void clip_to_dual(MutableSpan a, Index y, double C);

/// The point of P that is nearest to a, in place: that of the simplex by sorting. O(K log K).
/// \param scratch  overwritten
void project_onto_dual(MutableSpan a, Index y, double C, Vector& scratch);

/// The samples of the loss. Vectors a, z and error have K entries for each sample, sample by
/// sample.
struct ClassTargets {
  std::vector<Index> y;  ///< n classes, 0 .. classes - 1
  Index classes;         ///< K
  Vector C;              ///< n weights of the loss, > 0
  Bias bias;             ///< one for each class, or none

  ClassTargets(Bias rule, ConstSpan labels, ConstSpan weights);
  [[nodiscard]] Index samples() const { return length(y); }

  /// sum_i A_{i, y_i}
  [[nodiscard]] double gain(ConstSpan a) const;
  /// Moves A, feasible for (D) up to rounding, into the set; with free biases its column sums are
  /// 0. \throws ParameterError if A violates the set by more than 1e-9 C
  [[nodiscard]] Vector feasible(ConstSpan a) const;
  /// The biases have sum 0. \param start  biases to start from, or empty
  [[nodiscard]] LossPoint at(ConstSpan z, ConstSpan a, ConstSpan start = {}) const;
  /// Upper bound on the increase of the loss at decision values within `error` of z, including
  /// rounding.
  [[nodiscard]] double excess(const LossPoint& point, ConstSpan z, ConstSpan error) const;
};

struct CrammerSinger {
  static constexpr Target target = Target::classes;
  using OfAllClasses = CrammerSinger;

  static LossInfo info() {
    return {"crammer-singer", "max_u ([u != y] + z_u - z_y)", "crammer-singer"};
  }
  /// K, one more than the largest class in y.
  [[nodiscard]] static Index functions(ConstSpan y);
  /// \throws DataError unless y are 0 .. K - 1, all of which occur, for a K of 2 or more
  void check(ConstSpan y) const;
  [[nodiscard]] static ClassTargets of(Bias rule, ConstSpan y, ConstSpan C) { return {rule, y, C}; }
  [[nodiscard]] double gain(ConstSpan y, ConstSpan a, ConstSpan C) const {
    return of(Bias::none, y, C).gain(a);
  }
  /// The box and the column sums; rows also sum to zero. \throws DataError as check()
  [[nodiscard]] DualSet dual_set(Bias rule, ConstSpan y, ConstSpan C) const;
};

}  // namespace kernmix
