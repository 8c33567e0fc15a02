#pragma once
/// \file
/// Cholesky factors of matrices that are positive definite up to rounding.

#include <limits>
#include <optional>
#include <type_traits>

#include "base/linear_algebra.hpp"
#include "kernmix/context.hpp"

namespace kernmix {

/// L of S = L L' for a symmetric S, in the memory of S: L' on and above the diagonal, S below it.
/// Objects always hold a valid factor.
template <typename Scalar>
class CholeskyOf {
 public:
  using Vector = Eigen::VectorX<Scalar>;
  using Columns = Eigen::Ref<Eigen::MatrixX<Scalar>>;

  /// Nothing if S is not finite and positive definite; S, of which only the lower triangle is read,
  /// then gets both triangles. If there is a factor, S is moved from.
  /// \throws ResourceError, and S is lost, if it has more than 1024 columns and the context is
  /// abandoned
  [[nodiscard]] static std::optional<CholeskyOf> of(RowMatrixOf<Scalar>&& S,
                                                    const Context& context = {});

  [[nodiscard]] Index size() const { return L_.rows(); }

  /// S^{-1} b
  [[nodiscard]] Vector solve(Vector b) const;
  /// B <- S^{-1} B
  void solve_in_place(Columns B) const;
  /// B <- L^{-1} B
  void solve_half_in_place(Columns B) const;

  /// S with both triangles; L is lost.
  [[nodiscard]] RowMatrixOf<Scalar> restored() &&;
  /// The memory for another S; L is lost.
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

/// The mean of the diagonal, the unit of ridges; large enough that 1e-6 times it is a normal
/// number.
template <typename Scalar>
[[nodiscard]] double mean_of_diagonal(const RowMatrixOf<Scalar>& S);

/// A ridge on the diagonal: `always`, and while the factorisation fails also `first`, growth *
/// first, ... up to `most`.
struct Ridge {
  double always;
  double first;
  double growth;
  double most = std::numeric_limits<double>::max();
};

/// L of S + ridge I = L L' with the smallest ridge that makes it positive definite, S given by its
/// lower triangle. Nothing if S is not finite, ridge.first is 0 or ridge.most is insufficient; S
/// then keeps its off-diagonal entries. \throws as CholeskyOf::of()
template <typename Scalar = double>
[[nodiscard]] std::optional<CholeskyOf<Scalar>> cholesky_with_ridge(
    std::type_identity_t<RowMatrixOf<Scalar>>&& S, const Ridge& ridge, const Context& context = {});

}  // namespace kernmix
