/// \file
/// Newton's system for a factor, whichever way it is solved: the residual that its definition
/// gives.

#include "svm/newton/factor_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "base/linear_algebra.hpp"

namespace kernmix::testing {
namespace {

/// Samples in up to two blocks with fixed sums, and slopes of which `share` are positive.
struct RandomSystem {
  Matrix Z;
  Vector slope;
  DualSet set;
  Vector g;

  RandomSystem(unsigned seed, Index n, Index r, double decay, Index blocks, double share)
      : Z(n, r), slope(static_cast<std::size_t>(n)), g(static_cast<std::size_t>(r)) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (Index i = 0; i < n; ++i) {
      for (Index c = 0; c < r; ++c) Z(i, c) = std::pow(decay, c) * (normal(engine) + 0.5);
    }
    for (double& value : slope) value = uniform(engine) < share ? 10.0 * uniform(engine) : 0.0;
    for (double& value : g) value = normal(engine);
    set.totals.assign(static_cast<std::size_t>(blocks), 0.0);
    for (Index i = 0; blocks > 0 && i < n; ++i) set.block.push_back(static_cast<int>(i % blocks));
  }

  /// |(I + Y'Y) p + g| / |g|
  [[nodiscard]] double residual(const Vector& p) const {
    const Eigen::VectorXd at = as_vector(ConstSpan(p));
    const Eigen::VectorXd f = as_matrix(Z) * at;
    Eigen::VectorXd weighted = as_vector(ConstSpan(slope)).cwiseProduct(f);
    for (std::size_t c = 0; c < set.totals.size(); ++c) {
      double sum = 0.0;
      double all = 0.0;
      for (Index i = 0; i < Z.rows; ++i) {
        if (static_cast<std::size_t>(set.block[static_cast<std::size_t>(i)]) != c) continue;
        sum += weighted[i];
        all += slope[static_cast<std::size_t>(i)];
      }
      for (Index i = 0; i < Z.rows; ++i) {
        const auto own = static_cast<std::size_t>(i);
        if (static_cast<std::size_t>(set.block[own]) == c) weighted[i] -= slope[own] * sum / all;
      }
    }
    const Eigen::VectorXd rest = at + as_matrix(Z).transpose() * weighted + as_vector(ConstSpan(g));
    return rest.norm() / as_vector(ConstSpan(g)).norm();
  }
};

class FactorSystem : public ::testing::TestWithParam<Index> {};

/// Few free samples, as many as columns, and so many that the system is solved by conjugate
/// gradients.
TEST_P(FactorSystem, IsSolved) {
  for (const Index blocks : {0, 1, 2}) {
    for (const double share : {0.05, 0.2, 1.0}) {
      for (const double decay : {1.0, 0.99}) {
        const RandomSystem system(1, 6500, GetParam(), decay, blocks, share);
        const Vector p = newton_direction(system.Z, system.slope, system.set, system.g, Context());
        EXPECT_LE(system.residual(p), 1e-2) << blocks << " blocks, " << share << ", " << decay;
      }
    }
  }
}

/// Samples that matter and are not among those from which the preconditioner is computed.
TEST_P(FactorSystem, IsSolvedWhereFewSamplesMatter) {
  RandomSystem system(2, 6500, GetParam(), 0.99, 1, 1.0);
  for (Index i = 1; i < system.Z.rows; i += 13) {
    for (double& value : system.Z.row(i)) value *= 1e3;
  }
  const Vector p = newton_direction(system.Z, system.slope, system.set, system.g, Context());
  const double decrease = -std::inner_product(p.begin(), p.end(), system.g.begin(), 0.0);
  EXPECT_GT(decrease, 0.0);
  EXPECT_LE(system.residual(p), 1e-2);
}

TEST_P(FactorSystem, HasTheSameSolutionForAnyNumberOfThreads) {
  const RandomSystem system(3, 6500, GetParam(), 0.99, 1, 1.0);
  Context two;
  two.threads = 2;
  EXPECT_EQ(newton_direction(system.Z, system.slope, system.set, system.g, Context()),
            newton_direction(system.Z, system.slope, system.set, system.g, two));
}

INSTANTIATE_TEST_SUITE_P(Columns, FactorSystem, ::testing::Values(1, 40, 520));

}  // namespace
}  // namespace kernmix::testing
