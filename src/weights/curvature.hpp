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

/// That of one task at a point, H = B B'.
struct Curvature {
  Eigen::MatrixXd root;  ///< B', or empty: none
  /// S = L L' of the free samples, where it says how the dual vector moves with the weights.
  std::optional<FreeBlockFactor> factor;
};

/// Entries of the factors of several tasks that are kept at a time.
inline constexpr Index most_factor_entries = 16'000'000;

/// The second order model of J at a point, on some kernels.
struct LocalModel {
  std::vector<Index> kernels;  ///< ascending
  WeightModel quadratic;       ///< of these
  /// Curvature::factor of each task; empty where they would take much memory.
  std::vector<std::optional<FreeBlockFactor>> factors;
};

/// The kernels that a model at d looks at, ascending: all, or where zero weights are the rule those
/// with weight and as many of the others, but at least `others`, with the largest q.
/// \param q  -q/2 is the slope of what is modelled, without the penalty
[[nodiscard]] std::vector<Index> modelled_kernels(const WeightRules& rules, ConstSpan d,
                                                  ConstSpan q, Index others);

/// Weights of some kernels as weights of all M: zero on those that a model leaves out.
[[nodiscard]] Vector on_all_kernels(ConstSpan weights, const std::vector<Index>& kernels, Index M);

/// Kernels whose products with a are computed at the same time.
inline constexpr Index products_at_once = 64;

/// A column of ones for the free samples of each block of which the sum is held, where it has any.
[[nodiscard]] Eigen::MatrixXd held_sums(const DualSet& set, const std::vector<Index>& free);

/// U from `products`, rows K_m a at the support of point.a: column k is that of rows[k] at the free
/// samples of the point. Empty where a free sample is not in the support.
[[nodiscard]] Eigen::MatrixXd at_free_samples(const Matrix& products,
                                              const std::vector<Index>& rows, const Point& point);

/// The same from what is at hand: the products of the point, or, where `read_support` and the bank
/// has them, those at the support of a alone.
[[nodiscard]] Eigen::MatrixXd products_at_free(const Problem& problem, const Point& point,
                                               const std::vector<Index>& free,
                                               const std::vector<Index>& kernels, bool read_support,
                                               const Context& context);

/// U: column k is K_m a at the free samples, m = kernels[k]. One pass over the kernels, a few at a
/// time.
[[nodiscard]] Eigen::MatrixXd free_products(const Problem& problem, ConstSpan a,
                                            const std::vector<Index>& kernels,
                                            const std::vector<Index>& free, const Context& context);

/// B' from U, of at most twice as many rows as columns.
/// \param factor  of S at the samples `free`
[[nodiscard]] Eigen::MatrixXd curvature_root(const DualSet& set, const std::vector<Index>& free,
                                             const FreeBlockFactor& factor, Eigen::MatrixXd U);

/// B' of classes that are trained together: with the directions E of the face of A, S = L L' of
/// E'(K(d) (x) I)E and Q an orthonormal basis of L^{-1} E'(1 (x) I), empty without biases,
///
///   B' = (I - Q Q') L^{-1} U,   U = [E' K_m A]_m.
///
/// \param S  by its lower triangle \param a  A, row by row
[[nodiscard]] Eigen::MatrixXd class_curvature_root(const Problem& problem, const ClassFace& face,
                                                   RowMatrix S, const Vector& a,
                                                   const std::vector<Index>& kernels,
                                                   const Context& context);

/// Of a tall matrix its triangular factor, which has the same U'U; any other one as it is.
[[nodiscard]] Eigen::MatrixXd same_gram(Eigen::MatrixXd U);

/// d and q of these kernels, and B from its transposes: H = sum_k B_k B_k'.
[[nodiscard]] WeightModel quadratic_model(const Point& point, const std::vector<Index>& kernels,
                                          const std::vector<Curvature>& tasks);

}  // namespace kernmix
