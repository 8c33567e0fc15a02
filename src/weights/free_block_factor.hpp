#pragma once
/// \file
/// The square root of S_F = K(d)_FF + diag(-gain'' + softness) (+ 1 1' if the bias is penalised),
/// where F is the set of free samples.

#include <optional>
#include <utility>
#include <variant>

#include "base/cholesky.hpp"
#include "base/memory/room.hpp"
#include "base/qr.hpp"
#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "svm/newton/weighted_columns.hpp"
#include "weights/point.hpp"

namespace kernmix {

/// The samples that a model treats as free, and the softness that it adds to the diagonal of S at
/// each.
struct FreeSet {
  std::vector<Index> samples;  ///< ascending
  Vector softness;             ///< empty if all are zero
};

/// The representation of K(d) that the inner solver has cached.
struct CachedHessian {
  RowMatrixF hessian;  ///< the lower triangle of S_F in single precision, or empty
  const WeightedColumns* factor = nullptr;  ///< as InnerSolver::factor
};

/// -gain'' of the free samples, plus their softness.
[[nodiscard]] Vector free_curvature(const Problem& problem, ConstSpan a, const FreeSet& free);

/// S_F = L L' by Cholesky, with the smallest ridge that makes it positive definite. The
/// factorisation costs F^3 / 3 operations.
class DenseWhitening {
 public:
  [[nodiscard]] static std::optional<DenseWhitening> of(const Problem& problem, ConstSpan d,
                                                        const std::vector<Index>& free,
                                                        const Vector& curvature,
                                                        const Context& context);
  void apply(Eigen::MatrixXd& U) const { factor_.solve_half_in_place(U); }
  void solve(Eigen::MatrixXd& B) const { factor_.solve_in_place(B); }

 private:
  explicit DenseWhitening(Cholesky factor) : factor_(std::move(factor)) {}
  Cholesky factor_;
};

/// Like DenseWhitening, but S_F is stored and factorised in single precision: the ridge that covers
/// the rounding of its entries also covers the rounding of its factor.
class RoundedWhitening {
 public:
  /// \param S  lower triangle
  [[nodiscard]] static std::optional<RoundedWhitening> of(RowMatrixF S,
                                                          const Context& context = {});
  void apply(Eigen::MatrixXd& U) const;
  void solve(Eigen::MatrixXd& B) const;

 private:
  explicit RoundedWhitening(CholeskyF factor) : factor_(std::move(factor)) {}
  CholeskyF factor_;
};

/// S_F = D + Z_F Z_F' for a factor of r < F columns, never formed: with D^{-1/2} Z_F = Q [R; 0],
///
///   D^{-1/2} S_F D^{-1/2} = Q diag(I + R R', I) Q',
///
/// so L^{-1} U is Q'D^{-1/2} U with M^{-1} applied to its first r rows, M M' = I + R R'. The cost
/// is F r^2 operations, and the form avoids cancellation for tiny D. D includes the same ridge.
class FactorWhitening {
 public:
  /// \param factor  as InnerSolver::factor; if null, the factor is read from the bank
  [[nodiscard]] static std::optional<FactorWhitening> of(const Problem& problem, ConstSpan d,
                                                         const std::vector<Index>& free,
                                                         const Vector& curvature,
                                                         const WeightedColumns* factor,
                                                         const Context& context);
  void apply(Eigen::MatrixXd& U) const;
  void solve(Eigen::MatrixXd& B) const;

 private:
  FactorWhitening(Eigen::VectorXd scale, Qr qr, Cholesky core)
      : scale_(std::move(scale)), qr_(std::move(qr)), core_(std::move(core)) {}

  Eigen::VectorXd scale_;  ///< D^{-1/2}
  Qr qr_;
  Cholesky core_;
};

/// Whether S_F of F samples fits into memory in addition to the bank and K(d).
/// \param on_factor  K(d) is never formed as a matrix
template <typename Scalar>
[[nodiscard]] bool has_room_for_block(const Problem& problem, Index F, const Context& context,
                                      bool on_factor = false) {
  const Index n = on_factor ? 0 : problem.samples();
  const std::size_t entry = has_smooth_dual(problem.loss) ? sizeof(double) : sizeof(float);
  return has_room(context, problem.bank.bytes() + static_cast<std::size_t>(n * n) * entry +
                               static_cast<std::size_t>(F * F) * sizeof(Scalar));
}

/// U <- L^{-1} U for a matrix with one row per free sample, L L' = S_F, and S_F^{-1} B. The
/// implementation uses the factor of the bank if that has fewer columns than there are free
/// samples.
class FreeBlockFactor {
 public:
  /// Returns no factor if S_F is not finite or does not fit into memory.
  /// \param known  cached parts of S_F; missing parts are read from the bank
  [[nodiscard]] static std::optional<FreeBlockFactor> of(const Problem& problem, const Point& point,
                                                         const FreeSet& free, CachedHessian known,
                                                         const Context& context);
  void apply(Eigen::MatrixXd& U) const {
    std::visit([&](const auto& method) { method.apply(U); }, method_);
  }
  /// S_F^{-1} B
  [[nodiscard]] Eigen::MatrixXd solve(Eigen::MatrixXd B) const {
    std::visit([&](const auto& method) { method.solve(B); }, method_);
    return B;
  }

 private:
  using Method = std::variant<DenseWhitening, RoundedWhitening, FactorWhitening>;
  explicit FreeBlockFactor(Method method) : method_(std::move(method)) {}
  Method method_;
};

}  // namespace kernmix
