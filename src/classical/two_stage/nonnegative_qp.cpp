#include "classical/two_stage/nonnegative_qp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/symmetric.hpp"
#include "regularizer/subproblem/weight_set.hpp"

namespace kernmix {
namespace {

Vector product_with(const Matrix& N, ConstSpan x) {
  Vector out(x.size());
  as_vector(MutableSpan(out)) = as_matrix(N) * as_vector(x);
  return out;
}

double relative_gap_of(const Matrix& N, ConstSpan c, ConstSpan x) {
  const Vector Nx = product_with(N, x);
  const double quadratic = as_vector(x).dot(as_vector(ConstSpan(Nx)));
  const double linear = as_vector(x).dot(as_vector(c));
  if (quadratic == 0.0) return 0.0;
  double t = 1.0;
  for (std::size_t m = 0; m < x.size(); ++m) {
    if (c[m] <= 0.0) continue;
    t = std::max(t, Nx[m] > 0.0 ? c[m] / Nx[m] : std::numeric_limits<double>::infinity());
  }
  return std::max(0.0, (1.0 + t * t) - 2.0 * linear / quadratic);
}

/// B with B B' = 2 N.
Matrix factor_of(const Matrix& N) {
  const SymmetricEigen eigen = symmetric_eigen(as_matrix(N));
  Matrix B(N.rows, N.cols);
  as_matrix(B) = eigen.vectors * (2.0 * eigen.values.cwiseMax(0.0)).cwiseSqrt().asDiagonal();
  return B;
}

}  // namespace

NonnegativeQp solve_nonnegative_qp(const Matrix& N, ConstSpan c) {
  constexpr int rounds = 3;
  constexpr double accuracy = 1e-13;
  const double size = as_vector(c).dot(as_vector(ConstSpan(product_with(N, c))));
  if (!(size > 0.0)) return {Vector(c.size(), 0.0), 0.0};
  WeightModel model{Vector(c.begin(), c.end()), Vector(c.size()), factor_of(N)};
  for (double& value : model.d) value *= as_vector(c).squaredNorm() / size;
  double gap = std::numeric_limits<double>::infinity();
  for (int k = 0; k < rounds && gap > accuracy; ++k) {
    const Vector Nx = product_with(N, model.d);
    for (std::size_t m = 0; m < c.size(); ++m) model.q[m] = 4.0 * (c[m] - Nx[m]);
    model.d = minimize_on(model, WeightSet{});
    gap = relative_gap_of(N, c, model.d);
  }
  return {model.d, gap};
}

}  // namespace kernmix
