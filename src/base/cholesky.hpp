#pragma once
/// \file
/// Cholesky factors of matrices that are positive definite, or would be but for rounding.

#include <limits>
#include <optional>
#include <type_traits>

#include "base/linear_algebra.hpp"

namespace kernmix {

/// L of S = L L' for a symmetric S, in the memory of S: L' on and above the diagonal, S below it.
/// There is none without a factor to solve with.
template <typename Scalar>
class CholeskyOf {
 public:
  using Vector = Eigen::VectorX<Scalar>;
  using Columns = Eigen::Ref<Eigen::MatrixX<Scalar>>;

  /// Nothing where S is not finite and positive definite. S is given by its lower triangle and then
  /// left as it was, with both triangles; it is moved from where there is an L.
  [[nodiscard]] static std::optional<CholeskyOf> of(RowMatrixOf<Scalar>&& S);

  [[nodiscard]] Index size() const { return L_.rows(); }

  /// S^{-1} b
  [[nodiscard]] Vector solve(Vector b) const;
  /// B <- S^{-1} B
  void solve_in_place(Columns B) const;
  /// B <- L^{-1} B
  void solve_half_in_place(Columns B) const;

  /// S again, both triangles; L is gone.
  [[nodiscard]] RowMatrixOf<Scalar> restored() &&;
  /// The memory alone, for the next S; L is gone.
  [[nodiscard]] RowMatrixOf<Scalar> released() &&;

 private:
  explicit CholeskyOf(RowMatrixOf<Scalar>&& S);

  RowMatrixOf<Scalar> L_;
  Vector diagonal_;  ///< of S
};

extern template class CholeskyOf<double>;
extern template class CholeskyOf<float>;
using Cholesky = CholeskyOf<double>;
using CholeskyF = CholeskyOf<float>;

/// The mean of the diagonal, which ridges are relative to; at least so much that a ridge of 1e-6 of
/// it is a normal number.
template <typename Scalar>
[[nodiscard]] double mean_of_diagonal(const RowMatrixOf<Scalar>& S);

/// What is added to the diagonal: `always`, then step by step `first`, growth * first, ... as long
/// as the factorisation fails and the step is at most `most`.
struct Ridge {
  double always;
  double first;
  double growth;
  double most = std::numeric_limits<double>::max();
};

/// L of S + ridge I = L L' with the smallest ridge that makes it positive definite, S given by its
/// lower triangle. Nothing only where S is not finite, ridge.first is 0 or ridge.most is not
/// enough: S then keeps its entries beside the diagonal.
template <typename Scalar = double>
[[nodiscard]] std::optional<CholeskyOf<Scalar>> cholesky_with_ridge(
    std::type_identity_t<RowMatrixOf<Scalar>>&& S, const Ridge& ridge);

}  // namespace kernmix
