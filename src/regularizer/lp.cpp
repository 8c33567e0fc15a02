#include "kernmix/regularizer/lp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernmix/regularizer/norms.hpp"
#include "linear_algebra.hpp"

namespace kernmix {
namespace {

/// The root x in [0, z] of x + c x^{p-1} = z by safeguarded Newton; c >= 0, p > 1.
double shrink(double z, double c, double p) {
  if (z <= 0.0 || c == 0.0) return std::max(z, 0.0);
  double low = 0.0;
  double high = z;
  // Either term alone gives an upper bound, which is close to the root when that term dominates.
  double x = std::min(z, std::pow(z / c, 1.0 / (p - 1.0)));
  for (int k = 0; k < 100 && high - low > 1e-16 * high; ++k) {
    const double power = c * std::pow(x, p - 1.0);
    const double residual = x + power - z;
    (residual > 0.0 ? high : low) = x;
    const double newton = x - residual / (1.0 + (p - 1.0) * power / x);
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (std::abs(next - x) <= 1e-16 * x) break;
    x = next;
  }
  return x;
}

}  // namespace

std::string Lp::text() const { return fmt::format("lp:p={}", p); }

void Lp::check(Index M) const { require_kernels(M); }

Vector Lp::initial_weights(Index M) const {
  return Vector(static_cast<std::size_t>(M), std::pow(static_cast<double>(M), -1.0 / p));
}

double Lp::block_norm(ConstSpan s) const {
  const double norm = power_norm(s, 2.0 * p / (p + 1.0));
  return 0.5 * norm * norm;
}

double Lp::support(ConstSpan q) const { return 0.5 * power_norm(q, p / (p - 1.0)); }

void Lp::best_weights(ConstSpan s, MutableSpan d) const {
  const double top = largest(s);
  if (top <= 0.0) {
    std::ranges::copy(initial_weights(length(d)), d.begin());
    return;
  }
  for (std::size_t m = 0; m < d.size(); ++m) d[m] = std::pow(s[m] / top, 2.0 / (p + 1.0));
  const double norm = power_norm(d, p);
  for (double& weight : d) weight /= norm;
}

void Lp::project(MutableSpan x) const {
  for (double& value : x) value = std::max(value, 0.0);
  if (power_norm(x, p) <= 1.0) return;
  const Vector z(x.begin(), x.end());
  const auto norm_at = [&](double lambda) {
    for (std::size_t m = 0; m < x.size(); ++m) x[m] = shrink(z[m], lambda * p, p);
    return power_norm(x, p);
  };
  double low = 0.0;
  double high = 1.0;
  while (norm_at(high) > 1.0) high *= 4.0;
  // The norm is monotone in lambda; sixty halvings of the bracket reach working precision.
  for (int k = 0; k < 60 && high - low > 1e-15 * high; ++k) {
    const double middle = 0.5 * (low + high);
    (norm_at(middle) > 1.0 ? low : high) = middle;
  }
  const double norm = norm_at(high);
  for (double& value : x) value /= std::max(norm, 1.0);
}

Vector Lp::minimize_model(const WeightModel& model) const {
  // Residual r_m = (p-1) w_m - log q_m + c with w = log d. Linearising q(d) by dq = -2 B'B dd gives
  //   (p-1) delta + 2/q * (B'B (d * delta)) = -r,   sum_m d_m^p delta_m = 0,
  // which the Woodbury identity solves with one |F| x |F| factorisation; c is the multiplier of the
  // second equation.
  const auto W = static_cast<Eigen::Index>(model.d.size());
  const Eigen::ArrayXd d = as_vector(model.d).array().max(1e-280);
  const Eigen::ArrayXd q = as_vector(model.q).array();
  const double floor = 1e-280 + 1e-200 * q.maxCoeff();
  const Eigen::ArrayXd safe_q = q.max(floor);
  const Eigen::ArrayXd residual = (p - 1.0) * d.log() - safe_q.log();

  // Without free samples there is no curvature; one zero column keeps every product well defined.
  const Matrix flat(length(model.d), 1);
  const auto B = as_matrix(model.B.cols > 0 ? model.B : flat);
  const Eigen::ArrayXd ratio = d / ((p - 1.0) * safe_q);
  Eigen::MatrixXd inner = 0.5 * Eigen::MatrixXd::Identity(B.cols(), B.cols());
  inner.noalias() += B.transpose() * ratio.matrix().asDiagonal() * B;
  const Eigen::LLT<Eigen::MatrixXd> factor(inner);
  const auto solve = [&](const Eigen::ArrayXd& r) -> Eigen::ArrayXd {
    const Eigen::VectorXd y = factor.solve(B.transpose() * (d * r).matrix()) / (p - 1.0);
    return (r - (B * y).array() / safe_q) / (p - 1.0);
  };
  const Eigen::ArrayXd step = solve(residual);
  const Eigen::ArrayXd shift = solve(Eigen::ArrayXd::Ones(W));
  const Eigen::ArrayXd weight = (p * d.log()).exp();
  const double c = -(weight * step).sum() / (weight * shift).sum();
  const Eigen::ArrayXd direction = -(step + c * shift);

  // Far from the solution the logarithms may mislead: halve until the quadratic model descends.
  constexpr int kHalvings = 30;
  double t = 1.0;
  for (int k = 0; k < kHalvings; ++k, t *= 0.5) {
    const Eigen::ArrayXd log_x = d.log() + t * direction;
    Vector x(model.d.size());
    as_vector(MutableSpan(x)) = (log_x - log_x.maxCoeff()).exp();
    const double norm = power_norm(x, p);
    for (double& value : x) value /= norm;
    const Eigen::VectorXd move = as_vector(ConstSpan(x)) - as_vector(model.d);
    const double change =
        -0.5 * as_vector(model.q).dot(move) + 0.5 * (B.transpose() * move).squaredNorm();
    if (change < 0.0) return x;
  }
  return model.d;
}

}  // namespace kernmix
