#include "regularizer/subproblem/group_model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/linear_algebra.hpp"
#include "regularizer/groups/groups.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/blocks_plus_gram.hpp"

namespace kernmix {
namespace {

using Array = Eigen::ArrayXd;
using Groups = std::vector<Index>;

Array norms_in_groups(const Array& x, const Groups& group, double r) {
  const Vector norms = group_norms({x.data(), static_cast<std::size_t>(x.size())}, group, r);
  return as_vector(ConstSpan(norms)).array();
}

/// The norm whose unit ball is the set.
double group_gauge(const Array& x, const Groups& group, GroupSet set) {
  const Array norms = norms_in_groups(x, group, set.rho);
  return power_norm({norms.data(), static_cast<std::size_t>(norms.size())}, 1.0 / set.theta);
}

/// x >= 0, t >= 0 and room = t^theta - ||x_j||_rho >= 0 with multipliers s, tau, nu; m belongs to
/// sum t = 1.
struct GroupIterate {
  Array x, t, room, s, tau, nu;
  double m = 0.0;

  void move(const GroupIterate& step, double part) {
    x += part * step.x;
    t += part * step.t;
    room += part * step.room;
    s += part * step.s;
    tau += part * step.tau;
    nu += part * step.nu;
    m += part * step.m;
  }

  [[nodiscard]] double complementarity() const {
    return (x * s).sum() + (t * tau).sum() + (room * nu).sum();
  }
};

/// The longest step in (0, 1] that keeps v + step * dv positive by the usual margin.
double longest_positive_step(const Array& v, const Array& dv) {
  constexpr double kMargin = 0.99;
  const double shrink = -(dv / v).minCoeff();
  return shrink > kMargin ? kMargin / shrink : 1.0;
}

class GroupProgram {
 public:
  GroupProgram(const WeightModel& model, const Groups& group, GroupSet set)
      : group_(group),
        set_(set),
        J_(group_count(group)),
        d_(as_vector(ConstSpan(model.d)).array()),
        scale_(0.5 * as_vector(ConstSpan(model.q)).array().abs().maxCoeff()),
        gain_(0.5 * as_vector(ConstSpan(model.q)).array() / scale_),
        system_(scaled(model, scale_), group) {}

  /// Relative to the value at d.
  [[nodiscard]] double change(const Array& x) const {
    return 0.5 * system_.square(x - d_) - (gain_ * (x - d_)).sum();
  }

  [[nodiscard]] Array minimise() {
    constexpr int kSteps = 100;
    constexpr double kAccuracy = 1e-14;
    GroupIterate at = start();
    double mu = kStartBarrier;
    for (int k = 0; k < kSteps; ++k) {
      const std::optional<GroupIterate> step = newton_step(at, mu);
      const double taken = step ? line_search(at, *step, mu) : 0.0;
      if (taken == 0.0) break;
      const double complementarity = at.complementarity();
      if (complementarity <= kAccuracy && taken > 0.9) break;
      mu = (taken > 0.9 ? 0.05 : 0.3) * complementarity / static_cast<double>(at.x.size() + 2 * J_);
    }
    return on_the_boundary(at);
  }

 private:
  static constexpr double kStartBarrier = 0.1;

  static RowMatrix scaled(const WeightModel& model, double scale) {
    if (model.B.cols == 0) return RowMatrix::Zero(model.B.rows, 1);
    return as_matrix(model.B) / std::sqrt(scale);
  }

  [[nodiscard]] Array room(const GroupIterate& at) const {
    return at.t.pow(set_.theta) - norms_in_groups(at.x, group_, set_.rho);
  }

  /// Gradient of ||x_j||_rho.
  [[nodiscard]] Array normal(const Array& x, const Array& norms) const {
    return (x / spread_over_groups(norms, group_)).pow(set_.rho - 1.0);
  }

  /// Well inside the set, between d and even weights.
  [[nodiscard]] GroupIterate start() const {
    Array even = Array::Ones(d_.size());
    even /= group_gauge(even, group_, set_);
    GroupIterate at;
    at.x = d_ + 0.1 * even;
    at.x *= 0.9 / group_gauge(at.x, group_, set_);
    const Array shares = norms_in_groups(at.x, group_, set_.rho).pow(1.0 / set_.theta);
    at.t = shares + (1.0 - shares.sum()) / static_cast<double>(J_);
    at.s = kStartBarrier / at.x;
    at.tau = kStartBarrier / at.t;
    at.room = room(at);
    at.nu = kStartBarrier / at.room;
    return at;
  }

  [[nodiscard]] Array slope(const Array& x) const { return system_.gram_times(x - d_) - gain_; }

  /// What the optimality conditions miss: gradients in x and t, and the definition of room.
  struct Residuals {
    Array x, t, room;
  };
  [[nodiscard]] Residuals residuals(const GroupIterate& at) const {
    const Array norms = norms_in_groups(at.x, group_, set_.rho);
    const Array a = set_.theta * at.t.pow(set_.theta - 1.0);
    return {slope(at.x) - at.s + spread_over_groups(at.nu, group_) * normal(at.x, norms),
            at.m - at.nu * a - at.tau, room(at) - at.room};
  }

  /// Square of the norm of the residuals of the conditions that mu perturbs.
  [[nodiscard]] double miss(const GroupIterate& at, double mu) const {
    const Residuals r = residuals(at);
    return r.x.square().sum() + r.t.square().sum() + r.room.square().sum() +
           (at.s * at.x - mu).square().sum() + (at.tau * at.t - mu).square().sum() +
           (at.nu * at.room - mu).square().sum();
  }

  /// The linearised conditions. The multipliers nu stay unknowns to the end, in a system of J
  /// equations: then every right side is as small as what is missing, and nothing cancels. Nothing
  /// where rounding leaves them no solution.
  [[nodiscard]] std::optional<GroupIterate> newton_step(const GroupIterate& at, double mu) const {
    const double theta = set_.theta;
    const Array norms = norms_in_groups(at.x, group_, set_.rho);
    const Array n = normal(at.x, norms);
    const Array a = theta * at.t.pow(theta - 1.0);
    const Array own = at.nu * theta * (1.0 - theta) * at.t.pow(theta - 2.0) + at.tau / at.t;
    const Array relative = at.x / spread_over_groups(norms, group_);
    const Array bend = at.nu * (set_.rho - 1.0) / norms;
    const Array barrier = at.s / at.x;
    const Array D = spread_over_groups(bend, group_) * relative.pow(set_.rho - 2.0) + barrier;
    const auto inverse = system_.inverse(
        D, n, bend, sum_over_groups(relative.pow(set_.rho) * barrier / D, group_, J_));
    if (!inverse) return std::nullopt;

    const Residuals r = residuals(at);
    const Array toward_t = (mu / at.t - at.tau - r.t) / own;
    const Array toward_room = mu / at.nu - at.room;
    const Array plain = inverse->times(mu / at.x - at.s - r.x);
    const Eigen::MatrixXd from_nu = solve_normals(*inverse, n);
    RowMatrix schur = normals_times(n, from_nu);
    schur.diagonal().array() += a.square() / own + at.room / at.nu;
    const auto factor = Cholesky::of(std::move(schur));
    if (!factor) return std::nullopt;
    const Array excess =
        toward_room - r.room + sum_over_groups(n * plain, group_, J_) - a * toward_t;
    const Array nu = factor->solve(excess.matrix()).array();
    const Array nu_from_m = factor->solve((a / own).matrix()).array();

    GroupIterate step;
    step.m = (toward_t + a * nu / own).sum() / ((1.0 - a * nu_from_m) / own).sum();
    step.nu = nu + step.m * nu_from_m;
    step.x = plain - (from_nu * step.nu.matrix()).array();
    step.t = toward_t + (a * step.nu - step.m) / own;
    step.room = toward_room - at.room / at.nu * step.nu;
    step.s = mu / at.x - at.s - barrier * step.x;
    step.tau = mu / at.t - at.tau - at.tau / at.t * step.t;
    return step;
  }

  /// Column j: (G + B B')^{-1} n_j.
  [[nodiscard]] Eigen::MatrixXd solve_normals(const BlocksPlusGram::Inverse& inverse,
                                              const Array& n) const {
    Eigen::MatrixXd solved(n.size(), J_);
    for (Index j = 0; j < J_; ++j) {
      solved.col(j) =
          inverse.times(spread_over_groups(Eigen::VectorXd::Unit(J_, j).array(), group_) * n)
              .matrix();
    }
    return solved;
  }
  [[nodiscard]] Eigen::MatrixXd normals_times(const Array& n, const Eigen::MatrixXd& v) const {
    Eigen::MatrixXd product(J_, v.cols());
    for (Index i = 0; i < v.cols(); ++i)
      product.col(i) = sum_over_groups(n * v.col(i).array(), group_, J_);
    return product;
  }

  /// Moves `at` by a part of the step that stays inside and lowers the residual, and returns the
  /// part; 0 where rounding leaves none. Where the curved constraint has more room than its
  /// linearisation said, or not much less, the difference is no residual.
  [[nodiscard]] double line_search(GroupIterate& at, const GroupIterate& step, double mu) const {
    constexpr double kShortest = 1e-8;
    double part = std::min(
        {longest_positive_step(at.x, step.x), longest_positive_step(at.s, step.s),
         longest_positive_step(at.t, step.t), longest_positive_step(at.tau, step.tau),
         longest_positive_step(at.room, step.room), longest_positive_step(at.nu, step.nu)});
    const double before = miss(at, mu);
    for (; part > kShortest; part *= 0.7) {
      GroupIterate next = at;
      next.move(step, part);
      next.room = (0.5 * next.room).max(room(next));
      const double allowed = 1.0 - 0.01 * part;
      if (!(miss(next, mu) <= allowed * allowed * before)) continue;  // nor what is no number
      at = std::move(next);
      return part;
    }
    return 0.0;
  }

  /// Weights that vanish are exact zeros, and the barrier's last distance to the boundary goes.
  [[nodiscard]] Array on_the_boundary(const GroupIterate& at) const {
    Array x = (at.x < at.s).select(0.0, at.x);
    const double size = group_gauge(x, group_, set_);
    if (size > 1.0 - 1e-7) x /= size;
    return x;
  }

  const Groups& group_;
  GroupSet set_;
  Index J_;
  Array d_;
  double scale_;
  Array gain_;
  BlocksPlusGram system_;
};

}  // namespace

Vector minimize_on_groups(const WeightModel& model, const Groups& group, GroupSet set) {
  const bool flat = std::ranges::all_of(model.q, [](double q) { return q == 0.0; });
  if (length(model.d) == 1 || flat) return model.d;
  GroupProgram program(model, group, set);
  const Array x = program.minimise();
  return program.change(x) < 0.0 ? Vector(x.begin(), x.end()) : model.d;
}

}  // namespace kernmix
