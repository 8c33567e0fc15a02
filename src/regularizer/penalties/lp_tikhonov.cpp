#include "regularizer/penalties/lp_tikhonov.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/arguments.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "regularizer/balls/lp.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/weight_set.hpp"

namespace kernmix {
namespace {

/// The minimiser of 1/2 norm^2 / t + lambda / 2 t^2.
double tikhonov_radius(double norm, double lambda) {
  return std::cbrt(norm / (2.0 * lambda)) * std::cbrt(norm);
}

}  // namespace

Regularizer LpTikhonov::parse(const std::string& text) {
  const Arguments arguments(text, {"p", "lambda"}, info().example);
  const double p = arguments.number("p");
  if (!(p > 1.0) || std::isinf(p)) {
    throw ParameterError(
        fmt::format("lp-tikhonov: p must be > 1 and finite, got {}; the limits are l1 and sum", p));
  }
  return LpTikhonov{p, arguments.positive("lambda")};
}

Vector LpTikhonov::initial_weights(Index M) const { return Lp{p}.initial_weights(M); }

double LpTikhonov::omega(ConstSpan s) const {
  const double t = tikhonov_radius(power_norm(s, 2.0 * p / (p + 1.0)), lambda);
  return 1.5 * lambda * t * t;
}

double LpTikhonov::conjugate(ConstSpan q) const {
  const double norm = power_norm(q, p / (p - 1.0));
  return norm * norm / (8.0 * lambda);
}

void LpTikhonov::best_weights(ConstSpan s, MutableSpan d) const {
  Lp{p}.best_weights(s, d);
  const double t = tikhonov_radius(power_norm(s, 2.0 * p / (p + 1.0)), lambda);
  for (double& weight : d) weight *= t;
}

void LpTikhonov::maximizing_weights(ConstSpan q, MutableSpan d) const {
  Lp{p}.maximizing_weights(q, d);
  const double radius = power_norm(q, p / (p - 1.0)) / (2.0 * lambda);
  for (double& weight : d) weight *= radius;
}

// With P = p*: e = (P-1)/(4 lambda) (q/|q|)^{P-2} and c = (2-P) lambda / |q|^2, |q| the P-norm.
ConjugateCurvature LpTikhonov::conjugate_curvature(ConstSpan q, ConstSpan) const {
  ConjugateCurvature curvature{Vector(q.size(), 0.0), 0.0};
  const double P = p / (p - 1.0);
  const double norm = power_norm(q, P);
  if (norm == 0.0) return curvature;
  for (std::size_t m = 0; m < q.size(); ++m) {
    const double ratio = std::pow(q[m] / norm, P - 2.0);
    curvature.diagonal[m] = std::isfinite(ratio) ? (P - 1.0) * ratio / (4.0 * lambda) : 0.0;
  }
  curvature.rank_one = (2.0 - P) * lambda / (norm * norm);
  return curvature;
}

WeightSet LpTikhonov::weight_set(Index) const {
  // With N = ||x||_p and h = (x / N)^{p-1}: gradient lambda N h and Hessian
  // lambda [(p - 1) diag((x / N)^{p-2}) + (2 - p) h h'].
  WeightSet set;
  set.penalty = [p = p, lambda = lambda](const Eigen::ArrayXd& x) {
    const double N = power_norm({x.data(), static_cast<std::size_t>(x.size())}, p);
    const Eigen::ArrayXd h = (x / std::max(N, 1e-300)).pow(p - 1.0);
    const Eigen::ArrayXd diagonal = (x / std::max(N, 1e-300)).pow(p - 2.0);
    return Jet{0.5 * lambda * N * N, lambda * N * h, lambda * (p - 1.0) * diagonal,
               lambda * (2.0 - p), h};
  };
  set.sparse = false;
  return set;
}

}  // namespace kernmix
