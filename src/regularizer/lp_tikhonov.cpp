#include "kernmix/regularizer/lp_tikhonov.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernmix/regularizer/lp.hpp"
#include "kernmix/regularizer/norms.hpp"
#include "regularizer/model_minimizer.hpp"

namespace kernmix {
namespace {

/// The minimiser of 1/2 norm^2 / t + lambda / 2 t^2.
double tikhonov_radius(double norm, double lambda) {
  return std::cbrt(norm / (2.0 * lambda)) * std::cbrt(norm);
}

}  // namespace

std::string LpTikhonov::text() const {
  return fmt::format("lp-tikhonov:p={},lambda={}", p, lambda);
}

void LpTikhonov::check(Index M) const { require_kernels(M); }

Vector LpTikhonov::initial_weights(Index M) const { return Lp{p}.initial_weights(M); }

double LpTikhonov::block_norm(ConstSpan s) const {
  const double t = tikhonov_radius(power_norm(s, 2.0 * p / (p + 1.0)), lambda);
  return 1.5 * lambda * t * t;
}

double LpTikhonov::support(ConstSpan q) const {
  const double norm = power_norm(q, p / (p - 1.0));
  return norm * norm / (8.0 * lambda);
}

double LpTikhonov::penalty(ConstSpan d) const {
  const double norm = power_norm(d, p);
  return 0.5 * lambda * norm * norm;
}

void LpTikhonov::add_penalty_slope(ConstSpan d, MutableSpan slope) const {
  const double norm = power_norm(d, p);
  if (norm == 0.0) return;
  for (std::size_t m = 0; m < d.size(); ++m) {
    slope[m] += lambda * norm * std::pow(d[m] / norm, p - 1.0);
  }
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

void LpTikhonov::project(MutableSpan x) const { clip(x, 0.0); }

Vector LpTikhonov::minimize_model(const WeightModel& model) const {
  // With N = ||x||_p and h = (x / N)^{p-1}: gradient lambda N h and Hessian
  // lambda [(p - 1) diag((x / N)^{p-2}) + (2 - p) h h'].
  WeightSet set;
  set.penalty = [this](const Eigen::ArrayXd& x) {
    const double N = power_norm({x.data(), static_cast<std::size_t>(x.size())}, p);
    const Eigen::ArrayXd h = (x / std::max(N, 1e-300)).pow(p - 1.0);
    const Eigen::ArrayXd diagonal = (x / std::max(N, 1e-300)).pow(p - 2.0);
    return Jet{0.5 * lambda * N * N, lambda * N * h, lambda * (p - 1.0) * diagonal,
               lambda * (2.0 - p), h};
  };
  set.sparse = false;
  return minimize_on(model, set);
}

}  // namespace kernmix
