#pragma once
/// \file
/// Small convex programs for the interior point method,
///
///   min_x f(x)  s.t.  0 <= x <= u,  g_j(x) <= 0 or g_j(x) = 0.
///
/// With slacks `room` and multipliers lambda of g, Newton's equations are
///
///   (H + Theta) dx + G dlambda = -slope,   G'dx + droom = -(g + room),
///
/// where H is the Hessian of f + lambda'g, G has the gradients of g, and Theta is the stiffness of
/// the bounds. They are solved with (H + Theta)^{-1}, which the model provides, and a system in
/// dlambda.

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/cholesky.hpp"
#include "base/interior_point/step.hpp"

namespace kernmix {

/// f and g at x. A model may add data for its Hessian.
struct ConvexPoint {
  Eigen::ArrayXd slope;       ///< of f
  Eigen::ArrayXd g;           ///< length J
  Eigen::MatrixXd gradients;  ///< a column for each g_j
};

template <typename M>
concept IsConvexModel = requires(const M model, const typename M::Point at,
                                 const Eigen::ArrayXd x) {
  { M::curved } -> std::convertible_to<bool>;                   ///< g is nonlinear: line search
  { model.upper() } -> std::convertible_to<double>;             ///< u, which may be infinite
  { model.equality() } -> std::convertible_to<Eigen::ArrayXd>;  ///< 1 where g_j = 0, else 0
  { model.accuracy(x) } -> std::convertible_to<double>;         ///< of the products at the solution
  { model.at(x) } -> std::same_as<typename M::Point>;
  { at } -> std::convertible_to<ConvexPoint>;
  /// (H + diag(third argument))^{-1} at a point and lambda, which answers times(r).
  { model.inverse(at, x, x) } -> std::same_as<std::optional<typename M::Inverse>>;
};

template <IsConvexModel M>
class ConvexProgram {
  using Array = Eigen::ArrayXd;

  struct Iterate {
    Array x, room, lambda;
    typename M::Point point;  ///< at x
    Barrier low, high, slack;
  };

 public:
  struct Direction {
    Array x, room, lambda;
  };

  /// Borrows the model. \param x  strictly inside its bounds; \param mu  of the first products
  ConvexProgram(const M& model, Array x, double mu)
      : model_(model), equality_(model.equality()), at_(start(model, std::move(x), mu)) {}

  [[nodiscard]] const Array& x() const { return at_.x; }
  [[nodiscard]] const Array& pull_from_zero() const { return at_.low.multiplier(); }
  [[nodiscard]] const Array& pull_from_upper() const { return at_.high.multiplier(); }

  [[nodiscard]] std::array<Barrier*, 3> barriers() { return {&at_.low, &at_.high, &at_.slack}; }
  /// Iterates until a long step leaves products within the model's accuracy. Nonlinear constraints
  /// leave a residual, which must decrease as fast as the products.
  void minimise() {
    constexpr int kSteps = 100;
    constexpr double kLong = 0.9;
    double residual = std::numeric_limits<double>::infinity();
    double length = 0.0;
    bool settled = true;
    for (int k = 0; k < kSteps; ++k) {
      if (M::curved || !settled) {
        const double share = !M::curved ? 1.0 : length > kLong ? 0.05 : 0.3;
        length = path_following_step(*this, share);
      } else {
        length = interior_point_step(*this, 0);
      }
      const double left = products(barriers());
      const double now = slope_of_lagrangian(at_).abs().maxCoeff();
      settled = now <= left || now > 0.5 * residual;
      residual = now;
      const bool done = left <= model_.accuracy(at_.x) && length > kLong && settled;
      if (length == 0.0 || done) return;
    }
  }

  [[nodiscard]] bool factorise() {
    slope_ = slope_of_lagrangian(at_);
    inverse_ = model_.inverse(at_.point, at_.lambda, at_.low.stiffness() + at_.high.stiffness());
    if (!inverse_) return false;
    if (equality_.size() == 0) return true;
    softness_ = (1.0 - equality_) * at_.slack.distance() / at_.slack.multiplier().max(1e-300);
    from_lambda_.resize(at_.x.size(), equality_.size());
    for (Index j = 0; j < equality_.size(); ++j) {
      from_lambda_.col(j) = inverse_->times(at_.point.gradients.col(j).array()).matrix();
    }
    RowMatrix schur = at_.point.gradients.transpose() * from_lambda_;
    schur.diagonal().array() += softness_;
    factor_ = Cholesky::of(std::move(schur));
    return factor_.has_value();
  }

  [[nodiscard]] Direction direction(double mu) const {
    Direction step;
    step.x = inverse_->times(at_.low.pull(mu) + at_.high.pull(mu) - slope_);
    if (equality_.size() == 0) return step;
    const Array room = softness_ * at_.slack.pull(mu);
    const Array missing = at_.point.g + (1.0 - equality_) * at_.room + room;
    step.lambda =
        factor_->solve(at_.point.gradients.transpose() * step.x.matrix() + missing.matrix())
            .array();
    step.x -= (from_lambda_ * step.lambda.matrix()).array();
    step.room = room - softness_ * step.lambda;
    return step;
  }

  void choose(const Direction& step, double mu) {
    at_.low.choose(step.x, mu);
    at_.high.choose(step.x, mu);
    at_.slack.choose(step.room, mu);
  }

  /// For nonlinear g, a part of the step that decreases the residual of the optimality conditions.
  [[nodiscard]] double move(const Direction& step, StepLengths length, double mu) {
    constexpr double kShortest = 1e-8;
    if constexpr (!M::curved) return go(at_, step, length) ? length.shorter() : 0.0;
    const double missed = miss(at_, mu);
    for (double part = length.shorter(); part > kShortest; part *= 0.7) {
      Iterate next = at_;
      if (!go(next, step, {part, part})) return 0.0;
      if (!(miss(next, mu) <= (1.0 - 0.01 * part) * missed)) continue;
      at_ = std::move(next);
      return part;
    }
    return 0.0;
  }

 private:
  static Iterate start(const M& model, Array x, double mu) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    constexpr double kLeastRoom = 0.1;
    const Array equality = model.equality();
    const Index V = x.size();
    typename M::Point point = model.at(x);
    Array room = (-point.g).max(kLeastRoom);
    const Array no_bound = Array::Constant(equality.size(), -kNone);
    Iterate at{std::move(x),
               std::move(room),
               Array::Ones(equality.size()),
               std::move(point),
               Barrier(Array::Zero(V), 1.0),
               Barrier(Array::Constant(V, model.upper()), -1.0),
               Barrier((equality > 0.0).select(no_bound, 0.0), 1.0)};
    at.low.start(at.x, Array::Zero(V), mu);
    at.high.start(at.x, Array::Zero(V), mu);
    at.slack.start(at.room, at.lambda, mu);
    at.lambda = (equality > 0.0).select(at.lambda, at.slack.multiplier());
    return at;
  }

  /// \returns whether the step is finite
  bool go(Iterate& at, const Direction& step, StepLengths length) const {
    if (!step.x.isFinite().all()) return false;
    at.x += length.primal * step.x;
    at.low.step(at.x, length.dual);
    at.high.step(at.x, length.dual);
    at.point = model_.at(at.x);
    if (equality_.size() == 0) return true;
    at.lambda += length.dual * step.lambda;
    // If a nonlinear g leaves more slack than its linearisation predicts, the difference is not a
    // residual.
    at.room += length.primal * step.room;
    at.room = (0.5 * at.room).max(-at.point.g);
    at.slack.step(at.room, length.dual);
    return true;
  }

  [[nodiscard]] Array slope_of_lagrangian(const Iterate& at) const {
    Array slope = at.point.slope + at.low.slope() + at.high.slope();
    if (equality_.size() > 0) slope += (at.point.gradients * at.lambda.matrix()).array();
    return slope;
  }

  /// The norm of the residuals of the conditions that mu perturbs.
  [[nodiscard]] double miss(const Iterate& at, double mu) const {
    const Array open = at.point.g + (1.0 - equality_) * at.room;
    double sum = slope_of_lagrangian(at).square().sum() + open.square().sum();
    for (const Barrier* barrier : {&at.low, &at.high, &at.slack}) sum += barrier->miss(mu);
    return std::sqrt(sum);
  }

  const M& model_;
  Array equality_;
  Iterate at_;
  Array slope_, softness_;
  std::optional<typename M::Inverse> inverse_;
  Eigen::MatrixXd from_lambda_;  ///< (H + Theta)^{-1} G
  std::optional<Cholesky> factor_;
};

/// Minimises to the accuracy of the model, or as far as rounding allows.
template <IsConvexModel M>
[[nodiscard]] ConvexProgram<M> minimise_inside(const M& model, Eigen::ArrayXd x, double mu) {
  ConvexProgram<M> program(model, std::move(x), mu);
  program.minimise();
  return program;
}

}  // namespace kernmix
