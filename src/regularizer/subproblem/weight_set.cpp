#include "regularizer/subproblem/weight_set.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "regularizer/subproblem/diagonal_plus_gram.hpp"

namespace kernmix {
namespace {

using Array = Eigen::ArrayXd;

Jet nothing(Index W) { return {0.0, Array::Zero(W), Array::Zero(W), 0.0, {}}; }

/// The longest step in (0, 1] that keeps x + t step positive by the usual margin.
double step_to_zero(const Array& x, const Array& step) {
  constexpr double kMargin = 0.99;
  const double shrink = -(step / x).minCoeff();
  return shrink > kMargin ? kMargin / shrink : 1.0;
}
double step_to_zero(double x, double step) {
  return step_to_zero(Array::Constant(1, x), Array::Constant(1, step));
}

/// The model in units of its own: weights divided by the largest present one, slopes by the largest
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

  [[nodiscard]] Index size() const { return d_.size(); }
  [[nodiscard]] bool flat() const { return !(slope_ > 0.0); }
  [[nodiscard]] bool bounded() const { return std::isfinite(upper_); }
  [[nodiscard]] bool constrained() const { return static_cast<bool>(set_.constraint); }
  [[nodiscard]] bool tight() const { return set_.tight; }
  [[nodiscard]] double upper() const { return upper_ / unit_; }
  [[nodiscard]] Array start() const { return d_ / unit_; }
  [[nodiscard]] Array weights(const Array& x) const { return x * unit_; }
  [[nodiscard]] const DiagonalPlusGram& system() const { return *system_; }

  [[nodiscard]] Jet penalty(const Array& x) const {
    return set_.penalty ? scaled(set_.penalty(x * unit_), 1.0 / (slope_ * unit_)) : nothing(size());
  }
  [[nodiscard]] Jet constraint(const Array& x) const {
    return set_.constraint ? scaled(set_.constraint(x * unit_), 1.0) : nothing(size());
  }
  [[nodiscard]] Array slope(const Array& x) const {
    return system_->gram_times(x - start()) - gain_ / slope_;
  }
  /// The model at x less its value at d, without Phi.
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

/// Multipliers s of x >= 0, t of x <= u, lambda of the constraint, whose slack is `room`.
class InteriorPoint {
 public:
  explicit InteriorPoint(const ScaledModel& model) : model_(model), x_(model.start()) {
    const Index W = model.size();
    if (model.tight()) {
      x_ = (x_ + 0.1 * x_.sum() / static_cast<double>(W)) / 1.1;
    } else {
      x_ = 0.95 * (x_ + 0.1);
      if (model.bounded()) x_ = x_.min(0.9 * model.upper());
    }
    mu_ = 0.1 * x_.mean();
    s_ = mu_ / x_;
    t_ = model.bounded() ? Array(mu_ / (model.upper() - x_)) : Array::Zero(W);
    if (model.constrained()) {
      lambda_ = 1.0;
      room_ = std::max(1.0 - model.constraint(x_).value, 0.1);
    }
  }

  void run() {
    constexpr int kSteps = 80;
    for (int k = 0; k < kSteps && !finished_; ++k) step();
  }

  [[nodiscard]] const Array& x() const { return x_; }
  [[nodiscard]] const Array& s() const { return s_; }
  [[nodiscard]] const Array& t() const { return t_; }

 private:
  struct Direction {
    Array x, s, t;
    double lambda = 0.0;
    double room = 0.0;
  };

  [[nodiscard]] bool sloped() const { return model_.constrained() && !model_.tight(); }
  [[nodiscard]] Array below() const { return model_.upper() - x_; }

  /// Newton's direction on the optimality conditions with every complementarity at mu; nothing
  /// where they are not finite.
  [[nodiscard]] std::optional<Direction> direction() const {
    const Jet phi = model_.penalty(x_);
    const Jet c = model_.constraint(x_);
    Array diagonal = phi.curvature + lambda_ * c.curvature + s_ / x_;
    Array right = mu_ / x_ - (model_.slope(x_) + phi.slope + lambda_ * c.slope);
    if (model_.bounded()) {
      diagonal += t_ / below();
      right -= mu_ / below();
    }
    const bool from_penalty = phi.factor != 0.0;
    const auto inverse =
        model_.system().inverse(diagonal, from_penalty ? phi.factor : lambda_ * c.factor,
                                from_penalty ? phi.direction : c.direction);
    if (!inverse) return std::nullopt;
    Direction step;
    step.x = inverse->times(right);
    if (model_.constrained()) {
      const Array from_multiplier = inverse->times(c.slope);
      const double target = sloped() ? mu_ / lambda_ : 0.0;
      const double softness = sloped() ? room_ / lambda_ : 0.0;
      step.lambda = ((c.slope * step.x).sum() + c.value - 1.0 + target) /
                    ((c.slope * from_multiplier).sum() + softness);
      step.x -= step.lambda * from_multiplier;
      if (sloped()) step.room = target - room_ - softness * step.lambda;
    }
    step.s = mu_ / x_ - s_ - s_ / x_ * step.x;
    step.t = model_.bounded() ? Array(mu_ / below() - t_ + t_ / below() * step.x)
                              : Array::Zero(t_.size());
    return step;
  }

  /// Goes as far as the signs allow; the shorter of the two step lengths.
  double move(const Direction& step) {
    double primal = step_to_zero(x_, step.x);
    double dual = step_to_zero(s_, step.s);
    if (sloped()) {
      primal = std::min(primal, step_to_zero(room_, step.room));
      dual = std::min(dual, step_to_zero(lambda_, step.lambda));
    }
    if (model_.bounded()) {
      primal = std::min(primal, step_to_zero(below(), -step.x));
      dual = std::min(dual, step_to_zero(t_, step.t));
    }
    x_ += primal * step.x;
    room_ += primal * step.room;
    s_ += dual * step.s;
    t_ += dual * step.t;
    lambda_ += dual * step.lambda;
    return std::min(primal, dual);
  }

  void step() {
    constexpr double kAccuracy = 1e-11;
    const std::optional<Direction> found = direction();
    if (!found) {
      finished_ = true;
      return;
    }
    const bool long_steps = move(*found) > 0.9;
    double complementarity = (x_ * s_).sum();
    if (sloped()) complementarity += lambda_ * room_;
    if (model_.bounded()) complementarity += (below() * t_).sum();
    const double now = residual();
    // Curved functions leave a residual, which must keep pace with the complementarity.
    const bool settled = now <= complementarity || now > 0.5 * residual_;
    residual_ = now;
    finished_ = complementarity <= kAccuracy * std::max(x_.sum(), 1.0) && long_steps && settled;
    const double terms = static_cast<double>(x_.size()) * (model_.bounded() ? 2.0 : 1.0) + 1.0;
    const double share = !settled ? 1.0 : long_steps ? 0.05 : 0.3;
    mu_ = share * complementarity / terms;
  }

  /// The largest entry of the Lagrangian's gradient.
  [[nodiscard]] double residual() const {
    const Array gradient = model_.slope(x_) + model_.penalty(x_).slope +
                           lambda_ * model_.constraint(x_).slope - s_ + t_;
    return gradient.abs().maxCoeff();
  }

  const ScaledModel& model_;
  Array x_;
  Array s_;
  Array t_;
  double lambda_ = 0.0;
  double room_ = 0.0;
  double mu_ = 0.0;
  double residual_ = 0.0;
  bool finished_ = false;
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
    const double factor = 1.0 + (1.0 - c.value) / slope;
    if (factor == 1.0) return;
    x = (x < upper).select((factor * x).min(upper), x);
  }
}

/// The barrier stops just inside D: entries and the constraint go where they were heading.
Array rounded(const ScaledModel& model, const WeightSet& set, const InteriorPoint& point) {
  constexpr double kClose = 1e-7;
  constexpr double kClear = 1e-2;
  Array x = point.x();
  const double top = x.maxCoeff();
  if (set.sparse) x = (x < kClear * point.s()).select(0.0, x);
  x = (x < 1e-100 * top).select(0.0, x);
  if (model.bounded()) {
    x = (model.upper() - x < kClear * point.t()).select(model.upper(), x).min(model.upper());
  }
  if (model.constrained() && (set.tight || model.constraint(x).value > 1.0 - kClose)) {
    scale_onto(model, x);
  }
  return x;
}

}  // namespace

Vector minimize_on(const WeightModel& model, const WeightSet& set) {
  ScaledModel scaled(model, set);
  Array d = scaled.start();
  if (set.tight) scale_onto(scaled, d);
  const double W = static_cast<double>(scaled.size());
  const auto in_units = [&](const Array& x) {
    const Array weights = scaled.weights(x).min(set.upper);
    return Vector(weights.begin(), weights.end());
  };
  const bool one_point = set.tight && (W == 1.0 || set.upper * W <= 1.0 + 1e-12);
  if (one_point || scaled.flat()) return in_units(d);
  InteriorPoint interior(scaled);
  interior.run();
  const Array x = rounded(scaled, set, interior);
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
