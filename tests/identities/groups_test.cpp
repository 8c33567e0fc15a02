// Equivalences of regularizers over groups of kernels (methods section 7, items 1 and 8).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "random_problem.hpp"

namespace kernmix {
namespace {

using testing::make_problem;
using testing::OwnedProblem;
using testing::RandomData;
using testing::solve_tightly;

constexpr double kSupremumNorm = std::numeric_limits<double>::infinity();

std::vector<Index> groups_of(Index M, Index J) {
  std::vector<Index> group;
  for (Index m = 0; m < M; ++m) group.push_back(m % J);
  return group;
}

Regularizer mixed_norm(double q, std::vector<Index> group) {
  if (q <= 2.0) return MixedNorm{q, std::move(group)};
  return MixedNormSaddle{q, std::move(group)};
}

Solution solved(const OwnedProblem& owned, const Regularizer& regularizer) {
  Solution solution = solve_tightly(owned.with(regularizer));
  EXPECT_LE(solution.certificate.relative_gap(), 1e-7) << regularizer_text(regularizer);
  return solution;
}

double group_value(const OwnedProblem& owned, const Regularizer& regularizer) {
  return solved(owned, regularizer).certificate.primal;
}

void expect_same(double one, double other) {
  EXPECT_NEAR(one, other, 3e-7 * std::max(std::abs(one), std::abs(other)));
}

class GroupIdentity : public ::testing::TestWithParam<double> {
 protected:
  RandomData data{41, 40, 3};  // twelve kernels
  OwnedProblem owned = make_problem(data.kernels(), data.y, GetParam());
};
INSTANTIATE_TEST_SUITE_P(Identities, GroupIdentity, ::testing::Values(0.1, 1.0, 100.0));

TEST_P(GroupIdentity, OneGroupIsL1ForEveryQ) {
  const double l1 = group_value(owned, L1{});
  for (const double q : {1.0, 1.5, 2.0, 3.0, kSupremumNorm}) {
    expect_same(group_value(owned, mixed_norm(q, groups_of(12, 1))), l1);
  }
}

TEST_P(GroupIdentity, QOneIsL1OverAllKernels) {
  expect_same(group_value(owned, MixedNorm{1.0, groups_of(12, 4)}), group_value(owned, L1{}));
}

// The norm falls with q, and so does the optimal value; it is continuous where the weights end.
TEST_P(GroupIdentity, ValuesFallWithQAndMeetAtTwo) {
  double previous = group_value(owned, L1{});
  for (const double q : {1.2, 1.6, 2.0, 2.5, 5.0, kSupremumNorm}) {
    const double now = group_value(owned, mixed_norm(q, groups_of(12, 3)));
    EXPECT_LE(now, previous * (1.0 + 3e-7)) << q;
    previous = now;
  }
  const double two = group_value(owned, mixed_norm(2.0, groups_of(12, 3)));
  for (const double q : {1.999, 2.001}) {
    EXPECT_NEAR(group_value(owned, mixed_norm(q, groups_of(12, 3))), two, 2e-3 * two) << q;
  }
}

// Groups of size one, q = inf: the block l_inf norm, with bounds written out by hand.
TEST_P(GroupIdentity, GroupsOfOneAndQInfinityAreTheMaximumOfNorms) {
  const Problem problem = owned.with(MixedNormSaddle{kSupremumNorm, groups_of(12, 12)});
  const Solution solution = solve_tightly(problem);
  Vector q(12);
  Vector z(owned.y.size());
  owned.bank->quadratic_forms(solution.a, q, Context{});
  owned.bank->apply(solution.d, solution.a, z, Context{});
  double largest_norm = 0.0;
  double sum = 0.0;
  for (std::size_t m = 0; m < q.size(); ++m) {
    largest_norm = std::max(largest_norm, solution.d[m] * std::sqrt(q[m]));
    sum += std::sqrt(q[m]);
  }
  double loss = 0.0;
  double gain = 0.0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double margin = owned.y[i] * (z[i] + solution.certificate.bias);
    loss += owned.C[i] * std::max(0.0, 1.0 - margin);
    gain += std::abs(solution.a[i]);
  }
  const double primal = loss + 0.5 * largest_norm * largest_norm;
  const double dual = gain - 0.5 * sum * sum;
  EXPECT_LE(primal - dual, 2e-7 * primal);
  expect_same(solution.certificate.primal, primal);
}

TEST_P(GroupIdentity, CklAtItsEndsIsL1AndTheGroupLasso) {
  const std::vector<Index> group = groups_of(12, 4);
  expect_same(group_value(owned, Ckl{0.0, 1.0, group}), group_value(owned, L1{}));
  expect_same(group_value(owned, Ckl{0.0, 0.5, group}), group_value(owned, Lp{2.0}));

  // (1, 0): one weight for a group, sum_j n_j u_j <= 1, which is L1 over the groups' averages.
  std::vector<Matrix> averages(4, Matrix(40, 40));
  const std::vector<Matrix> kernels = data.kernels();
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    Matrix& average = averages[m % 4];
    for (std::size_t i = 0; i < average.values.size(); ++i) {
      average.values[i] += kernels[m].values[i] / 3.0;
    }
  }
  const OwnedProblem grouped = make_problem(std::move(averages), data.y, GetParam());
  expect_same(group_value(owned, Ckl{1.0, 0.0, group}), group_value(grouped, L1{}));
}

std::vector<Regularizer> one_of_each(const std::vector<Index>& group) {
  return {MixedNorm{1.5, group}, MixedNorm{2.0, group}, MixedNormSaddle{3.0, group},
          MixedNormSaddle{kSupremumNorm, group}, Ckl{0.4, 0.4, group}};
}

TEST_P(GroupIdentity, NamesOfGroupsAndOrderOfKernelsDoNotMatter) {
  std::vector<Index> renamed = groups_of(12, 3);
  for (Index& j : renamed) j = (j + 1) % 3;
  std::vector<Matrix> reversed = data.kernels();
  std::ranges::reverse(reversed);
  std::vector<Index> reversed_group = groups_of(12, 3);
  std::ranges::reverse(reversed_group);
  const OwnedProblem other = make_problem(std::move(reversed), data.y, GetParam());
  const auto plain = one_of_each(groups_of(12, 3));
  const auto with_names = one_of_each(renamed);
  const auto in_reverse = one_of_each(reversed_group);
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const double value = group_value(owned, plain[k]);
    expect_same(group_value(owned, with_names[k]), value);
    expect_same(group_value(other, in_reverse[k]), value);
  }
}

// Two zero kernels as a group of their own, and a constant one, which a free bias makes invisible.
TEST_P(GroupIdentity, AGroupThatSeesNothingChangesNothing) {
  std::vector<Matrix> more = data.kernels();
  more.emplace_back(40, 40);
  more.emplace_back(40, 40);
  Matrix ones(40, 40);
  std::ranges::fill(ones.values, 1.0);
  more.push_back(ones);
  const OwnedProblem larger = make_problem(std::move(more), data.y, GetParam());
  std::vector<Index> group = groups_of(12, 3);
  const auto without = one_of_each(group);
  group.insert(group.end(), {3, 3, 3});
  const auto with = one_of_each(group);
  for (std::size_t k = 0; k < with.size(); ++k) {
    expect_same(group_value(larger, with[k]), group_value(owned, without[k]));
  }
}

TEST_P(GroupIdentity, OneKernelIsThePlainSvm) {
  const OwnedProblem one = make_problem({data.gaussian(1.0, {0, 1, 2})}, data.y, GetParam());
  const double svm = group_value(one, Average{});
  for (const Regularizer& regularizer : one_of_each({0})) {
    expect_same(group_value(one, regularizer), svm);
  }
}

TEST(GroupsDegenerate, OnlyZeroKernels) {
  const OwnedProblem owned = make_problem({Matrix(6, 6), Matrix(6, 6), Matrix(6, 6)},
                                          {1.0, -1.0, 1.0, 1.0, -1.0, 1.0}, 1.0);
  for (const Regularizer& regularizer : one_of_each({0, 1, 0})) {
    const Solution solution = solve_tightly(owned.with(regularizer));
    EXPECT_NEAR(solution.certificate.primal, 4.0, 1e-6) << regularizer_text(regularizer);
    EXPECT_EQ(solution.status, Status::converged) << regularizer_text(regularizer);
  }
}

}  // namespace
}  // namespace kernmix
