/// How much larger a loss may be where its decision values are known up to an error.

#include <gtest/gtest.h>

#include <cmath>

#include "bank/reference.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "loss/any.hpp"
#include "problem/task_loss.hpp"
#include "random_problem.hpp"

namespace kernmix::test {
namespace {

double loss_with(const Loss& loss, const Vector& y, const Vector& C, double bias, const Vector& z) {
  const auto separable = [&]<typename L>(const L& own) {
    double sum = 0.0;
    if constexpr (IsSeparableLoss<L>) {
      for (std::size_t i = 0; i < z.size(); ++i) sum += own.value(y[i], z[i] + bias, C[i]);
    } else {
      sum = loss_at(loss, Bias::free, y, z, dual_set(loss, Bias::free, y, C).lower, C).value;
    }
    return sum;
  };
  return visit(separable, loss);
}

/// Where the loss grows: away from a number, to the other side of a class, out of a ball.
double worse(Target target, double y, double decision) {
  if (target == Target::numbers) return decision > y ? 1.0 : -1.0;
  return target == Target::classes ? -y : -1.0;
}

class LossExcess : public ::testing::TestWithParam<std::string> {};

/// At either end of all errors, at the worse end of each, and where every sample goes its own way.
TEST_P(LossExcess, HoldsEveryShiftWithinTheErrors) {
  const Index n = 40;
  const Loss loss = parse_loss(GetParam());
  const auto owned = kernmix::testing::random_problem_for(loss, 3, n, 2, 2.0);
  const Vector z = random_vector(n, 5);
  Vector error = random_vector(n, 6);
  for (double& value : error) value = 0.3 * std::abs(value);
  Vector a(z.size(), 0.0);
  make_feasible(dual_set(loss, Bias::free, owned.y, owned.C), a);
  const LossPoint point = loss_at(loss, Bias::free, owned.y, z, a, owned.C);
  const double excess = loss_excess(loss, Bias::free, owned.y, owned.C, point, z, error);
  double largest = 0.0;
  for (unsigned way = 0; way < 40; ++way) {
    const Vector random = random_vector(n, 100 + way);
    Vector shifted(z);
    for (std::size_t i = 0; i < z.size(); ++i) {
      double share = way == 0 ? 1.0 : way == 1 ? -1.0 : std::tanh(3.0 * random[i]);
      if (way == 2) share = worse(loss_target(loss), owned.y[i], z[i] + point.bias[0]);
      shifted[i] += share * error[i];
    }
    const double value = loss_with(loss, owned.y, owned.C, point.bias[0], shifted);
    EXPECT_LE(value, point.value + excess) << way;
    largest = std::max(largest, value - point.value);
  }
  // A bound that nothing can break says nothing.
  EXPECT_LE(excess, 40.0 * largest);
}

std::vector<std::string> texts() {
  std::vector<std::string> all;
  for (const LossInfo& row : losses()) {
    if (!joins_classes(parse_loss(row.example))) all.push_back(row.example);  // BoundedJoint has it
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Losses, LossExcess, ::testing::ValuesIn(texts()));

}  // namespace
}  // namespace kernmix::test
