#include "regularizer/groups/ckl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/arguments.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "regularizer/balls/lp.hpp"
#include "regularizer/groups/group_ball.hpp"
#include "regularizer/groups/groups.hpp"
#include "regularizer/simplex/l1.hpp"
#include "regularizer/subproblem/group_model.hpp"

namespace kernmix {
namespace {

/// p + q, whose rounding must not exceed 1.
double ckl_power(const Ckl& ckl) { return std::min(ckl.p + ckl.q, 1.0); }

Vector ckl_scale(const Ckl& ckl) {
  Vector scale = group_sizes(ckl.group);
  for (double& c : scale) c = std::pow(c, ckl.p);
  return scale;
}

GroupBall ckl_ball(const Ckl& ckl) {
  return {ckl.group, ckl_scale(ckl), 2.0 / (ckl.q + 1.0), 2.0 / (ckl_power(ckl) + 1.0)};
}

/// The model in e_j = c_j d_jk, one weight for a group.
WeightModel model_of_groups(const WeightModel& model, const Ckl& ckl, const Vector& scale) {
  const Index f = model.B.cols;
  WeightModel groups{Vector(scale.size(), 0.0), Vector(scale.size(), 0.0),
                     Matrix(length(scale), f)};
  for (std::size_t m = 0; m < model.d.size(); ++m) {
    const Index j = ckl.group[m];
    const auto at = static_cast<std::size_t>(j);
    groups.d[at] = std::max(groups.d[at], scale[at] * model.d[m]);
    groups.q[at] += model.q[m] / scale[at];
    const ConstSpan row = model.B.row(static_cast<Index>(m));
    for (Index i = 0; i < f; ++i) groups.B(j, i) += row[static_cast<std::size_t>(i)] / scale[at];
  }
  return groups;
}

/// Over the groups alone D is the l_{1/p} ball.
Vector minimize_over_groups(const WeightModel& groups, double p) {
  return p == 1.0 ? L1{}.minimize_quadratic(groups) : Lp{1.0 / p}.minimize_quadratic(groups);
}

}  // namespace

std::vector<RegularizerInfo> Ckl::rows() {
  return {{"ckl:p=P,q=Q", "d >= 0, ||(n_j^P ||d_j||_(1/Q))_j||_(1/(P+Q)) <= 1, P + Q <= 1",
           "1/2 ||(n_j^(P/2) ||s_j||_r)_j||_a^2, r = 2/(Q+1), a = 2/(P+Q+1)", "ckl:p=0.5,q=0.5"}};
}

Regularizer Ckl::parse(const std::string& text) {
  const Arguments arguments(text, {"p", "q"});
  const double p = arguments.number("p");
  const double q = arguments.number("q");
  if (!(p >= 0.0 && q >= 0.0)) {
    throw ParameterError(fmt::format("ckl: p and q must be >= 0, got {} and {}", p, q));
  }
  if (p + q > 1.0 + 1e-12) {
    throw ParameterError(fmt::format(
        "ckl: p + q must be <= 1, got {} + {}: beyond 1 the problem is not convex and no solution "
        "of it could be certified",
        p, q));
  }
  if (p + q == 0.0) return Sum{};
  return Ckl{p, q, {}};
}

std::string Ckl::text() const { return fmt::format("ckl:p={},q={}", p, q); }

void Ckl::check(Index M) const { check_groups("ckl", group, M); }

Vector Ckl::initial_weights(Index) const { return ckl_ball(*this).even_weights(); }

double Ckl::omega(ConstSpan s) const { return ckl_ball(*this).omega(s); }

double Ckl::conjugate(ConstSpan forms) const { return ckl_ball(*this).conjugate(forms); }

double Ckl::weight_norm(ConstSpan d) const { return ckl_ball(*this).weight_norm(d); }

void Ckl::best_weights(ConstSpan s, MutableSpan d) const { ckl_ball(*this).best_weights(s, d); }

Vector Ckl::minimize_quadratic(const WeightModel& model) const {
  const Vector scale = ckl_scale(*this);
  const auto scale_of = [&](std::size_t m) { return scale[static_cast<std::size_t>(group[m])]; };
  if (q == 0.0) {
    const Vector e = minimize_over_groups(model_of_groups(model, *this, scale), p);
    Vector d(model.d.size());
    for (std::size_t m = 0; m < d.size(); ++m) {
      d[m] = e[static_cast<std::size_t>(group[m])] / scale_of(m);
    }
    return d;
  }
  WeightModel scaled = model;
  for (std::size_t m = 0; m < model.d.size(); ++m) {
    scaled.d[m] *= scale_of(m);
    scaled.q[m] /= scale_of(m);
    for (double& entry : scaled.B.row(static_cast<Index>(m))) entry /= scale_of(m);
  }
  Vector d = minimize_on_groups(scaled, group, {1.0 / q, ckl_power(*this)});
  for (std::size_t m = 0; m < d.size(); ++m) d[m] /= scale_of(m);
  return d;
}

}  // namespace kernmix
