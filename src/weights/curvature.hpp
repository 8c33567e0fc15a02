#pragma once
/// \file
/// The second order model of the optimal value J(d) at a point.

#include <vector>

#include "base/linear_algebra.hpp"
#include "regularizer/weight_model.hpp"
#include "weights/free_block_factor.hpp"

namespace kernmix {

/// The kernels that a sparse model looks at, ascending: those with weight and as many of the
/// others, but at least 64 (16 where they are dense), with the largest q; at most `largest` in all.
[[nodiscard]] std::vector<Index> working_set(const Point& point, Index largest);

/// Kernels whose products with a are computed at the same time.
inline constexpr Index products_at_once = 64;

/// A column of ones for the free samples of each block of which the sum is held, where it has any.
[[nodiscard]] Eigen::MatrixXd held_sums(const DualSet& set, const std::vector<Index>& free);

/// U from `products`, rows K_m a at the support of point.a: column k is that of rows[k] at the free
/// samples of the point. Empty where a free sample is not in the support.
[[nodiscard]] Eigen::MatrixXd at_free_samples(const Matrix& products,
                                              const std::vector<Index>& rows, const Point& point);

/// U: column k is K_m a at the free samples, m = kernels[k]. One pass over the kernels, a few at a
/// time.
[[nodiscard]] Eigen::MatrixXd free_products(const Problem& problem, ConstSpan a,
                                            const std::vector<Index>& kernels,
                                            const std::vector<Index>& free, const Context& context);

/// B' from U, of at most twice as many rows as columns.
/// \param factor  of S at the samples `free`
[[nodiscard]] Eigen::MatrixXd curvature_root(const DualSet& set, const std::vector<Index>& free,
                                             const FreeBlockFactor& factor, Eigen::MatrixXd U);

/// Of a tall matrix its triangular factor, which has the same U'U; any other one as it is.
[[nodiscard]] Eigen::MatrixXd same_gram(Eigen::MatrixXd U);

/// d and q of these kernels, B = 0.
[[nodiscard]] WeightModel model_without_curvature(const Point& point,
                                                  const std::vector<Index>& kernels);

/// B from its transpose.
void set_curvature(WeightModel& model, const Eigen::MatrixXd& root);

}  // namespace kernmix
