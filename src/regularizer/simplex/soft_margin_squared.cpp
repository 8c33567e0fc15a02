#include "regularizer/simplex/soft_margin_squared.hpp"

#include <fmt/format.h>

#include "base/arguments.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/simplex/l1.hpp"
#include "regularizer/simplex/power_on_simplex.hpp"

namespace kernmix {
namespace {

PowerOnSimplex phi_of(const SoftMarginSquared& r) { return {2.0, r.theta}; }

}  // namespace

std::vector<RegularizerInfo> SoftMarginSquared::rows() {
  return {{"soft-margin-squared:theta=T", "d >= 0, sum d = 1, Phi = ||d||^2/(2T)",
           "min_d 1/2 sum s^2/d + Phi", "soft-margin-squared:theta=1"}};
}

Regularizer SoftMarginSquared::parse(const std::string& text) {
  return SoftMarginSquared{Arguments(text, {"theta"}).positive("theta")};
}

std::string SoftMarginSquared::text() const {
  return fmt::format("soft-margin-squared:theta={}", theta);
}

void SoftMarginSquared::check(Index M) const { require_kernels(M); }

Vector SoftMarginSquared::initial_weights(Index M) const { return L1{}.initial_weights(M); }

double SoftMarginSquared::omega(ConstSpan s) const {
  Vector d(s.size());
  best_weights(s, d);
  return weighted_norm(s, d) + penalty(d);
}

double SoftMarginSquared::conjugate(ConstSpan q) const { return phi_of(*this).conjugate(q); }

double SoftMarginSquared::penalty(ConstSpan d) const { return phi_of(*this).penalty(d); }

void SoftMarginSquared::add_penalty_slope(ConstSpan d, MutableSpan slope) const {
  phi_of(*this).add_penalty_slope(d, slope);
}

void SoftMarginSquared::best_weights(ConstSpan s, MutableSpan d) const {
  phi_of(*this).best_weights(s, d);
}

void SoftMarginSquared::project(MutableSpan x) const { L1{}.project(x); }

Vector SoftMarginSquared::minimize_quadratic(const WeightModel& model) const {
  return phi_of(*this).minimize_quadratic(model);
}

}  // namespace kernmix
