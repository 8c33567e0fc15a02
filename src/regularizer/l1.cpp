#include "kernmix/regularizer/l1.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "kernmix/regularizer/norms.hpp"
#include "linear_algebra.hpp"

namespace kernmix {

void L1::check(Index M) const { require_kernels(M); }

Vector L1::initial_weights(Index M) const {
  return Vector(static_cast<std::size_t>(M), 1.0 / static_cast<double>(M));
}

double L1::block_norm(ConstSpan s) const {
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  return 0.5 * sum * sum;
}

double L1::support(ConstSpan q) const { return 0.5 * largest(q); }

void L1::best_weights(ConstSpan s, MutableSpan d) const {
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  const double uniform = 1.0 / static_cast<double>(d.size());
  for (std::size_t m = 0; m < d.size(); ++m) d[m] = sum > 0.0 ? s[m] / sum : uniform;
}

void L1::project(MutableSpan x) const {
  // x_m = max(z_m - tau, 0): tau is fixed by the largest k entries that stay positive.
  Vector sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0;
  double tau = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1.0) / static_cast<double>(k + 1);
    if (candidate >= sorted[k]) break;
    tau = candidate;
  }
  for (double& value : x) value = std::max(value - tau, 0.0);
}

Vector L1::minimize_model(const WeightModel& model) const {
  const auto W = static_cast<Eigen::Index>(model.d.size());
  const auto B = as_matrix(model.B);
  const Eigen::MatrixXd H = B * B.transpose();
  Vector x = model.d;
  Eigen::VectorXd gradient = -0.5 * as_vector(model.q);
  const double scale = gradient.cwiseAbs().maxCoeff();
  const double ridge = 1e-12 * H.trace() + std::numeric_limits<double>::min();
  for (Eigen::Index step = 0; step < 200 * W; ++step) {
    Eigen::Index up = 0;
    Eigen::Index down = -1;
    gradient.minCoeff(&up);
    double best = 0.0;
    double move = 0.0;
    for (Eigen::Index j = 0; j < W; ++j) {
      const double available = x[static_cast<std::size_t>(j)];
      const double slope = gradient[j] - gradient[up];
      if (available <= 0.0 || slope <= 1e-10 * scale) continue;
      const double curvature = H(up, up) + H(j, j) - 2.0 * H(up, j) + ridge;
      const double t = std::min(slope / curvature, available);
      const double decrease = t * (slope - 0.5 * t * curvature);
      if (decrease > best) {
        best = decrease;
        move = t;
        down = j;
      }
    }
    if (down < 0) break;
    const auto donor = static_cast<std::size_t>(down);
    x[static_cast<std::size_t>(up)] += move;
    x[donor] = move < x[donor] ? x[donor] - move : 0.0;
    gradient += move * (H.col(up) - H.col(down));
  }
  return x;
}

}  // namespace kernmix
