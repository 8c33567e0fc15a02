#pragma once
/// \file
/// Interfaces of regularizers, which determine the solvers that support them. In formulas
///
///   Omega(s) = min_{d in D} 1/2 sum_m s_m^2 / d_m + Phi(d),   sigma(v) = max_{d in D} <d, v> -
///   Phi(d)

#include <concepts>
#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "regularizer/conjugate_curvature.hpp"
#include "regularizer/prox_slope.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

/// Interface of all regularizers; all vectors have length M.
template <typename R>
concept IsRegularizer = requires(const R r, ConstSpan q, MutableSpan d, Index M) {
  { r.text() } -> std::convertible_to<std::string>;         ///< parses back to the same value
  { r.initial_weights(M) } -> std::convertible_to<Vector>;  ///< the centre of D
  { r.omega(q) } -> std::convertible_to<double>;            ///< Omega(s), argument s
  { r.conjugate(q) } -> std::convertible_to<double>;        ///< sigma(q / 2), argument q
  { r.penalty(q) } -> std::convertible_to<double>;          ///< Phi(d), argument d in D
  {r.check(M)};                                             ///< throws if D is empty for M kernels
  { R::rows() } -> std::same_as<std::vector<RegularizerInfo>>;
  { R::parse(std::string()) } -> std::same_as<Regularizer>;
};

/// The closed-form minimiser of 1/2 sum s_m^2/d_m + Phi(d) over D: required by `alternating`.
template <typename R>
concept HasBestWeights = requires(const R r, ConstSpan s, MutableSpan d) {
  r.best_weights(s, d);
};

/// Euclidean projection onto D in place: for projected gradients, and a test of membership.
template <typename R>
concept HasProjection = requires(const R r, MutableSpan x) {
  r.project(x);
};

/// D = {d >= 0, weight_norm(d) <= 1}: a test of membership if no projection is known.
template <typename R>
concept HasWeightNorm = requires(const R r, ConstSpan d) {
  { r.weight_norm(d) } -> std::convertible_to<double>;
};

/// A point of D that (nearly) minimises the quadratic model plus Phi: required by `newton`.
template <typename R>
concept HasModelMinimizer = requires(const R r, const WeightModel& model) {
  { r.minimize_quadratic(model) } -> std::convertible_to<Vector>;
};

/// Most weights are zero: a solver may restrict its model to the relevant kernels.
template <typename R>
concept HasSparseWeights = requires {
  requires R::sparse;
};

/// The weights d in D that attain sigma(q/2), unique if sigma is smooth: a dual vector then
/// determines an answer with an outer gap of zero.
template <typename R>
concept HasMaximizingWeights = requires(const R r, ConstSpan q, MutableSpan d) {
  r.maximizing_weights(q, d);
};

/// sigma is twice differentiable almost everywhere: required by the pair selection of `smo-mkl`.
template <typename R>
concept HasConjugateCurvature = requires(const R r, ConstSpan q, ConstSpan d) {
  { r.conjugate_curvature(q, d) } -> std::convertible_to<ConjugateCurvature>;
};

/// The proximal map of Omega on norms, s = argmin gamma Omega(s) + 1/2 ||s - x||^2, and its
/// derivative at s: required by `spicy`.
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

/// D is a polyhedron and Phi is linear: some optimum has at most as many weights strictly between
/// their bounds as there are free samples and fixed sums.
template <typename R>
concept IsPolyhedral = requires {
  requires R::polyhedral;
};

/// D is a subset of the simplex: sum d = 1.
template <typename R>
concept HasUnitSum = requires {
  requires R::simplex;
};

/// D is the part of the simplex below upper_bound(M), which may be infinite.
template <typename R>
concept OnSimplex = HasUnitSum<R> && requires(const R r, Index M) {
  { r.upper_bound(M) } -> std::convertible_to<double>;
};

/// D = {d}: the weights are fixed, and one inner solve is exact.
template <typename R>
concept HasFixedWeights = requires {
  requires R::fixed_weights;
};

/// Gradient of a smooth Phi at d in D, added to `slope`; not needed if Phi = 0.
template <typename R>
concept HasPenaltySlope = requires(const R r, ConstSpan d, MutableSpan slope) {
  r.add_penalty_slope(d, slope);
};

/// sigma is infinite beyond a ball: the dual vector is bounded by the regularizer.
template <typename R>
concept HasBoundedDual = requires {
  requires R::bounded_dual;
};

/// Has a member `group`: the group of each kernel, set before use (with_groups).
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

}  // namespace kernmix
