#pragma once
/// \file
/// The square root of S_F = K(d)_FF + diag(-gain'' + softness) (+ 1 1' where the bias is
/// penalised), F the free samples.

#include <optional>
#include <utility>
#include <variant>

#include "base/cholesky.hpp"
#include "base/memory/room.hpp"
#include "base/qr.hpp"
#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "weights/point.hpp"

namespace kernmix {

/// Samples that a model takes for free, and what it adds to the diagonal of S at each.
struct FreeSet {
  std::vector<Index> samples;  ///< ascending
  Vector softness;             ///< empty: nothing
};

/// What the inner solver still has of K(d).
struct CachedHessian {
  RowMatrixF hessian;              ///< the lower triangle of S_F in single precision, or empty
  const Matrix* factor = nullptr;  ///< as InnerSolver::factor
};

/// S_F = L L' by Cholesky, with the smallest ridge that makes it positive definite: F^3 / 3
/// operations.
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

/// The same for an S_F in single precision, factorised in single precision: the ridge that covers
/// the rounding of its entries covers that of its factor, too.
class RoundedWhitening {
 public:
  /// \param S  by its lower triangle
  [[nodiscard]] static std::optional<RoundedWhitening> of(RowMatrixF S);
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
/// so L^{-1} U is Q'D^{-1/2} U with M^{-1} applied to its first r rows, M M' = I + R R': F r^2
/// operations, and no cancellation where D is tiny. D holds the same ridge.
class FactorWhitening {
 public:
  /// \param factor  as InnerSolver::factor; null: it comes from the bank
  [[nodiscard]] static std::optional<FactorWhitening> of(const Problem& problem, ConstSpan d,
                                                         const std::vector<Index>& free,
                                                         const Vector& curvature,
                                                         const Matrix* factor,
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

/// Whether S_F of F samples fits beside the bank and K(d).
template <typename Scalar>
[[nodiscard]] bool has_room_for_block(const Problem& problem, Index F, const Context& context) {
  const Index n = problem.samples();
  const std::size_t entry = has_smooth_dual(problem.loss) ? sizeof(double) : sizeof(float);
  return has_room(context, problem.bank.bytes() + static_cast<std::size_t>(n * n) * entry +
                               static_cast<std::size_t>(F * F) * sizeof(Scalar));
}

/// U <- L^{-1} U for a matrix with a row for each free sample, L L' = S_F, and S_F^{-1} B: by the
/// factor where the bank has one with fewer columns than there are free samples.
class FreeBlockFactor {
 public:
  /// Nothing where S_F is not finite or has no room.
  /// \param known  what is not there is read from the bank
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
