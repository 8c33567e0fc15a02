#pragma once
/// \file
/// A first order prediction of the SVM's solution at other weights.

#include "base/linear_algebra.hpp"
#include "kernmix/loss.hpp"
#include "weights/free_block_factor.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// The solution a(d') to first order in d', from point.a = a(d). S belongs to the free samples F as
/// in free_block_factor.hpp, and E holds their membership in blocks with fixed sums:
///
///   a(d')_F ~ a_F - S^{-1} (change - E mu),   change = (K(d') - K(d))_F a,   E'(a(d') - a)_F = 0.
///
/// A variable that would leave its interval stops at the end of it, and the other variables are
/// adjusted accordingly.
/// \param change  one number per free sample
/// \returns a feasible dual vector; empty if more than an eighth of the free samples, or 64, would
///          stop, because the first order prediction is unreliable then
[[nodiscard]] Vector predicted_dual(const DualSet& set, const Point& point,
                                    const FreeBlockFactor& factor, const Eigen::VectorXd& change);

/// Predicts the dual vectors at the weights `target` from `model`, the model at `point`. The next
/// SVMs start from these vectors, unless their certificate ends the solve.
void offer_predicted_dual(Objective& J, const Point& point, const LocalModel& model,
                          ConstSpan target);

}  // namespace kernmix
