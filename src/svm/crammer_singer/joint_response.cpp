#include "svm/crammer_singer/joint_response.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/roots/slope_search.hpp"
#include "base/symmetric.hpp"

namespace kernmix {

Eigen::VectorXd bias_step(const Eigen::MatrixXd& M, const Eigen::VectorXd& rest) {
  constexpr double kConnected = 1e-10;
  const auto [values, modes] = symmetric_eigen(M);
  const double least = kConnected * std::max(values.maxCoeff(), 0.0);
  const double unit = std::max(rest.cwiseAbs().maxCoeff(), 1e-300);
  Eigen::VectorXd step = modes.transpose() * rest;
  for (Index k = 0; k < step.size(); ++k) step[k] /= values[k] > least ? values[k] : unit;
  step = modes * step;
  step.array() -= step.mean();
  return step;
}

void JointResponse::set_anchor(Matrix A, double step) {
  anchor_ = std::move(A);
  tau_.resize(targets_.C.size());
  std::ranges::transform(targets_.C, tau_.begin(), [&](double C) { return step * C; });
}

Matrix JointResponse::at_bias(const Matrix& G, const Vector& bias) const {
  constexpr Index samples_at_once = 256;
  Matrix R(G.rows, G.cols);
  parallel_blocks(context_, G.rows, samples_at_once, [&](Index, Index begin, Index end) {
    Vector scratch;
    for (Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      MutableSpan row = R.row(i);
      for (std::size_t u = 0; u < row.size(); ++u) {
        row[u] = anchor_.row(i)[u] - tau_[at] * (G.row(i)[u] + bias[u]);
      }
      row[static_cast<std::size_t>(targets_.y[at])] += tau_[at];
      project_onto_dual(row, targets_.y[at], targets_.C[at], scratch);
    }
  });
  return R;
}

/// -d(1'R) / db: sum_i tau_i (diag(1_S) - 1_S 1_S' / |S|) over the free classes S of each sample.
Eigen::MatrixXd JointResponse::curvature(const Matrix& R) const {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(R.cols, R.cols);
  std::vector<Index> free;
  for (Index i = 0; i < R.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    free.clear();
    for (Index u = 0; u < R.cols; ++u) {
      if ((u == targets_.y[at] ? targets_.C[at] : 0.0) - R(i, u) > 0.0) free.push_back(u);
    }
    for (const Index u : free) {
      M(u, u) += tau_[at];
      for (const Index v : free) M(u, v) -= tau_[at] / static_cast<double>(free.size());
    }
  }
  return M;
}

/// Rounding error of 1'R, in which entries of size C_i are differences of numbers of size tau_i
/// f_i.
double JointResponse::rounding_of_sums(const Matrix& G, const Vector& bias) const {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  double sum = 0.0;
  for (Index i = 0; i < G.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    double largest = 0.0;
    for (std::size_t u = 0; u < bias.size(); ++u) {
      largest = std::max(largest, std::abs(G.row(i)[u] + bias[u]));
    }
    sum += eps * (50.0 * targets_.C[at] + tau_[at] * largest);
  }
  return sum;
}

Matrix JointResponse::answer(const Matrix& G, Vector& bias) const {
  constexpr int most_steps = 50;
  constexpr double flat_enough = 0.1;
  constexpr int most_trials = 40;
  Matrix R = at_bias(G, bias);
  if (targets_.bias != Bias::free) return R;
  const double least = rounding_of_sums(G, bias);
  for (int k = 0; k < most_steps; ++k) {
    const Eigen::VectorXd sums = as_matrix(R).colwise().sum();
    if (sums.cwiseAbs().maxCoeff() <= least) break;
    const Eigen::VectorXd step = bias_step(curvature(R), sums);
    const Vector before = bias;
    flat_step(-step.dot(sums), flat_enough, most_trials, [&](double t) {
      as_vector(MutableSpan(bias)) = as_vector(ConstSpan(before)) + t * step;
      R = at_bias(G, bias);
      return -step.dot(Eigen::VectorXd(as_matrix(R).colwise().sum()));
    });
  }
  return R;
}

}  // namespace kernmix
