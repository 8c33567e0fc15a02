#pragma once
/// \file
/// The second order model of the optimal value J(d) at a point.

#include <vector>

#include "base/linear_algebra.hpp"
#include "regularizer/weight_model.hpp"
#include "svm/crammer_singer/class_face.hpp"
#include "weights/free_block_factor.hpp"
#include "weights/weight_rules.hpp"

namespace kernmix {

/// The curvature of one task at a point, H = B B'.
struct Curvature {
  Eigen::MatrixXd root;  ///< B'; empty if the task has no curvature
  /// S = L L' on the free samples, if it describes how the dual vector moves with the weights.
  std::optional<FreeBlockFactor> factor;
};

/// The largest number of entries in the factors of several tasks that are kept in memory.
inline constexpr Index most_factor_entries = 16'000'000;

/// The second order model of J at a point, for a subset of the kernels.
struct LocalModel {
  std::vector<Index> kernels;  ///< ascending
  WeightModel quadratic;       ///< the model for these kernels
  /// Curvature::factor of each task; empty if the factors would take too much memory.
  std::vector<std::optional<FreeBlockFactor>> factors;
};

/// The kernels that a model at d contains, in ascending order. The model contains all kernels
/// unless the regularizer is sparse. In that case it contains the kernels with positive weight and
/// the kernels without weight that have the largest q: an equal number of these, but at least
/// `others`.
/// \param q  the modelled function without the penalty has slope -q/2
[[nodiscard]] std::vector<Index> modelled_kernels(const WeightRules& rules, ConstSpan d,
                                                  ConstSpan q, Index others);

/// Extends the weights of a subset of kernels to all M kernels. The other weights are zero.
[[nodiscard]] Vector on_all_kernels(ConstSpan weights, const std::vector<Index>& kernels, Index M);

/// The number of kernels whose products with a are computed in one batch.
inline constexpr Index products_at_once = 64;

/// One indicator column over the free samples for each block with a fixed sum. Blocks without free
/// samples have no column.
[[nodiscard]] Eigen::MatrixXd held_sums(const DualSet& set, const std::vector<Index>& free);

/// Selects U from `products`, the rows K_m a at the support of point.a: column k is the row rows[k]
/// at the free samples of the point. The result is empty if a free sample is outside the support.
[[nodiscard]] Eigen::MatrixXd at_free_samples(const Matrix& products,
                                              const std::vector<Index>& rows, const Point& point);

/// Like at_free_samples(), from the products of the point if it has them. Otherwise, if
/// `read_support` is set and the bank supports it, the function reads the products at the support
/// of a only.
[[nodiscard]] Eigen::MatrixXd products_at_free(const Problem& problem, const Point& point,
                                               const std::vector<Index>& free,
                                               const std::vector<Index>& kernels, bool read_support,
                                               const Context& context);

/// U: column k is K_m a at the free samples, m = kernels[k]. The computation takes one pass over
/// the kernels, in batches.
[[nodiscard]] Eigen::MatrixXd free_products(const Problem& problem, ConstSpan a,
                                            const std::vector<Index>& kernels,
                                            const std::vector<Index>& free, const Context& context);

/// Computes B' from U. The result has at most twice as many rows as columns.
/// \param factor  the factor of S at the samples `free`
[[nodiscard]] Eigen::MatrixXd curvature_root(const DualSet& set, const std::vector<Index>& free,
                                             const FreeBlockFactor& factor, Eigen::MatrixXd U);

/// B' for a factor Z of many columns, without a factor of S: with Y the centred rows of Z over the
/// roots of S's diagonal part D, and V the centred U over these roots,
///
///   H = min_X |V - Y X|^2 + |X|^2,   B' = [V - Y X; X],
///
/// where X is found by conjugate gradients: their error enters H squared. D includes a ridge.
/// \param curvature  D without the ridge, at the samples `free`
[[nodiscard]] Eigen::MatrixXd curvature_root(const WeightedColumns& Z, const DualSet& set,
                                             const std::vector<Index>& free,
                                             const Vector& curvature, Eigen::MatrixXd U,
                                             const Context& context);

/// B' for classes that are trained jointly. E holds the directions of the face of A, S = L L' is
/// E'(K(d) (x) I)E, and Q is an orthonormal basis of L^{-1} E'(1 (x) I), empty without biases:
///
///   B' = (I - Q Q') L^{-1} U,   U = [E' K_m A]_m.
///
/// \param S  lower triangle
/// \param a  A, row by row
[[nodiscard]] Eigen::MatrixXd class_curvature_root(const Problem& problem, const ClassFace& face,
                                                   RowMatrix S, const Vector& a,
                                                   const std::vector<Index>& kernels,
                                                   const Context& context);

/// Replaces a tall matrix by its triangular QR factor, which has the same U'U. Other matrices are
/// returned unchanged.
[[nodiscard]] Eigen::MatrixXd same_gram(Eigen::MatrixXd U);

/// Combines d and q of these kernels with B from the transposes of the tasks: H = sum_k B_k B_k'.
[[nodiscard]] WeightModel quadratic_model(const Point& point, const std::vector<Index>& kernels,
                                          const std::vector<Curvature>& tasks);

}  // namespace kernmix
