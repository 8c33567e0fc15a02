#include "weights/cuts/level_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/interior_point/convex_program.hpp"

namespace kernmix {
namespace {

/// min 1/2 |x - c|^2  s.t.  A x >= b,  1'x = M,  0 <= x <= u: the projection in units in which
/// weights are about 1 and cuts are about 1.
class LevelModel {
  using Array = Eigen::ArrayXd;

 public:
  LevelModel(const Bundle& cuts, double level, ConstSpan centre, double upper_bound)
      : M_(static_cast<double>(centre.size())),
        upper_(upper_bound < 1.0 ? upper_bound * M_ : std::numeric_limits<double>::infinity()),
        c_(as_vector(centre).array() * M_),
        gradients_(length(centre), static_cast<Index>(cuts.size()) + 1),
        b_(static_cast<Index>(cuts.size())) {
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const double scale = std::max(0.5 * *std::ranges::max_element(cuts.q(i)), 1e-300);
      const auto cut = static_cast<Index>(i);
      gradients_.col(cut) = (-0.5 / (scale * M_)) * as_vector(cuts.q(i));
      b_[cut] = (cuts.gain(i) - level) / scale;
    }
    gradients_.col(b_.size()).setOnes();
  }

  Vector solve() const {
    Array inside = (0.5 * c_ + 0.5).max(0.1);
    if (std::isfinite(upper_)) inside = inside.min(0.5 * (1.0 + upper_));
    const ConvexProgram<LevelModel> end = minimise_inside(*this, std::move(inside), 1.0);
    // A weight at a bound: its multiplier is larger than its distance.
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
  Eigen::MatrixXd gradients_;  ///< of the cuts and of the sum
  Array b_;
};

}  // namespace

Vector project_onto_level_set(const Bundle& cuts, double level, ConstSpan centre,
                              double upper_bound) {
  const auto M = static_cast<double>(centre.size());
  // D is one point, without an inside for the method to move in.
  if (centre.size() == 1 || upper_bound * M <= 1.0 + 1e-9) return Vector(centre.size(), 1.0 / M);
  return LevelModel(cuts, level, centre, upper_bound).solve();
}

}  // namespace kernmix
