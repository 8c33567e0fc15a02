#include "weights/saddle/saddle_model.hpp"

#include <algorithm>
#include <cmath>

#include "base/cholesky.hpp"
#include "base/samples.hpp"
#include "regularizer/subproblem/group_model.hpp"
#include "weights/curvature.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

/// The derivatives of V for the groups with a positive share. Group j of the regularizer is row
/// `row[j]` here.
struct SaddleDerivatives {
  std::vector<Index> row;
  RowMatrix B_lambda;  ///< A'B
  Eigen::VectorXd g_lambda;
  Eigen::VectorXd g_h;
  RowMatrix V_lh;
  Eigen::MatrixXd V_hh;
};

std::vector<Index> rows_with_share(const Vector& share) {
  std::vector<Index> row(share.size(), -1);
  Index next = 0;
  for (std::size_t j = 0; j < share.size(); ++j) {
    if (share[j] > 0.0) row[j] = next++;
  }
  return row;
}

SaddleDerivatives saddle_derivatives(const MixedNormSaddle& regularizer, Objective& run,
                                     const SaddleWeights& weights, const Point& point) {
  const double c = regularizer.decay();
  const Index M = run.kernels();
  const WeightModel model = run.model(point, index_range(0, M), free_samples(run, point)).quadratic;
  const auto B = as_matrix(model.B);

  SaddleDerivatives at;
  at.row = rows_with_share(weights.share);
  const Index J = std::ranges::count_if(at.row, [](Index j) { return j >= 0; });
  at.B_lambda = RowMatrix::Zero(M, B.cols());
  at.g_lambda = Eigen::VectorXd::Zero(M);
  at.g_h = Eigen::VectorXd::Zero(J);
  at.V_lh = RowMatrix::Zero(M, J);
  Eigen::VectorXd bend = Eigen::VectorXd::Zero(J);
  RowMatrix B_h = RowMatrix::Zero(J, B.cols());
  for (Index m = 0; m < M; ++m) {
    const auto kernel = static_cast<std::size_t>(m);
    const auto group = static_cast<std::size_t>(regularizer.group[kernel]);
    const Index j = at.row[group];
    if (j < 0) continue;
    const double h = weights.share[group];
    const double scale = std::pow(h, -c);
    const double slope = 0.5 * scale * point.q[kernel];
    at.B_lambda.row(m) = scale * B.row(m);
    B_h.row(j) -= c * point.d[kernel] / h * B.row(m);
    at.g_lambda[m] = -slope;
    at.g_h[j] += c * slope * weights.lambda[kernel] / h;
    bend[j] += c * (c + 1.0) * slope * weights.lambda[kernel] / (h * h);
    at.V_lh(m, j) = c * slope / h;
  }
  at.V_lh += at.B_lambda * B_h.transpose();
  at.V_hh = B_h * B_h.transpose();
  at.V_hh.diagonal() -= bend;
  return at;
}

/// An orthonormal basis of sum dh = 0: the last columns of the Householder reflection that maps the
/// vector of ones to the first axis.
Eigen::MatrixXd directions_without_sum(Index J) {
  Eigen::VectorXd v = Eigen::VectorXd::Ones(J);
  v[0] += v.norm();
  const Eigen::MatrixXd Q =
      Eigen::MatrixXd::Identity(J, J) - (2.0 / v.squaredNorm()) * v * v.transpose();
  return Q.rightCols(J - 1);
}

/// The lower factor of -Z' V_hh Z, with the smallest ridge that makes it positive definite. The
/// matrix is positive definite in theory because V is concave in h, but rounding and inexact free
/// sets can make it indefinite. The result is empty if V_hh is not finite.
std::optional<Cholesky> factor_negative(const Eigen::MatrixXd& V_hh, const Eigen::MatrixXd& Z) {
  const double ridge = 1e-12 * std::max(V_hh.diagonal().cwiseAbs().maxCoeff(), 1e-300);
  return cholesky_with_ridge(-Z.transpose() * V_hh * Z, {ridge, 100.0 * ridge, 100.0});
}

}  // namespace

std::optional<SaddleStep> saddle_newton_step(const MixedNormSaddle& regularizer, Objective& run,
                                             const SaddleWeights& weights, const Point& point) {
  const SaddleDerivatives at = saddle_derivatives(regularizer, run, weights, point);
  const Index M = run.kernels();
  const Index J = at.g_h.size();
  const Index f = at.B_lambda.cols();
  const Eigen::MatrixXd Z = directions_without_sum(J);
  const std::optional<Cholesky> factor = factor_negative(at.V_hh, Z);
  if (!factor) return std::nullopt;

  // The reduced Hessian is a sum of squares: V_ll + (V_lh Z)(-Z'V_hh Z)^{-1}(V_lh Z)'.
  WeightModel model{weights.lambda, Vector(weights.lambda.size()), Matrix(M, f + J - 1)};
  auto B = as_matrix(model.B);
  B.leftCols(f) = at.B_lambda;
  const Eigen::MatrixXd coupling = at.V_lh * Z;
  Eigen::MatrixXd halved = coupling.transpose();
  factor->solve_half_in_place(halved);
  B.rightCols(J - 1) = halved.transpose();
  const Eigen::VectorXd climb = factor->solve(Z.transpose() * at.g_h);
  const Eigen::VectorXd gradient = at.g_lambda + coupling * climb;
  as_vector(MutableSpan(model.q)) = -2.0 * gradient;

  SaddleStep step{weights, 0.0, 0.5 * climb.dot(Z.transpose() * at.g_h)};
  Vector& lambda = step.target.lambda;
  lambda = minimize_on_groups(model, regularizer.group, {1.0, 0.0});
  normalise_groups(regularizer.group, lambda);
  const Eigen::VectorXd moved = as_vector(ConstSpan(lambda)) - as_vector(ConstSpan(weights.lambda));
  step.decrease = -gradient.dot(moved) - 0.5 * (B.transpose() * moved).squaredNorm();
  const Eigen::VectorXd in_h =
      Z * factor->solve(Z.transpose() * (at.g_h + at.V_lh.transpose() * moved));
  for (std::size_t j = 0; j < at.row.size(); ++j) {
    if (at.row[j] >= 0) step.target.share[j] += in_h[at.row[j]];
  }
  return step;
}

SaddleWeights part_of_the_way(const SaddleWeights& from, const SaddleWeights& to, double t) {
  constexpr double kLeft = 0.3;
  SaddleWeights weights = from;
  for (std::size_t m = 0; m < from.lambda.size(); ++m) {
    weights.lambda[m] += t * (to.lambda[m] - from.lambda[m]);
  }
  double sum = 0.0;
  for (std::size_t j = 0; j < from.share.size(); ++j) {
    double& h = weights.share[j];
    h = std::max(h + t * (to.share[j] - h), kLeft * h);
    sum += h;
  }
  for (double& h : weights.share) h /= sum;
  return weights;
}

}  // namespace kernmix
