#pragma once
/// \file
/// Regularizers: a set D of kernel weights with what solvers ask of it (methods table 1.6).
///
///   Omega(s) = min_{d in D} 1/2 sum_m s_m^2 / d_m + Phi(d),   s_m = ||f_m||
///   sigma(v) = max_{d in D} <d, v> - Phi(d),                  v = q / 2,  q_m = a' K_m a

#include <concepts>
#include <string>
#include <variant>
#include <vector>

#include "kernmix/regularizer/average.hpp"
#include "kernmix/regularizer/ckl.hpp"
#include "kernmix/regularizer/conjugate_curvature.hpp"
#include "kernmix/regularizer/elastic_net.hpp"
#include "kernmix/regularizer/elastic_net_bach.hpp"
#include "kernmix/regularizer/fixed.hpp"
#include "kernmix/regularizer/info.hpp"
#include "kernmix/regularizer/l1.hpp"
#include "kernmix/regularizer/l1_unsquared.hpp"
#include "kernmix/regularizer/lp.hpp"
#include "kernmix/regularizer/lp_tikhonov.hpp"
#include "kernmix/regularizer/mixed_norm.hpp"
#include "kernmix/regularizer/prox_slope.hpp"
#include "kernmix/regularizer/sgmkl.hpp"
#include "kernmix/regularizer/sgmkl_norm.hpp"
#include "kernmix/regularizer/soft_margin.hpp"
#include "kernmix/regularizer/soft_margin_power.hpp"
#include "kernmix/regularizer/soft_margin_square_loss.hpp"
#include "kernmix/regularizer/soft_margin_squared.hpp"
#include "kernmix/regularizer/sum.hpp"
#include "kernmix/regularizer/two_stage.hpp"
#include "kernmix/regularizer/ufo.hpp"
#include "kernmix/regularizer/weight_model.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// What every regularizer answers; all vectors have length M.
template <typename R>
concept IsRegularizer = requires(const R r, ConstSpan q, MutableSpan d, Index M) {
  { r.text() } -> std::convertible_to<std::string>;         ///< parses back to the same value
  { r.initial_weights(M) } -> std::convertible_to<Vector>;  ///< the centre of D
  { r.omega(q) } -> std::convertible_to<double>;            ///< Omega(s), argument s
  { r.conjugate(q) } -> std::convertible_to<double>;        ///< sigma(q / 2), argument q
  { r.penalty(q) } -> std::convertible_to<double>;          ///< Phi(d), argument d in D
  {r.check(M)};  ///< throws when D is empty for M kernels
  { R::rows() } -> std::same_as<std::vector<RegularizerInfo>>;
  { R::parse(std::string()) } -> std::same_as<Regularizer>;
};

/// The closed-form minimiser of 1/2 sum s_m^2/d_m + Phi(d) over D: what `alternating` needs.
template <typename R>
concept HasBestWeights = requires(const R r, ConstSpan s, MutableSpan d) {
  r.best_weights(s, d);
};

/// Euclidean projection onto D in place: what projected gradients need, and a test of membership.
template <typename R>
concept HasProjection = requires(const R r, MutableSpan x) {
  r.project(x);
};

/// D = {d >= 0, weight_norm(d) <= 1}: a test of membership where no projection is known.
template <typename R>
concept HasWeightNorm = requires(const R r, ConstSpan d) {
  { r.weight_norm(d) } -> std::convertible_to<double>;
};

/// A point of D that (nearly) minimises the quadratic model plus Phi: what `newton` needs.
template <typename R>
concept HasModelMinimizer = requires(const R r, const WeightModel& model) {
  { r.minimize_quadratic(model) } -> std::convertible_to<Vector>;
};

/// Zero weights are the rule: a solver may restrict its model to the kernels that can matter.
template <typename R>
concept HasSparseWeights = requires {
  requires R::sparse;
};

/// The weights d in D that attain sigma(q/2), unique where sigma is smooth: a dual vector alone is
/// then an answer, with an outer gap of zero.
template <typename R>
concept HasMaximizingWeights = requires(const R r, ConstSpan q, MutableSpan d) {
  r.maximizing_weights(q, d);
};

/// sigma is twice differentiable almost everywhere: what `smo` needs to choose its pairs.
template <typename R>
concept HasConjugateCurvature = requires(const R r, ConstSpan q, ConstSpan d) {
  { r.conjugate_curvature(q, d) } -> std::convertible_to<ConjugateCurvature>;
};

/// The proximal map of Omega on norms, s = argmin gamma Omega(s) + 1/2 ||s - x||^2, and its
/// derivative at s: what `spicy` needs.
template <typename R>
concept HasNormProx = requires(const R r, double gamma, ConstSpan x, MutableSpan s) {
  r.prox(gamma, x, s);
  { r.prox_slope(gamma, x) } -> std::convertible_to<ProxSlope>;
};

/// Omega is strongly convex in the block norms.
template <typename R>
concept IsStronglyConvex = requires {
  requires R::strongly_convex;
};

/// D is a polyhedron and Phi is linear: some optimum has no more weights strictly between their
/// bounds than there are free samples and held sums.
template <typename R>
concept IsPolyhedral = requires {
  requires R::polyhedral;
};

/// D is a part of the simplex: sum d = 1.
template <typename R>
concept HasUnitSum = requires {
  requires R::simplex;
};

/// D is the part of the simplex below upper_bound(), which may be infinite.
template <typename R>
concept OnSimplex = HasUnitSum<R> && requires(const R r) {
  { r.upper_bound() } -> std::convertible_to<double>;
};

/// A fixed D = {d}: there is nothing to learn and one inner solve is exact.
template <typename R>
concept HasFixedWeights = requires {
  requires R::fixed_weights;
};

/// Gradient of a smooth Phi at d in D, added to `slope`; none where Phi = 0.
template <typename R>
concept HasPenaltySlope = requires(const R r, ConstSpan d, MutableSpan slope) {
  r.add_penalty_slope(d, slope);
};

/// sigma is infinite beyond a ball: the dual vector is bounded by the regularizer.
template <typename R>
concept HasBoundedDual = requires {
  requires R::bounded_dual;
};

/// Has a member `group`: the number of each kernel's group, set before use (with_groups).
template <typename R>
concept IsGrouped = requires(R r) {
  { r.group } -> std::same_as<std::vector<Index>&>;
};

/// No set D: weights d_jk = lambda_jk / gamma_j where lambda minimises and gamma maximises (methods
/// 3.11). Bounds hold for any d >= 0; -sigma is the saddle value of -d'q/2.
template <typename R>
concept HasSaddleWeights = IsGrouped<R> && requires(const R r) {
  { r.decay() } -> std::convertible_to<double>;
};

using AnyRegularizer =
    std::variant<L1, Lp, Average, Sum, Fixed,                                            //
                 L1Unsquared, LpTikhonov, ElasticNet, ElasticNetBach, Sgmkl, SgmklNorm,  //
                 SoftMargin, SoftMarginSquared, SoftMarginPower, SoftMarginSquareLoss,   //
                 MixedNorm, MixedNormSaddle, Ckl, Ufo, TwoStage>;

/// The closed set of regularizers. A new one is a file, its include and its name above.
struct Regularizer : AnyRegularizer {
  using AnyRegularizer::AnyRegularizer;
};

/// \throws ParameterError "lp: p must be >= 1, got 0.5", or naming the known regularizers
[[nodiscard]] Regularizer parse_regularizer(const std::string& text);
[[nodiscard]] std::string regularizer_text(const Regularizer& regularizer);

/// True where the weights sum to 1, for certain or, where the user chose them, because they do.
[[nodiscard]] bool weights_sum_to_one(const Regularizer& regularizer);

/// D is one point: there is nothing to learn.
[[nodiscard]] bool has_fixed_weights(const Regularizer& regularizer);

/// The centre of D for M kernels, the point itself where D is one.
[[nodiscard]] Vector initial_weights(const Regularizer& regularizer, Index M);

/// The regularizer with the groups that it works on, 0, 1, ... for each kernel; unchanged where it
/// has none.
[[nodiscard]] Regularizer with_groups(Regularizer regularizer, const std::vector<Index>& group);

/// A two-stage regularizer with the weights d that its rule found; any other one unchanged.
[[nodiscard]] Regularizer with_chosen_weights(Regularizer regularizer, Vector d);

/// Does `d` lie in D? To 1e-7 of its largest weight; any d >= 0 does where D has no bound.
/// \throws ParameterError naming the weight that does not, or what is too large
void check_weights(const Regularizer& regularizer, ConstSpan d);

/// The rows of `kernmix list`.
[[nodiscard]] const std::vector<RegularizerInfo>& regularizers();

}  // namespace kernmix
