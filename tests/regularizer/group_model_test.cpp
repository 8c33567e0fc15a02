// The quadratic program over mixed-norm balls, against its optimality condition.

#include "regularizer/subproblem/group_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "regularizer/groups/groups.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {
namespace {

constexpr double kMaxNorm = std::numeric_limits<double>::infinity();

double dual_exponent(double r) {
  if (r == 1.0) return kMaxNorm;
  return std::isinf(r) ? 1.0 : r / (r - 1.0);
}

/// A model as Newton's method meets it: d on the boundary, d'BB'd <= q'd (J's curvature along d is
/// never larger).
WeightModel random_model(std::mt19937& engine, Index W, Index f, const std::vector<Index>& group,
                         GroupSet set) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::normal_distribution<double> normal;
  WeightModel model{Vector(static_cast<std::size_t>(W)), Vector(static_cast<std::size_t>(W)),
                    Matrix(W, f)};
  for (double& q : model.q) q = 0.1 + 3.0 * uniform(engine);
  for (double& d : model.d) d = uniform(engine);
  for (double& b : model.B.values) b = normal(engine);
  const double size = power_norm(group_norms(model.d, group, set.rho), 1.0 / set.theta);
  double slope = 0.0;
  double curvature = 0.0;
  for (Index m = 0; m < W; ++m) {
    const auto at = static_cast<std::size_t>(m);
    model.d[at] /= size;
    slope += model.d[at] * model.q[at];
  }
  for (Index i = 0; i < f; ++i) {
    double along = 0.0;
    for (Index m = 0; m < W; ++m) along += model.B(m, i) * model.d[static_cast<std::size_t>(m)];
    curvature += along * along;
  }
  const double factor = curvature > 0.0 ? std::sqrt(uniform(engine) * slope / curvature) : 1.0;
  for (double& b : model.B.values) b *= factor;
  return model;
}

/// Gradient of the model at x.
Vector model_gradient(const WeightModel& model, const Vector& x) {
  Vector gradient(x.size());
  for (std::size_t m = 0; m < x.size(); ++m) gradient[m] = -0.5 * model.q[m];
  for (Index i = 0; i < model.B.cols; ++i) {
    double along = 0.0;
    for (Index m = 0; m < model.B.rows; ++m) {
      along +=
          model.B(m, i) * (x[static_cast<std::size_t>(m)] - model.d[static_cast<std::size_t>(m)]);
    }
    for (Index m = 0; m < model.B.rows; ++m) {
      gradient[static_cast<std::size_t>(m)] += along * model.B(m, i);
    }
  }
  return gradient;
}

/// max over z in the set of gradient'(x - z), which is zero at the minimiser only: the best z has
/// gradient'z = -(dual norm of the negative part).
double optimality_gap(const WeightModel& model, const Vector& x, const std::vector<Index>& group,
                      GroupSet set) {
  const Vector gradient = model_gradient(model, x);
  double along = 0.0;
  Vector descent(x.size());
  for (std::size_t m = 0; m < x.size(); ++m) {
    along += gradient[m] * x[m];
    descent[m] = std::max(-gradient[m], 0.0);
  }
  return along + power_norm(group_norms(descent, group, dual_exponent(set.rho)),
                            dual_exponent(1.0 / set.theta));
}

class EverySet : public ::testing::TestWithParam<GroupSet> {};
INSTANTIATE_TEST_SUITE_P(GroupModel, EverySet,
                         ::testing::Values(GroupSet{1.0, 0.0}, GroupSet{1.0, 0.02},
                                           GroupSet{1.0, 1.0 / 3.0}, GroupSet{1.0, 0.9},
                                           GroupSet{1.0, 1.0}, GroupSet{1.25, 0.9},
                                           GroupSet{2.0, 0.5}, GroupSet{2.0, 1.0},
                                           GroupSet{5.0, 0.4}, GroupSet{10.0, 0.9}));

TEST_P(EverySet, MinimiserIsOptimalAndInside) {
  const GroupSet set = GetParam();
  std::mt19937 engine(7);
  for (int trial = 0; trial < 30; ++trial) {
    const Index W = trial < 25 ? 2 + trial % 12 : 80;
    const Index f = trial % 9 == 0 ? 0 : trial;
    const Index J = 1 + trial % std::min<Index>(W, 5);
    std::vector<Index> group;
    for (Index m = 0; m < W; ++m) group.push_back(m % J);
    const WeightModel model = random_model(engine, W, f, group, set);
    const Vector x = minimize_on_groups(model, group, set);
    EXPECT_LE(power_norm(group_norms(x, group, set.rho), 1.0 / set.theta), 1.0 + 1e-12);
    EXPECT_GE(*std::ranges::min_element(x), 0.0);
    EXPECT_LE(optimality_gap(model, x, group, set), 1e-5) << "trial " << trial;
  }
}

TEST(GroupModel, WithoutAGradientTheWeightsStay) {
  const WeightModel model{{0.3, 0.7}, {0.0, 0.0}, Matrix(2, 0)};
  EXPECT_EQ(minimize_on_groups(model, {0, 0}, {1.0, 0.0}), model.d);
}

}  // namespace
}  // namespace kernmix
