#pragma once
/// \file
/// Losses: convex functions given together with their conjugates (methods table 1.5).

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernmix/loss/epsilon.hpp"
#include "kernmix/loss/hinge.hpp"
#include "kernmix/loss/huber.hpp"
#include "kernmix/loss/huber_hinge.hpp"
#include "kernmix/loss/komd.hpp"
#include "kernmix/loss/logistic.hpp"
#include "kernmix/loss/nu_svc.hpp"
#include "kernmix/loss/one_class.hpp"
#include "kernmix/loss/pinball.hpp"
#include "kernmix/loss/separable.hpp"
#include "kernmix/loss/squared.hpp"
#include "kernmix/loss/squared_epsilon.hpp"
#include "kernmix/loss/squared_hinge.hpp"
#include "kernmix/loss/svdd.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// The closed set of losses. A new one is a file in loss/, its include and its name here. Each is a
/// sum over samples (IsSeparableLoss) or brings `gain`, `at` and `dual_set` of its own.
using Loss = std::variant<Hinge, SquaredHinge, HuberHinge, Logistic, NuSvc, Komd, Squared, Epsilon,
                          SquaredEpsilon, Huber, Pinball, OneClass, Svdd>;

/// sum_i -(C_i l)*(-a_i), the gain in (D); less 1/2 (sum a)^2 where the bias is penalised.
[[nodiscard]] double dual_gain(const Loss& loss, Bias rule, ConstSpan y, ConstSpan a, ConstSpan C);

/// The absolute values of the terms of dual_gain: what its rounding is a part of.
[[nodiscard]] double gain_size(const Loss& loss, Bias rule, ConstSpan y, ConstSpan a, ConstSpan C);

/// Value and Fenchel-Young gap at decision values z + b with the best bias that `rule` allows.
[[nodiscard]] LossPoint loss_at(const Loss& loss, Bias rule, ConstSpan y, ConstSpan z, ConstSpan a,
                                ConstSpan C);

/// The feasible set of a.
[[nodiscard]] DualSet dual_set(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C);

/// -d^2 gain / d a_i^2 at each a_i: what the loss adds to the diagonal of K(d) in second order
/// models.
[[nodiscard]] Vector dual_curvature(const Loss& loss, ConstSpan y, ConstSpan a, ConstSpan C);

/// The quadratic part of -gain, sample by sample (see QuadraticTerm): all of length n.
struct QuadraticTerms {
  Vector linear;
  Vector diagonal;
  Vector kink;
};
/// Nothing where the gain has no such form inside the box (HasQuadraticDual).
[[nodiscard]] std::optional<QuadraticTerms> quadratic_terms(const Loss& loss, ConstSpan y,
                                                            ConstSpan C);

/// True where the gain is smooth inside the box (HasSmoothDual).
[[nodiscard]] bool has_smooth_dual(const Loss& loss);

/// Samples whose a_i moves smoothly with the weights: inside the box and not at a kink.
[[nodiscard]] std::vector<Index> free_samples(const Loss& loss, const DualSet& set, ConstSpan y,
                                              ConstSpan a, ConstSpan C);

[[nodiscard]] Target loss_target(const Loss& loss);

/// True where 1 / (1 + exp(-z)) is the probability of y = +1 at decision value z.
[[nodiscard]] bool gives_probability(const Loss& loss);

/// False for losses that have no C.
[[nodiscard]] bool takes_cost(const Loss& loss);

/// True for losses with a threshold of their own, a margin or an offset that is learned.
[[nodiscard]] bool learns_threshold(const Loss& loss);

/// True for losses of the distances between samples: their kernels come from distance_kernels.
[[nodiscard]] bool on_distances(const Loss& loss);

/// A loss of distances with the shift of its kernels; any other one unchanged.
[[nodiscard]] Loss with_shift(Loss loss, double shift);

/// The weight of each sample's loss before sample and class weights: C, or what the loss says
/// itself. \throws ParameterError where C is given and the loss has none
[[nodiscard]] double loss_weight(const Loss& loss, double C, Index n);

/// \throws ParameterError unless C_i lies in the range of parameters (kernmix/range.hpp)
void check_weight(double C, Index sample);

/// \throws ParameterError or DataError where a parameter is out of its range, or the loss cannot
///         have this bias, these labels or these weights
void check_loss(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C);

[[nodiscard]] std::string loss_text(const Loss& loss);
/// "hinge", "epsilon:eps=0.1"; parses back. \throws ParameterError naming the known losses
[[nodiscard]] Loss parse_loss(const std::string& text);

/// The rows of `kernmix list`.
[[nodiscard]] const std::vector<LossInfo>& losses();

}  // namespace kernmix
