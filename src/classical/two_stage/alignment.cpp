#include "kernmix/classical/alignment.hpp"

#include <cmath>
#include <numeric>

#include "base/blas_threads.hpp"
#include "classical/two_stage/centred_products.hpp"
#include "classical/two_stage/nonnegative_qp.hpp"
#include "kernmix/error.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {
namespace {

/// Hy, which must not vanish.
Vector centred_targets(ConstSpan y) {
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
  Vector centred(y.begin(), y.end());
  for (double& value : centred) value -= mean;
  if (sum_of_squares(centred) <= 1e-24 * sum_of_squares(y)) {
    throw DataError("alignment: all targets are equal, there is nothing to align kernels with");
  }
  return centred;
}

/// c_m = a_m / ||K_m^c||_F, 0 for a constant kernel; not all 0.
Vector products_with_targets(const KernelBank& bank, ConstSpan centred, ConstSpan norms,
                             const Context& context) {
  Vector c = all_forms(bank, centred, context);
  for (std::size_t m = 0; m < c.size(); ++m) c[m] = norms[m] > 0.0 ? c[m] / norms[m] : 0.0;
  if (!(largest(c) > 1e-12 * sum_of_squares(centred))) {
    throw DataError("alignment: no kernel varies with the targets");
  }
  return c;
}

AlignmentWeights normalised(Vector weights, Vector c, ConstSpan centred, double relative_gap) {
  const double length_of_w = std::sqrt(sum_of_squares(weights));
  for (double& weight : weights) weight /= length_of_w;
  const double size = sum_of_squares(centred);
  for (double& value : c) value /= size;
  return {std::move(weights), std::move(c), relative_gap};
}

}  // namespace

AlignmentWeights align(const KernelBank& bank, ConstSpan y, const Context& context) {
  const Vector centred = centred_targets(y);
  const Vector c = products_with_targets(bank, centred, centred_norms(bank, context), context);
  return normalised(c, c, centred, 0.0);
}

AlignmentWeights alignf(const KernelBank& bank, ConstSpan y, const Context& context) {
  const SerialBlas serial;
  const Vector centred = centred_targets(y);
  Matrix N = centred_products(bank, context);
  Vector norms(static_cast<std::size_t>(N.rows));
  for (Index m = 0; m < N.rows; ++m) norms[static_cast<std::size_t>(m)] = std::sqrt(N(m, m));
  const Vector c = products_with_targets(bank, centred, norms, context);

  // In x_m = ||K_m^c|| v_m the diagonal is 1 and the scale of a kernel does not matter.
  for (Index k = 0; k < N.rows; ++k) {
    for (Index l = 0; l < N.cols; ++l) {
      const double size = norms[static_cast<std::size_t>(k)] * norms[static_cast<std::size_t>(l)];
      N(k, l) = size > 0.0 ? std::max(N(k, l) / size, 0.0) : (k == l ? 1.0 : 0.0);
    }
  }
  NonnegativeQp qp = solve_nonnegative_qp(N, c);
  for (std::size_t m = 0; m < norms.size(); ++m) {
    qp.x[m] = norms[m] > 0.0 ? qp.x[m] / norms[m] : 0.0;
  }
  return normalised(std::move(qp.x), c, centred, qp.relative_gap);
}

}  // namespace kernmix
