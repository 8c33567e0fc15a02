#pragma once
/// \file
/// Where the SVM's solution will be at other weights, without solving it.

#include "base/linear_algebra.hpp"
#include "kernmix/loss.hpp"
#include "weights/free_block_factor.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// The solution a(d') to first order in d', from point.a = a(d): with S of the free samples F as in
/// free_block_factor.hpp and E their membership in blocks whose sums are held,
///
///   a(d')_F ~ a_F - S^{-1} (change - E mu),   change = (K(d') - K(d))_F a,   E'(a(d') - a)_F = 0.
///
/// What would leave its interval stops at the end of it, and the others answer to that.
/// \param change  a number for each free sample
/// \returns a point of the set; empty where more than an eighth of the free samples, or 64, would
///          stop: far from where first order says anything
[[nodiscard]] Vector predicted_dual(const DualSet& set, const Point& point,
                                    const FreeBlockFactor& factor, const Eigen::VectorXd& change);

/// The dual vectors that `model`, of `point`, expects at the weights `target`: the next SVMs start
/// from them, unless their certificate ends the solve.
void offer_predicted_dual(Objective& J, const Point& point, const LocalModel& model,
                          ConstSpan target);

}  // namespace kernmix
