#pragma once
/// \file
/// The second order model of the optimal value J(d) at a point.

#include <vector>

#include "kernmix/regularizer/weight_model.hpp"
#include "linear_algebra.hpp"
#include "solver/outer/run.hpp"
#include "solver/outer/whitening.hpp"

namespace kernmix {

/// The kernels that a sparse model looks at, ascending: those with weight and as many of the
/// others, but at least 64 (16 where they are dense), with the largest q; at most `largest` in all.
[[nodiscard]] std::vector<Index> working_set(const Point& point, Index largest);

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
                                             const Whitening& whitening, Eigen::MatrixXd U);

/// Of a tall matrix its triangular factor, which has the same U'U; any other one as it is.
[[nodiscard]] Eigen::MatrixXd same_gram(Eigen::MatrixXd U);

/// d and q of `subset`, B = 0.
[[nodiscard]] WeightModel model_without_curvature(const Point& point,
                                                  const std::vector<Index>& subset);

}  // namespace kernmix
