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

/// The model in e_j = c_j d_jk, one weight for each group.
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

Regularizer Ckl::parse(const std::string& text) {
  const Arguments arguments(text, {"p", "q"}, info().example);
  const double p = arguments.number("p");
  const double q = arguments.number("q");
  if (!(p >= 0.0 && q >= 0.0)) {
    throw ParameterError(fmt::format("ckl: p and q must be >= 0, got {} and {}", p, q));
  }
  if (p + q > 1.0 + 1e-12) {
    throw ParameterError(
        fmt::format("ckl: p + q must be <= 1, got {} + {}: for larger sums the problem is not "
                    "convex, and a solution could not be certified",
                    p, q));
  }
  if (p + q == 0.0) return Sum{};
  return Ckl{p, q, {}};
}

GroupBall Ckl::ball() const {
  return {group, ckl_scale(*this), 2.0 / (q + 1.0), 2.0 / (ckl_power(*this) + 1.0)};
}

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
