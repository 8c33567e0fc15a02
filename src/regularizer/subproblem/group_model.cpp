#include "regularizer/subproblem/group_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/interior_point/convex_program.hpp"
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

/// The program in v = (x, t), where g has ||x_j||_rho - t_j^theta for every group and sum t - 1 =
/// 0.
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

  /// The quadratic relative to its value at d.
  [[nodiscard]] double change(const Array& x) const {
    return 0.5 * system_.square(x - d_) - (gain_ * (x - d_)).sum();
  }

  /// Makes vanishing weights exactly zero and removes the remaining distance of the barrier to the
  /// boundary.
  [[nodiscard]] Array minimise() const {
    constexpr double kStartBarrier = 0.1;
    const ConvexProgram<GroupProgram> end = minimise_inside(*this, start(), kStartBarrier);
    Array x = (weights(end.x()) < weights(end.pull_from_zero())).select(0.0, weights(end.x()));
    const double size = group_gauge(x, group_, set_);
    if (size > 1.0 - 1e-7) x /= size;
    return x;
  }

  static constexpr bool curved = true;
  [[nodiscard]] double upper() const { return std::numeric_limits<double>::infinity(); }
  [[nodiscard]] Array equality() const { return Eigen::VectorXd::Unit(J_ + 1, J_).array(); }
  [[nodiscard]] double accuracy(const Array& /*v*/) const { return 1e-14; }

  struct Point : ConvexPoint {
    Array x, t, norms, normal;
  };
  [[nodiscard]] Point at(const Array& v) const {
    Point point{{}, weights(v), v.tail(J_), norms_in_groups(weights(v), group_, set_.rho), {}};
    point.normal = (point.x / spread_over_groups(point.norms, group_)).pow(set_.rho - 1.0);
    point.slope = Array::Zero(v.size());
    point.slope.head(d_.size()) = system_.gram_times(point.x - d_) - gain_;
    point.g.resize(J_ + 1);
    point.g << point.norms - point.t.pow(set_.theta), point.t.sum() - 1.0;
    point.gradients = Eigen::MatrixXd::Zero(v.size(), J_ + 1);
    for (Index m = 0; m < d_.size(); ++m) {
      point.gradients(m, group_[static_cast<std::size_t>(m)]) = point.normal[m];
    }
    point.gradients.bottomLeftCorner(J_, J_).diagonal() =
        -set_.theta * point.t.pow(set_.theta - 1.0).matrix();
    point.gradients.col(J_).tail(J_).setOnes();
    return point;
  }

  /// Inverse of blocks plus a Gram matrix in x, and of a diagonal in t.
  struct Inverse {
    BlocksPlusGram::Inverse in_x;
    Array in_t;
    [[nodiscard]] Array times(const Array& r) const {
      Array product(r.size());
      product << in_x.times(r.head(r.size() - in_t.size())), r.tail(in_t.size()) * in_t;
      return product;
    }
  };
  [[nodiscard]] std::optional<Inverse> inverse(const Point& at, const Array& lambda,
                                               const Array& stiffness) const {
    const double theta = set_.theta;
    const Array nu = lambda.head(J_);
    const Array relative = at.x / spread_over_groups(at.norms, group_);
    const Array bend = nu * (set_.rho - 1.0) / at.norms;
    const Array barrier = weights(stiffness);
    const Array D = spread_over_groups(bend, group_) * relative.pow(set_.rho - 2.0) + barrier;
    auto in_x = system_.inverse(D, at.normal, bend,
                                sum_over_groups(relative.pow(set_.rho) * barrier / D, group_, J_));
    if (!in_x) return std::nullopt;
    const Array own = nu * theta * (1.0 - theta) * at.t.pow(theta - 2.0);
    return Inverse{std::move(*in_x), (own + stiffness.tail(J_)).inverse()};
  }

 private:
  static RowMatrix scaled(const WeightModel& model, double scale) {
    if (model.B.cols == 0) return RowMatrix::Zero(model.B.rows, 1);
    return as_matrix(model.B) / std::sqrt(scale);
  }

  [[nodiscard]] Array weights(const Array& v) const { return v.head(d_.size()); }

  /// A point well inside the set, between d and uniform weights.
  [[nodiscard]] Array start() const {
    Array even = Array::Ones(d_.size());
    even /= group_gauge(even, group_, set_);
    Array x = d_ + 0.1 * even;
    x *= 0.9 / group_gauge(x, group_, set_);
    const Array shares = norms_in_groups(x, group_, set_.rho).pow(1.0 / set_.theta);
    Array v(x.size() + J_);
    v << x, shares + (1.0 - shares.sum()) / static_cast<double>(J_);
    return v;
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
  const GroupProgram program(model, group, set);
  const Array x = program.minimise();
  return program.change(x) < 0.0 ? Vector(x.begin(), x.end()) : model.d;
}

}  // namespace kernmix
