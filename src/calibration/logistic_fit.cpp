#include "calibration/logistic_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/linear_algebra.hpp"
#include "calibration/fit_input.hpp"

namespace kernmix {
namespace {

constexpr int kMostNewtonSteps = 100;
constexpr double kLeastStep = 1e-10;
constexpr double kRidge = 1e-12;  ///< Lin, Lin and Weng's, of the curvature's largest entry

/// Columns with mean 0 and standard deviation 1, and a column of ones; constant features become 0.
class StandardFeatures {
 public:
  explicit StandardFeatures(const Matrix& features);
  [[nodiscard]] const RowMatrix& values() const { return values_; }
  /// Converts coefficients back to the original features.
  [[nodiscard]] LogisticFit restore(const Eigen::VectorXd& beta) const;

 private:
  RowMatrix values_;
  Vector centre_, deviation_;
};

StandardFeatures::StandardFeatures(const Matrix& features)
    : values_(RowMatrix::Ones(features.rows, features.cols + 1)) {
  const auto given = as_matrix(features);
  for (Index j = 0; j < features.cols; ++j) {
    const double size = given.col(j).cwiseAbs().maxCoeff();
    const double centre = given.col(j).mean();
    const double deviation = std::sqrt((given.col(j).array() - centre).square().mean());
    const bool constant = !(deviation > 1e-12 * size);
    centre_.push_back(centre);
    deviation_.push_back(constant ? 0.0 : deviation);
    if (constant) {
      values_.col(j).setZero();
    } else {
      values_.col(j) = (given.col(j).array() - centre) / deviation;
    }
  }
}

LogisticFit StandardFeatures::restore(const Eigen::VectorXd& beta) const {
  LogisticFit fit{{}, beta[beta.size() - 1]};
  for (std::size_t j = 0; j < deviation_.size(); ++j) {
    const double slope = deviation_[j] > 0.0 ? beta[static_cast<Index>(j)] / deviation_[j] : 0.0;
    fit.slopes.push_back(slope);
    fit.intercept -= slope * centre_[j];
  }
  return fit;
}

/// The problem on the features of `mask`; the others have the slope 0.
struct LogisticProblem {
  const RowMatrix& X;
  ConstSpan target, weights;
  unsigned mask;

  [[nodiscard]] bool is_free(Index j) const {
    return j + 1 == X.cols() || ((mask >> static_cast<unsigned>(j)) & 1U) != 0U;
  }
  [[nodiscard]] double loss(const Eigen::VectorXd& beta) const;
  /// Gradient and Hessian; for features that are not free 0 and the identity.
  void derivatives(const Eigen::VectorXd& beta, Eigen::VectorXd& g, Eigen::MatrixXd& H) const;
};

double LogisticProblem::loss(const Eigen::VectorXd& beta) const {
  double sum = 0.0;
  for (Index i = 0; i < X.rows(); ++i) {
    const double z = X.row(i).dot(beta);
    // Two forms of the same number; the one without cancellation is used.
    const double t = target[to_size(i)];
    const double own = z > 0.0 ? softplus(-z) + (1.0 - t) * z : softplus(z) - t * z;
    sum += weight_at(weights, to_size(i)) * own;
  }
  return sum;
}

void LogisticProblem::derivatives(const Eigen::VectorXd& beta, Eigen::VectorXd& g,
                                  Eigen::MatrixXd& H) const {
  g.setZero();
  H.setZero();
  for (Index i = 0; i < X.rows(); ++i) {
    const double p = sigmoid(X.row(i).dot(beta));
    const double w = weight_at(weights, to_size(i));
    g += w * (p - target[to_size(i)]) * X.row(i).transpose();
    H += w * p * (1.0 - p) * X.row(i).transpose() * X.row(i);
  }
  for (Index j = 0; j < X.cols(); ++j) {
    if (is_free(j)) continue;
    g[j] = 0.0;
    H.row(j).setZero();
    H.col(j).setZero();
    H(j, j) = 1.0;
  }
}

/// Newton's method with backtracking to the limit of rounding.
Eigen::VectorXd minimise(const LogisticProblem& problem) {
  const Index k = problem.X.cols();
  Eigen::VectorXd beta = Eigen::VectorXd::Zero(k);
  Eigen::VectorXd g(k);
  Eigen::MatrixXd H(k, k);
  double loss = problem.loss(beta);
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    problem.derivatives(beta, g, H);
    H.diagonal().array() += kRidge * H.diagonal().maxCoeff();
    const Eigen::VectorXd direction = -H.ldlt().solve(g);
    const double slope = g.dot(direction);
    if (!(slope < -1e-20 * loss)) break;
    double part = 1.0;
    double next = problem.loss(beta + direction);
    while (!(next <= loss + 1e-4 * part * slope) && part > kLeastStep) {
      part /= 2.0;
      next = problem.loss(beta + part * direction);
    }
    if (!(next < loss)) break;
    beta += part * direction;
    loss = next;
  }
  return beta;
}

}  // namespace

double softplus(double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); }

double sigmoid(double z) {
  return z >= 0.0 ? 1.0 / (1.0 + std::exp(-z)) : std::exp(z) / (1.0 + std::exp(z));
}

/// The problem is convex: if no slope of the unconstrained solution is negative, it is the
/// solution; otherwise the solution is the best of those with some slopes fixed at 0.
LogisticFit fit_logistic(const Matrix& features, ConstSpan target, ConstSpan weights) {
  const StandardFeatures standard(features);
  const unsigned all = (1U << static_cast<unsigned>(features.cols)) - 1U;
  Eigen::VectorXd best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned mask = all;; --mask) {
    const LogisticProblem problem{standard.values(), target, weights, mask};
    const Eigen::VectorXd beta = minimise(problem);
    const bool allowed = (beta.head(features.cols).array() >= 0.0).all();
    const double loss = problem.loss(beta);
    if (allowed && loss < least) {
      least = loss;
      best = beta;
    }
    if (mask == 0 || (mask == all && allowed)) break;
  }
  return standard.restore(best);
}

}  // namespace kernmix
