#include "regularizer/subproblem/weight_set.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/interior_point/convex_program.hpp"
#include "regularizer/subproblem/diagonal_plus_gram.hpp"

namespace kernmix {
namespace {

using Array = Eigen::ArrayXd;

Jet nothing(Index W) { return {0.0, Array::Zero(W), Array::Zero(W), 0.0, {}}; }

/// The model in scaled units: weights divided by the largest current weight, slopes by the largest
/// slope.
class ScaledModel {
 public:
  ScaledModel(const WeightModel& model, const WeightSet& set)
      : set_(set),
        d_(as_vector(ConstSpan(model.d)).array()),
        gain_(0.5 * as_vector(ConstSpan(model.q)).array()),
        unit_(d_.maxCoeff() > 0.0 ? d_.maxCoeff() : 1.0),
        upper_(set.trust > 0.0 ? std::min(set.upper, set.trust * unit_) : set.upper) {
    const Jet penalty = set.penalty ? set.penalty(d_) : nothing(d_.size());
    slope_ = std::max(gain_.maxCoeff(), penalty.slope.maxCoeff());
    // Without free samples there is no curvature, but one column keeps the algebra simple.
    RowMatrix B = RowMatrix::Zero(d_.size(), std::max<Index>(model.B.cols, 1));
    if (model.B.cols > 0) B = as_matrix(model.B) * std::sqrt(unit_ / slope_);
    system_.emplace(std::move(B));
  }

  static constexpr bool curved = false;
  [[nodiscard]] double upper() const { return upper_ / unit_; }
  [[nodiscard]] Array equality() const {
    return Array::Constant(set_.constraint ? 1 : 0, set_.tight ? 1.0 : 0.0);
  }
  [[nodiscard]] double accuracy(const Array& x) const { return 1e-11 * std::max(x.sum(), 1.0); }
  struct Point : ConvexPoint {
    Jet penalty, constraint;
  };
  [[nodiscard]] Point at(const Array& x) const {
    const Index J = set_.constraint ? 1 : 0;
    Point point{{}, penalty(x), constraint(x)};
    point.slope = slope(x) + point.penalty.slope;
    point.g = Array::Constant(J, point.constraint.value - 1.0);
    point.gradients = point.constraint.slope.matrix().replicate(1, J);
    return point;
  }
  using Inverse = DiagonalPlusGram::Inverse;
  [[nodiscard]] std::optional<Inverse> inverse(const Point& at, const Array& lambda,
                                               const Array& stiffness) const {
    const Jet& phi = at.penalty;
    const double share = set_.constraint ? lambda[0] : 0.0;
    const bool from_penalty = phi.factor != 0.0;
    return system_->inverse(phi.curvature + share * at.constraint.curvature + stiffness,
                            from_penalty ? phi.factor : share * at.constraint.factor,
                            from_penalty ? phi.direction : at.constraint.direction);
  }

  [[nodiscard]] bool flat() const { return !(slope_ > 0.0); }
  [[nodiscard]] Array start() const { return d_ / unit_; }
  [[nodiscard]] Array weights(const Array& x) const { return x * unit_; }
  /// A point near d, well inside the bounds.
  [[nodiscard]] Array inside() const {
    if (set_.tight) return (start() + 0.1 * start().mean()) / 1.1;
    return (0.95 * (start() + 0.1)).min(0.9 * upper());
  }

  [[nodiscard]] Jet penalty(const Array& x) const {
    return set_.penalty ? scaled(set_.penalty(x * unit_), 1.0 / (slope_ * unit_))
                        : nothing(d_.size());
  }
  [[nodiscard]] Jet constraint(const Array& x) const {
    return set_.constraint ? scaled(set_.constraint(x * unit_), 1.0) : nothing(d_.size());
  }
  [[nodiscard]] Array slope(const Array& x) const {
    return system_->gram_times(x - start()) - gain_ / slope_;
  }
  /// The model at x minus its value at d, without Phi.
  [[nodiscard]] double change(const Array& x) const {
    const Array move = x - start();
    return ((0.5 * system_->gram_times(move) - gain_ / slope_) * move).sum();
  }

 private:
  /// factor * f(unit * x) as a function of x.
  [[nodiscard]] Jet scaled(Jet jet, double factor) const {
    jet.value *= factor;
    jet.slope *= factor * unit_;
    jet.curvature *= factor * unit_ * unit_;
    jet.factor *= factor;
    jet.direction *= unit_;
    return jet;
  }

  const WeightSet& set_;
  Array d_;
  Array gain_;
  double unit_;
  double upper_;
  double slope_ = 0.0;
  std::optional<DiagonalPlusGram> system_;
};

/// Multiplies the entries below `upper` so that c(x) = 1, by Newton's method on the factor.
void scale_onto(const ScaledModel& model, Array& x) {
  constexpr int kSteps = 30;
  const double upper = model.upper();
  for (int k = 0; k < kSteps; ++k) {
    const Jet c = model.constraint(x);
    if (c.value == 1.0) return;
    const double slope = (x < upper).select(c.slope * x, 0.0).sum();
    if (!(slope > 0.0)) return;
    const double factor = std::max(1.0 + (1.0 - c.value) / slope, 0.0);
    if (factor == 1.0) return;
    x = (x < upper).select((factor * x).min(upper), x);
  }
}

constexpr double kSumRounding = 1e-12;  ///< of sums of weights

/// Whether the positive entries can reach c = 1 within their bounds.
bool has_room(const ScaledModel& model, const Array& x) {
  if (!std::isfinite(model.upper())) return true;
  const Array most = (x > 0.0).select(model.upper(), Array::Zero(x.size()));
  return model.constraint(most).value >= 1.0 - kSumRounding;
}

/// The barrier method ends just inside D: entries and the constraint are moved to the bounds that
/// they approach.
Array rounded(const ScaledModel& model, const WeightSet& set,
              const ConvexProgram<ScaledModel>& point) {
  constexpr double kClose = 1e-7;
  constexpr double kClear = 1e-2;
  Array x = point.x();
  const double top = x.maxCoeff();
  if (set.sparse) {
    const Array lowered = (x < kClear * point.pull_from_zero()).select(0.0, x);
    if (!set.tight || has_room(model, lowered)) x = lowered;
  }
  x = (x < 1e-100 * top).select(0.0, x);
  if (std::isfinite(model.upper())) {
    x = x.min(model.upper());
    const Array raised =
        (model.upper() - x < kClear * point.pull_from_upper()).select(model.upper(), x);
    // More equal entries may be near their bound than the constraint allows there.
    const Array full = (raised < model.upper()).select(0.0, raised);
    if (model.constraint(full).value <= 1.0 + kSumRounding) x = raised;
  }
  if (set.constraint && (set.tight || model.constraint(x).value > 1.0 - kClose)) {
    scale_onto(model, x);
  }
  return x;
}

}  // namespace

Vector minimize_on(const WeightModel& model, const WeightSet& set) {
  ScaledModel scaled(model, set);
  Array d = scaled.start();
  if (set.tight) scale_onto(scaled, d);
  const double W = static_cast<double>(d.size());
  const auto in_units = [&](const Array& x) {
    const Array weights = scaled.weights(x).min(set.upper);
    return Vector(weights.begin(), weights.end());
  };
  const bool one_point = set.tight && (W == 1.0 || set.upper * W <= 1.0 + 1e-12);
  if (one_point || scaled.flat()) return in_units(d);
  const Array inside = scaled.inside();
  const Array x = rounded(scaled, set, minimise_inside(scaled, inside, 0.1 * inside.mean()));
  const double change =
      scaled.change(x) + scaled.penalty(x).value - scaled.change(d) - scaled.penalty(d).value;
  return change < 0.0 ? in_units(x) : in_units(d);
}

double penalty_on(const WeightSet& set, ConstSpan d) {
  return set.penalty(as_vector(d).array()).value;
}

void add_slope_on(const WeightSet& set, ConstSpan d, MutableSpan slope) {
  const Array gradient = set.penalty(as_vector(d).array()).slope;
  for (std::size_t m = 0; m < d.size(); ++m) slope[m] += gradient[static_cast<Index>(m)];
}

ConvexFunction linear_function(double factor) {
  return [factor](const Array& x) {
    Jet jet = nothing(x.size());
    jet.value = factor * x.sum();
    jet.slope += factor;
    return jet;
  };
}

}  // namespace kernmix
