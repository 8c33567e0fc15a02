#include "kernmix/solver/gmkl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "blas_threads.hpp"
#include "kernmix/error.hpp"
#include "linear_algebra.hpp"
#include "solver/outer/oracle.hpp"

namespace kernmix {
namespace {

constexpr double inner_accuracy =
    1e-11;  ///< relative to T: the slope has the error of its square root
constexpr double armijo = 1e-4;
constexpr int most_product_halvings = 40;

/// One weight vector with T, its gradient and the inner solution.
struct ProductPoint {
  Vector d;
  Vector a;
  Vector slope;
  double value = 0.0;
  double inner_gap = 0.0;
  double bias = 0.0;
};

/// slope_m = lambda + 1/2 <D_m, P>, P = K o aa', for all columns at once (methods 3.17):
/// with rho = P 1, 1/2 <D_m, P> = sum_i rho_i x_im^2 - x_m' P x_m.
Vector product_slope(const ProductProblem& problem, const Matrix& K, ConstSpan a) {
  const Eigen::VectorXd alpha = as_vector(a);
  const RowMatrix P = alpha.asDiagonal() * as_matrix(K) * alpha.asDiagonal();
  const auto X = as_matrix(problem.X);
  const Eigen::VectorXd rho = P.rowwise().sum();
  const Eigen::VectorXd squares = X.cwiseAbs2().transpose() * rho;
  const Eigen::VectorXd products = X.cwiseProduct(P * X).colwise().sum().transpose();
  Vector slope(static_cast<std::size_t>(problem.X.cols));
  for (std::size_t m = 0; m < slope.size(); ++m) {
    const auto column = static_cast<Index>(m);
    slope[m] = problem.lambda + squares[column] - products[column];
  }
  return slope;
}

ProductPoint product_point(const ProductProblem& problem, Vector d, const Vector& start,
                           const Context& context) {
  ProductPoint point;
  point.d = std::move(d);
  Matrix K = product_kernel(problem.X, point.d);
  std::vector<Matrix> one;
  one.push_back(K);
  const auto bank = dense_bank(std::move(one));
  const Problem inner{*bank, problem.loss, Fixed{{1.0}}, problem.y, problem.C, problem.bias};
  Oracle oracle(inner, context);
  if (!start.empty()) oracle.start_from(start);
  const Vector unit = {1.0};
  oracle.solve(unit, inner_accuracy * std::abs(oracle.upper_value()));
  oracle.solve(unit, inner_accuracy * std::abs(oracle.upper_value()));
  point.a = oracle.a();
  point.inner_gap = oracle.inner_gap();
  point.value =
      problem.lambda * std::accumulate(point.d.begin(), point.d.end(), 0.0) + oracle.upper_value();
  point.bias = loss_at(problem.loss, problem.bias, problem.y, oracle.z(), point.a, problem.C).bias;
  point.slope = product_slope(problem, K, point.a);
  return point;
}

double stationarity(const ProductPoint& point) {
  double largest = 0.0;
  for (std::size_t m = 0; m < point.d.size(); ++m) {
    largest = std::max(largest, std::abs(std::max(point.d[m] - point.slope[m], 0.0) - point.d[m]));
  }
  return largest;
}

/// s's / s'y of the last step, or 1 / |slope|_inf where it is of no use.
double barzilai_borwein(const ProductPoint& before, const ProductPoint& now) {
  double ss = 0.0;
  double sy = 0.0;
  double largest = 0.0;
  for (std::size_t m = 0; m < now.d.size(); ++m) {
    const double s = now.d[m] - before.d[m];
    ss += s * s;
    sy += s * (now.slope[m] - before.slope[m]);
    largest = std::max(largest, std::abs(now.slope[m]));
  }
  return sy > 1e-12 * ss ? ss / sy : 1.0 / std::max(largest, 1e-12);
}

/// Backtracks along max(d - step slope, 0) - d. Returns false where no step lowers T.
bool descend(const ProductProblem& problem, double step, ProductPoint& point,
             const Context& context) {
  Vector direction(point.d.size());
  double slope = 0.0;
  for (std::size_t m = 0; m < direction.size(); ++m) {
    direction[m] = std::max(point.d[m] - step * point.slope[m], 0.0) - point.d[m];
    slope += direction[m] * point.slope[m];
  }
  if (!(slope < 0.0)) return false;
  double t = 1.0;
  for (int halving = 0; halving < most_product_halvings && !context.should_stop();
       ++halving, t *= 0.5) {
    Vector d(direction.size());
    for (std::size_t m = 0; m < d.size(); ++m) d[m] = point.d[m] + t * direction[m];
    ProductPoint next = product_point(problem, std::move(d), point.a, context);
    if (next.value > point.value + armijo * t * slope + next.inner_gap) continue;
    point = std::move(next);
    return true;
  }
  return false;
}

void check_product(const ProductProblem& problem, const ProductOptions& options) {
  const auto n = static_cast<std::size_t>(problem.X.rows);
  if (n < 2 || problem.X.cols < 1) throw DataError("X must have 2 samples and 1 column at least");
  if (problem.y.size() != n || problem.C.size() != n) {
    throw ParameterError(fmt::format("y and C must have {} entries, got {} and {}", n,
                                     problem.y.size(), problem.C.size()));
  }
  if (!(problem.lambda > 0.0)) {
    throw ParameterError(fmt::format("lambda must be > 0, got {}", problem.lambda));
  }
  if (!options.start.empty()) {
    const bool valid = std::ranges::all_of(options.start, [](double w) { return w >= 0.0; }) &&
                       std::ranges::any_of(options.start, [](double w) { return w > 0.0; });
    if (length(options.start) != problem.X.cols || !valid) {
      throw ParameterError(fmt::format(
          "the start must be {} weights >= 0, not all of them 0: d = 0 is a stationary point of "
          "every product",
          problem.X.cols));
    }
  }
  if (on_distances(problem.loss)) {
    throw ParameterError(fmt::format(
        "{}: products of Gaussian kernels have a constant diagonal, where one-class is the same "
        "model",
        loss_text(problem.loss)));
  }
  check_loss(problem.loss, problem.bias, problem.y, problem.C);
}

}  // namespace

Matrix product_kernel(const Matrix& X, ConstSpan d) {
  Matrix K(X.rows, X.rows);
  for (Index i = 0; i < X.rows; ++i) {
    for (Index j = 0; j <= i; ++j) {
      double exponent = 0.0;
      for (Index m = 0; m < X.cols; ++m) {
        const double difference = X(i, m) - X(j, m);
        exponent += d[static_cast<std::size_t>(m)] * difference * difference;
      }
      K(i, j) = K(j, i) = std::exp(-exponent);
    }
  }
  return K;
}

ProductSolution solve_product(const ProductProblem& problem, const ProductOptions& options,
                              const Context& context) {
  check_product(problem, options);
  const SerialBlas serial_blas;
  const auto M = static_cast<std::size_t>(problem.X.cols);
  Vector start = options.start;
  if (start.empty()) start.assign(M, 1.0 / static_cast<double>(M));
  ProductPoint point = product_point(problem, std::move(start), {}, context);
  ProductSolution solution;
  solution.objectives.push_back(point.value);
  double step = barzilai_borwein(point, point);
  for (Index k = 0; k < options.max_iterations; ++k) {
    if (stationarity(point) <= options.tolerance * problem.lambda) {
      solution.status = Status::converged;
      break;
    }
    if (context.should_stop()) {
      const bool cancelled = context.cancelled != nullptr && context.cancelled->load();
      solution.status = cancelled ? Status::interrupted : Status::time_limit;
      break;
    }
    const ProductPoint before = point;
    if (!descend(problem, step, point, context)) break;
    step = std::clamp(barzilai_borwein(before, point), 1e-10, 1e10);
    solution.objectives.push_back(point.value);
    context.report({"solve", k + 1, 0, 1.0});
    if (k + 1 == options.max_iterations) solution.status = Status::iteration_limit;
  }
  solution.d = point.d;
  solution.a = point.a;
  solution.bias = point.bias;
  solution.objective = point.value;
  solution.inner_gap = point.inner_gap;
  solution.stationarity = stationarity(point);
  return solution;
}

}  // namespace kernmix
