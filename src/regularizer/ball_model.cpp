#include "regularizer/ball_model.hpp"

#include <algorithm>
#include <cmath>

#include "kernmix/regularizer/norms.hpp"
#include "linear_algebra.hpp"

namespace kernmix {
namespace {

using Array = Eigen::ArrayXd;

/// (diag(D) + B B')^{-1} r, through the smaller of the two sides.
class DiagonalPlusGram {
 public:
  explicit DiagonalPlusGram(const RowMatrix& B) : B_(B), explicit_(B.rows() <= B.cols()) {
    if (explicit_) gram_ = B * B.transpose();
  }

  void factorise(const Array& diagonal) {
    inverse_ = diagonal.inverse();
    if (explicit_) {
      Eigen::MatrixXd sum = gram_;
      sum.diagonal() += diagonal.matrix();
      factor_.compute(sum);
    } else {
      Eigen::MatrixXd sum = B_.transpose() * inverse_.matrix().asDiagonal() * B_;
      sum.diagonal().array() += 1.0;
      factor_.compute(sum);
    }
  }

  [[nodiscard]] Array solve(const Array& r) const {
    if (explicit_) return factor_.solve(r.matrix()).array();
    const Eigen::VectorXd inner = factor_.solve(B_.transpose() * (inverse_ * r).matrix());
    return inverse_ * (r - (B_ * inner).array());
  }

 private:
  const RowMatrix& B_;
  bool explicit_;
  Eigen::MatrixXd gram_;
  Array inverse_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

void normalise(Array& x, double p) {
  const double top = x.maxCoeff();
  x /= top * std::pow((x / top).pow(p).sum(), 1.0 / p);
}

/// The longest step in (0, 1] that keeps x + t step positive by the usual margin.
double step_to_boundary(double x, double step) {
  constexpr double kMargin = 0.99;
  const double shrink = -step / x;
  return shrink > kMargin ? kMargin / shrink : 1.0;
}
double step_to_boundary(const Array& x, const Array& step) {
  return step_to_boundary(1.0, (step / x).minCoeff());
}

}  // namespace

Vector minimize_on_ball(const WeightModel& model, double p) {
  constexpr int kSteps = 60;
  constexpr double kAccuracy = 1e-11;
  const Index W = length(model.d);
  const Array d = as_vector(ConstSpan(model.d)).array();
  const Array gain = 0.5 * as_vector(ConstSpan(model.q)).array();
  const double scale = gain.maxCoeff();
  if (W == 1 || scale <= 0.0) return model.d;

  // Objective divided by its gradient's scale; without free samples there is no curvature.
  RowMatrix B = RowMatrix::Zero(W, std::max<Index>(model.B.cols, 1));
  if (model.B.cols > 0) B = as_matrix(model.B) / std::sqrt(scale);
  DiagonalPlusGram system(B);
  const bool simplex = p == 1.0;
  Array x = d + 0.1 * std::pow(static_cast<double>(W), -1.0 / p);
  normalise(x, p);
  if (!simplex) x *= 0.95;
  double mu = 0.1 / static_cast<double>(W);
  Array s = mu / x;
  double lambda = 1.0;
  double room = simplex ? 0.0 : (1.0 - x.pow(p).sum()) / p;
  for (int k = 0; k < kSteps; ++k) {
    const Array normal = x.pow(p - 1.0);
    const Array gradient = (B * (B.transpose() * (x - d).matrix())).array() - gain / scale;
    system.factorise(lambda * (p - 1.0) * x.pow(p - 2.0) + s / x);
    const Array from_gradient = system.solve(-(gradient + lambda * normal - mu / x));
    const Array from_multiplier = system.solve(normal);
    const double excess = (x.pow(p).sum() - 1.0) / p;
    const double target = simplex ? 0.0 : mu / lambda;
    const double softness = simplex ? 0.0 : room / lambda;
    const double lambda_step = ((normal * from_gradient).sum() + excess + target) /
                               ((normal * from_multiplier).sum() + softness);
    const Array x_step = from_gradient - lambda_step * from_multiplier;
    const Array s_step = mu / x - s - s / x * x_step;
    const double room_step = simplex ? 0.0 : target - room - softness * lambda_step;
    double t_x = step_to_boundary(x, x_step);
    double t_s = step_to_boundary(s, s_step);
    if (!simplex) {
      t_x = std::min(t_x, step_to_boundary(room, room_step));
      t_s = std::min(t_s, step_to_boundary(lambda, lambda_step));
    }
    x += t_x * x_step;
    room += t_x * room_step;
    s += t_s * s_step;
    lambda += t_s * lambda_step;
    const double complementarity = (x * s).sum() + lambda * room;
    const bool long_steps = std::min(t_x, t_s) > 0.9;
    if (complementarity <= kAccuracy && long_steps) break;
    mu = (long_steps ? 0.05 : 0.3) * complementarity / static_cast<double>(W + 1);
  }

  if (simplex) x = (x < s).select(0.0, x);
  x = (x < 1e-100 * x.maxCoeff()).select(0.0, x);
  // The barrier stops just inside the ball where the sphere is the answer.
  if (simplex || x.pow(p).sum() > 1.0 - 1e-7) normalise(x, p);
  const Eigen::VectorXd move = (x - d).matrix();
  const double change =
      0.5 * (B.transpose() * move).squaredNorm() - gain.matrix().dot(move) / scale;
  return change < 0.0 ? Vector(x.begin(), x.end()) : model.d;
}

}  // namespace kernmix
