#pragma once
/// \file
/// The face of the dual set on which a matrix A lies: samples of which two or more classes are
/// free, p_iu = C_i [u = y_i] - A_iu > 0, and the directions in which A may move there,
///
///   A + E x,   E = [e_i (e_u - e_r)'],   r the first free class of i, u any other one.

#include <vector>

#include "base/linear_algebra.hpp"
#include "kernmix/context.hpp"
#include "loss/classes/crammer_singer.hpp"

namespace kernmix {

/// The free classes of such samples, as i * K + u, ascending.
[[nodiscard]] std::vector<Index> free_entries(const ClassTargets& targets, const Matrix& A);

class ClassFace {
 public:
  ClassFace(const std::vector<Index>& free, Index classes);

  [[nodiscard]] Index size() const { return length(directions_); }

  /// E'F for F of n x K.
  [[nodiscard]] Eigen::VectorXd along(const Matrix& F) const;
  /// A += E x.
  void add(const Eigen::VectorXd& x, Matrix& A) const;
  /// E'(K (x) I)E for K of n x n: its lower triangle.
  [[nodiscard]] RowMatrix curvature(const Matrix& K, const Context& context) const;
  /// S += E' diag(weight_i) E, lower triangle.
  void add_diagonal(ConstSpan weight, RowMatrix& S) const;
  /// Size x K: row p is how direction p changes 1'A.
  [[nodiscard]] Eigen::MatrixXd sums() const;

 private:
  struct Direction {
    Index sample, up, down;
  };

  Index classes_;
  std::vector<Direction> directions_;  ///< by samples, ascending
};

}  // namespace kernmix
