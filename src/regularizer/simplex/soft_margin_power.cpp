#include "regularizer/simplex/soft_margin_power.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/arguments.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/simplex/l1.hpp"
#include "regularizer/simplex/power_on_simplex.hpp"

namespace kernmix {
namespace {

/// kappa = rho^{1-p} with rho = theta p* / 2.
PowerOnSimplex phi_of(const SoftMarginPower& r) { return {r.p, 0.5 * r.theta * r.p / (r.p - 1.0)}; }

}  // namespace

std::vector<RegularizerInfo> SoftMarginPower::rows() {
  return {{"soft-margin-power:theta=T,p=P", "d >= 0, sum d = 1, Phi = (T P*/2)^(1-P) sum d^P / P",
           "min_d 1/2 sum s^2/d + Phi", "soft-margin-power:theta=1,p=3"}};
}

Regularizer SoftMarginPower::parse(const std::string& text) {
  const Arguments arguments(text, {"theta", "p"});
  const double theta = arguments.positive("theta");
  const double p = arguments.number("p");
  if (!(p > 1.0) || std::isinf(p)) {
    throw ParameterError(fmt::format("soft-margin-power: p must be > 1 and finite, got {}", p));
  }
  return SoftMarginPower{theta, p};
}

std::string SoftMarginPower::text() const {
  return fmt::format("soft-margin-power:theta={},p={}", theta, p);
}

void SoftMarginPower::check(Index M) const { require_kernels(M); }

Vector SoftMarginPower::initial_weights(Index M) const { return L1{}.initial_weights(M); }

double SoftMarginPower::omega(ConstSpan s) const {
  Vector d(s.size());
  best_weights(s, d);
  return weighted_norm(s, d) + penalty(d);
}

double SoftMarginPower::conjugate(ConstSpan q) const { return phi_of(*this).conjugate(q); }

double SoftMarginPower::penalty(ConstSpan d) const { return phi_of(*this).penalty(d); }

void SoftMarginPower::add_penalty_slope(ConstSpan d, MutableSpan slope) const {
  phi_of(*this).add_penalty_slope(d, slope);
}

void SoftMarginPower::best_weights(ConstSpan s, MutableSpan d) const {
  phi_of(*this).best_weights(s, d);
}

void SoftMarginPower::project(MutableSpan x) const { L1{}.project(x); }

Vector SoftMarginPower::minimize_quadratic(const WeightModel& model) const {
  return phi_of(*this).minimize_quadratic(model);
}

}  // namespace kernmix
