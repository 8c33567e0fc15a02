#pragma once
/// \file
/// The second order model of the optimal value J(d) at a point.

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/linear_algebra.hpp"
#include "kernmix/regularizer.hpp"
#include "regularizer/concepts.hpp"
#include "regularizer/weight_model.hpp"
#include "weights/free_block_factor.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// The kernels that a sparse model looks at, ascending: those with weight and as many of the
/// others, but at least 64 (16 where they are dense), with the largest q; at most `largest` in all.
[[nodiscard]] std::vector<Index> working_set(const Point& point, Index largest);

/// The kernels that a model looks at, of M: all, where many may share the weight. Some optimum of a
/// polyhedral D has few weights between their bounds.
template <typename R>
[[nodiscard]] Index most_in_model(const R& regularizer, Index M) {
  constexpr double kCorners = 1000.0;
  if constexpr (!HasSparseWeights<R> || !IsPolyhedral<R>) return M;
  double most = kCorners;
  // As many as hold twice the mass, should each be at its bound.
  if constexpr (OnSimplex<R>) most = std::max(most, std::ceil(2.0 / regularizer.upper_bound()));
  return most < static_cast<double>(M) ? static_cast<Index>(most) : M;
}

/// Kernels whose products with a are computed at the same time.
inline constexpr Index products_at_once = 64;

/// A column of ones for the free samples of each block of which the sum is held, where it has any.
[[nodiscard]] Eigen::MatrixXd held_sums(const DualSet& set, const std::vector<Index>& free);

/// U from what came with q; empty where that is not there.
[[nodiscard]] Eigen::MatrixXd known_products(const Point& point, const std::vector<Index>& subset);

/// U: column k is K_m a at the free samples, m = subset[k]. One pass over `subset`, a few kernels
/// at a time.
[[nodiscard]] Eigen::MatrixXd free_products(const Problem& problem, const Point& point,
                                            const std::vector<Index>& subset,
                                            const Context& context);

/// B' from U, of at most twice as many rows as columns.
/// \param whitening  of the free samples of `point`
[[nodiscard]] Eigen::MatrixXd curvature_root(const DualSet& set, const Point& point,
                                             const FreeBlockFactor& whitening, Eigen::MatrixXd U);

/// Of a tall matrix its triangular factor, which has the same U'U; any other one as it is.
[[nodiscard]] Eigen::MatrixXd same_gram(Eigen::MatrixXd U);

/// d and q of `subset`, B = 0.
[[nodiscard]] WeightModel model_without_curvature(const Point& point,
                                                  const std::vector<Index>& subset);

}  // namespace kernmix
