#include "classical/two_stage/nonnegative_qp.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/symmetric.hpp"

namespace kernmix {
namespace {

Vector product_with(const Matrix& N, ConstSpan x) {
  Vector out(x.size());
  as_vector(MutableSpan(out)) = as_matrix(N) * as_vector(x);
  return out;
}

/// One sweep of exact minimisation over each x_m in turn; the diagonal of N is 1.
void sweep(const Matrix& N, ConstSpan c, MutableSpan x) {
  Vector gradient = product_with(N, x);
  for (std::size_t m = 0; m < x.size(); ++m) {
    const double next = std::max(0.0, x[m] + c[m] - gradient[m]);
    const double change = next - x[m];
    if (change == 0.0) continue;
    const ConstSpan row = N.row(static_cast<Index>(m));
    for (std::size_t k = 0; k < x.size(); ++k) gradient[k] += change * row[k];
    x[m] = next;
  }
}

/// The minimiser of the quadratic over the variables `support`, all others 0.
Eigen::VectorXd minimizer_on(const Matrix& N, ConstSpan c,
                             const std::vector<std::size_t>& support) {
  constexpr double ridge = 1e-14;
  const Index size = length(support);
  Eigen::MatrixXd block(size, size);
  Eigen::VectorXd right(size);
  for (Index k = 0; k < size; ++k) {
    const auto row = static_cast<Index>(support[static_cast<std::size_t>(k)]);
    right[k] = c[static_cast<std::size_t>(row)];
    for (Index l = 0; l < size; ++l) {
      block(k, l) = N(row, static_cast<Index>(support[static_cast<std::size_t>(l)]));
    }
  }
  // Identical kernels share a weight: the ridge makes the solution unique.
  block.diagonal().array() += ridge * static_cast<double>(size);
  return solve_symmetric(block, right);
}

/// Moves to the minimiser over the variables above 0; variables that reach 0 are removed.
void descend_on_support(const Matrix& N, ConstSpan c, MutableSpan x) {
  while (true) {
    std::vector<std::size_t> support;
    for (std::size_t m = 0; m < x.size(); ++m) {
      if (x[m] > 0.0) support.push_back(m);
    }
    if (support.empty()) return;
    const Eigen::VectorXd target = minimizer_on(N, c, support);
    double t = 1.0;
    std::size_t leaving = x.size();
    for (std::size_t k = 0; k < support.size(); ++k) {
      const double from = x[support[k]];
      const double to = target[static_cast<Index>(k)];
      if (to > 0.0 || from / (from - to) >= t) continue;
      t = from / (from - to);
      leaving = support[k];
    }
    for (std::size_t k = 0; k < support.size(); ++k) {
      double& value = x[support[k]];
      value = std::max(0.0, value + t * (target[static_cast<Index>(k)] - value));
    }
    if (leaving == x.size()) return;
    x[leaving] = 0.0;
  }
}

double relative_gap_of(const Matrix& N, ConstSpan c, ConstSpan x) {
  const Vector Nx = product_with(N, x);
  const double quadratic = std::inner_product(x.begin(), x.end(), Nx.begin(), 0.0);
  const double linear = std::inner_product(x.begin(), x.end(), c.begin(), 0.0);
  if (quadratic == 0.0) return 0.0;
  double t = 1.0;
  for (std::size_t m = 0; m < x.size(); ++m) {
    if (c[m] <= 0.0) continue;
    t = std::max(t, Nx[m] > 0.0 ? c[m] / Nx[m] : std::numeric_limits<double>::infinity());
  }
  return std::max(0.0, (1.0 + t * t) - 2.0 * linear / quadratic);
}

}  // namespace

NonnegativeQp solve_nonnegative_qp(const Matrix& N, ConstSpan c) {
  constexpr int rounds = 200;
  constexpr double accuracy = 1e-13;
  NonnegativeQp best{Vector(c.size(), 0.0), std::numeric_limits<double>::infinity()};
  Vector x = best.x;
  for (int k = 0; k < rounds && best.relative_gap > accuracy; ++k) {
    sweep(N, c, x);
    descend_on_support(N, c, x);
    const double gap = relative_gap_of(N, c, x);
    if (gap < best.relative_gap) best = {x, gap};
  }
  return best;
}

}  // namespace kernmix
