#include "bank/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "base/symmetric.hpp"

namespace kernmix {
namespace {

/// Of independent normal variables (Box and Muller): the direction is uniformly distributed.
Eigen::VectorXd random_direction(Index n) {
  std::mt19937_64 engine;
  const auto uniform = [&] { return (static_cast<double>(engine() >> 11U) + 0.5) * 0x1p-53; };
  Eigen::VectorXd v(n);
  for (double& entry : v) {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    entry = radius * std::cos(2.0 * std::numbers::pi * uniform());
  }
  return v.normalized();
}

}  // namespace

SpectrumEnds lanczos(Index n, Index steps,
                     const std::function<void(ConstSpan x, MutableSpan Kx)>& product) {
  constexpr double kInvariant = 1e-12;
  steps = std::min(steps, n);
  Eigen::MatrixXd V(n, steps);
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(steps, steps);  // V'K V
  V.col(0) = random_direction(n);
  Vector Kx(static_cast<std::size_t>(n));
  Index k = 0;
  while (true) {
    product({V.col(k).data(), Kx.size()}, Kx);
    auto rest = as_vector(MutableSpan(Kx));
    T(k, k) = V.col(k).dot(rest);
    const double size = rest.norm();
    const auto known = V.leftCols(++k);
    for (int twice = 0; twice < 2; ++twice) rest -= known * (known.transpose() * rest).eval();
    const double left = rest.norm();
    if (k == steps || !(left > kInvariant * size)) break;
    T(k, k - 1) = T(k - 1, k) = left;
    V.col(k) = rest / left;
  }
  const Eigen::VectorXd values = symmetric_eigenvalues(T.topLeftCorner(k, k));
  return {values[0], values[k - 1]};
}

}  // namespace kernmix
