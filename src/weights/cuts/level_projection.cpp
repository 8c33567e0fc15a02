#include "weights/cuts/level_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/interior_point/convex_program.hpp"

namespace kernmix {
namespace {

/// min 1/2 |x - c|^2  s.t.  A x >= b,  1'x = M,  0 <= x <= u: the projection, scaled so that both
/// the weights and the cuts are about 1.
class LevelModel {
  using Array = Eigen::ArrayXd;

 public:
  /// \param some  the cuts of the constraints, by their index
  LevelModel(const Bundle& cuts, const std::vector<std::size_t>& some, double level,
             ConstSpan centre, double upper_bound)
      : M_(static_cast<double>(centre.size())),
        upper_(upper_bound < 1.0 ? upper_bound * M_ : std::numeric_limits<double>::infinity()),
        c_(as_vector(centre).array() * M_),
        gradients_(length(centre), length(some) + 1),
        b_(length(some)) {
    for (Index cut = 0; cut < length(some); ++cut) {
      const std::size_t i = some[to_size(cut)];
      const double scale = std::max(0.5 * *std::ranges::max_element(cuts.q(i)), 1e-300);
      gradients_.col(cut) = (-0.5 / (scale * M_)) * as_vector(cuts.q(i));
      b_[cut] = (cuts.gain(i) - level) / scale;
    }
    gradients_.col(b_.size()).setOnes();
  }

  Vector solve() const {
    Array inside = (0.5 * c_ + 0.5).max(0.1);
    if (std::isfinite(upper_)) inside = inside.min(0.5 * (1.0 + upper_));
    const ConvexProgram<LevelModel> end = minimise_inside(*this, std::move(inside), 1.0);
    // A weight is rounded to its bound if its multiplier exceeds its distance to the bound.
    Array x = (end.x() < end.pull_from_zero()).select(0.0, end.x());
    x = (upper_ - x < end.pull_from_upper()).select(upper_, x);
    x /= x.sum();
    if (!x.isFinite().all()) return {};
    return {x.begin(), x.end()};
  }

  static constexpr bool curved = false;
  using Point = ConvexPoint;
  struct Inverse {
    Array diagonal;
    [[nodiscard]] Array times(const Array& r) const { return r / diagonal; }
  };
  [[nodiscard]] double upper() const { return upper_; }
  [[nodiscard]] Array equality() const {
    return Eigen::VectorXd::Unit(b_.size() + 1, b_.size()).array();
  }
  [[nodiscard]] double accuracy(const Array& x) const {
    return 1e-13 * static_cast<double>(x.size() + b_.size());
  }
  [[nodiscard]] Point at(const Array& x) const {
    Point point{x - c_, (gradients_.transpose() * x.matrix()).array(), gradients_};
    point.g.head(b_.size()) += b_;
    point.g[b_.size()] -= M_;
    return point;
  }
  [[nodiscard]] std::optional<Inverse> inverse(const Point& /*at*/, const Array& /*lambda*/,
                                               const Array& stiffness) const {
    return Inverse{1.0 + stiffness};
  }

 private:
  double M_;
  double upper_;
  Array c_;
  Eigen::MatrixXd gradients_;  ///< gradients of the cuts and of the sum constraint
  Array b_;
};

/// The cuts that exceed the level somewhere. The others, gain - 1/2 q'x <= gain <= level, are
/// constraints of no weights: a target without variation has such cuts only.
std::vector<std::size_t> cuts_above(const Bundle& cuts, double level) {
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    if (cuts.gain(i) > level) some.push_back(i);
  }
  return some;
}

}  // namespace

Vector project_onto_level_set(const Bundle& cuts, double level, ConstSpan centre,
                              double upper_bound) {
  const auto M = static_cast<double>(centre.size());
  // D is a single point here, so it has no interior, which the interior point method requires.
  if (centre.size() == 1 || upper_bound * M <= 1.0 + 1e-9) return Vector(centre.size(), 1.0 / M);
  const std::vector<std::size_t> some = cuts_above(cuts, level);
  if (some.empty()) return {centre.begin(), centre.end()};
  return LevelModel(cuts, some, level, centre, upper_bound).solve();
}

namespace {

/// The dual of the projection: max_{lambda >= 0} min_{x in D} 1/2 |x - centre|^2 + lambda'(b - U x)
/// with rows u_i = q_i / |q_i| and b_i = 2 (gain_i - level) / |q_i|.
class LevelDual {
 public:
  LevelDual(const Bundle& cuts, double level, ConstSpan centre,
            const std::function<void(MutableSpan)>& project)
      : U_(static_cast<Index>(cuts.size()), length(centre)),
        b_(U_.rows()),
        centre_(as_vector(centre)),
        project_(project) {
    for (Index i = 0; i < U_.rows(); ++i) {
      const auto q = as_vector(ConstSpan(cuts.q(to_size(i))));
      const double size = std::max(q.norm(), std::numeric_limits<double>::min());
      U_.row(i) = q.transpose() / size;
      b_[i] = 2.0 * (cuts.gain(to_size(i)) - level) / size;
    }
  }

  [[nodiscard]] Index cuts() const { return U_.rows(); }
  /// An upper bound on the largest eigenvalue of U U'.
  [[nodiscard]] double largest_curvature() const { return static_cast<double>(U_.rows()); }
  [[nodiscard]] Eigen::VectorXd point(const Eigen::VectorXd& lambda) const {
    Eigen::VectorXd x = centre_ + U_.transpose() * lambda;
    project_(MutableSpan(x.data(), to_size(x.size())));
    return x;
  }
  /// The excess of each cut over the level, in units of x. This is the gradient of the dual.
  [[nodiscard]] Eigen::VectorXd excess(const Eigen::VectorXd& x) const { return b_ - U_ * x; }

 private:
  RowMatrix U_;
  Eigen::VectorXd b_;
  Eigen::VectorXd centre_;
  const std::function<void(MutableSpan)>& project_;
};

}  // namespace

Vector project_onto_level_set(const Bundle& cuts, double level, ConstSpan centre,
                              const std::function<void(MutableSpan)>& project) {
  constexpr int kIterations = 100;
  constexpr double kAccuracy = 1e-2;
  const LevelDual dual(cuts, level, centre, project);
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(dual.cuts());
  Eigen::VectorXd ahead = lambda;
  Eigen::VectorXd x = dual.point(lambda);
  const double allowed = kAccuracy * std::max(dual.excess(x).maxCoeff(), 0.0);
  double momentum = 1.0;
  for (int k = 0; k < kIterations && dual.excess(x).maxCoeff() > allowed; ++k) {
    const Eigen::VectorXd slope = dual.excess(dual.point(ahead));
    const Eigen::VectorXd next = (ahead + slope / dual.largest_curvature()).cwiseMax(0.0);
    const bool is_back = slope.dot(next - lambda) < 0.0;
    const double grown = is_back ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    ahead = next + (is_back ? 0.0 : (momentum - 1.0) / grown) * (next - lambda);
    lambda = next;
    momentum = grown;
    x = dual.point(lambda);
  }
  return {x.begin(), x.end()};
}

}  // namespace kernmix
