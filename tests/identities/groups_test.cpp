// Equivalences of regularizers over groups of kernels (methods section 7, items 1 and 8).

#include <limits>

#include "identity.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::constant_kernel;
using testing::expect_at_most;
using testing::expect_same;
using testing::make_problem;
using testing::OwnedProblem;
using testing::solve_tightly;
using testing::solved;
using testing::value;

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

class GroupIdentity : public testing::Identity {};
INSTANTIATE_TEST_SUITE_P(Sources, GroupIdentity, testing::every_setting(), testing::setting_name);

TEST_P(GroupIdentity, OneGroupIsL1ForEveryQ) {
  const OwnedProblem owned = problem();
  const double l1 = value(owned, L1{});
  for (const double q : {1.0, 1.5, 2.0, 3.0, kSupremumNorm}) {
    expect_same(value(owned, mixed_norm(q, groups_of(12, 1))), l1);
  }
}

TEST_P(GroupIdentity, QOneIsL1OverAllKernels) {
  const OwnedProblem owned = problem();
  expect_same(value(owned, MixedNorm{1.0, groups_of(12, 4)}), value(owned, L1{}));
}

// The norm falls with q, and so does the optimal value; it is continuous where the weights end.
TEST_P(GroupIdentity, ValuesFallWithQAndMeetAtTwo) {
  const OwnedProblem owned = problem();
  double previous = value(owned, L1{});
  for (const double q : {1.2, 1.6, 2.0, 2.5, 5.0, kSupremumNorm}) {
    const double now = value(owned, mixed_norm(q, groups_of(12, 3)));
    expect_at_most(now, previous);
    previous = now;
  }
  const double two = value(owned, mixed_norm(2.0, groups_of(12, 3)));
  for (const double q : {1.999, 2.001}) {
    EXPECT_NEAR(value(owned, mixed_norm(q, groups_of(12, 3))), two, 2e-3 * two) << q;
  }
}

/// What the hinge loss adds to the primal and to the dual value, and the norms, by their formulas.
struct WrittenOut {
  Vector d;
  Vector q;
  double loss = 0.0;
  double gain = 0.0;

  WrittenOut(const OwnedProblem& owned, const Answer& solution)
      : d(solution.d), q(solution.d.size()) {
    Vector z(owned.y.size());
    q = all_forms(*owned.bank, solution.a[0], Context{});
    z = combined_product(*owned.bank, solution.d, solution.a[0], Context{});
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double margin = owned.y[i] * (z[i] + solution.certificate.only_bias());
      loss += owned.C[i] * std::max(0.0, 1.0 - margin);
      gain += std::abs(solution.a[0][i]);
    }
  }

  [[nodiscard]] double norm(std::size_t m) const { return d[m] * std::sqrt(q[m]); }
};

// Groups of size one, q = inf: the block l_inf norm. Some columns of heart are binary: their
// kernels have rank one, and weights without bound where q_m = 0
// (docs/reference/solvers/saddle-newton.md).
TEST_P(GroupIdentity, GroupsOfOneAndQInfinityAreTheMaximumOfNorms) {
  if (std::get<0>(GetParam()) == "heart") GTEST_SKIP() << "kernels of rank one";
  const OwnedProblem owned = problem();
  const Answer solution = solved(owned, MixedNormSaddle{kSupremumNorm, groups_of(12, 12)});
  const WrittenOut at(owned, solution);
  double largest_norm = 0.0;
  double sum = 0.0;
  for (std::size_t m = 0; m < at.q.size(); ++m) {
    largest_norm = std::max(largest_norm, at.norm(m));
    sum += std::sqrt(at.q[m]);
  }
  const double primal = at.loss + 0.5 * largest_norm * largest_norm;
  const double dual = at.gain - 0.5 * sum * sum;
  EXPECT_LE(primal - dual, 2e-7 * primal);
  expect_same(solution.certificate.primal, primal);
}

// q = 2: weights on a simplex for each group, Omega = 1/2 sum_j S_j^2, sigma = 1/2 sum_j max q_j.
TEST_P(GroupIdentity, QTwoIsAProductOfSimplexes) {
  constexpr std::size_t kGroups = 3;
  const OwnedProblem owned = problem();
  const Answer solution = solved(owned, MixedNorm{2.0, groups_of(12, kGroups)});
  const WrittenOut at(owned, solution);
  Vector weight(kGroups, 0.0);
  Vector norm(kGroups, 0.0);
  Vector largest(kGroups, 0.0);
  for (std::size_t m = 0; m < at.q.size(); ++m) {
    weight[m % kGroups] += at.d[m];
    norm[m % kGroups] += at.norm(m);
    largest[m % kGroups] = std::max(largest[m % kGroups], at.q[m]);
  }
  double primal = at.loss;
  double dual = at.gain;
  for (std::size_t j = 0; j < kGroups; ++j) {
    EXPECT_NEAR(weight[j], 1.0, 1e-10);
    primal += 0.5 * norm[j] * norm[j];
    dual -= 0.5 * largest[j];
  }
  EXPECT_LE(primal - dual, 2e-7 * primal);
  expect_same(solution.certificate.primal, primal);
}

TEST_P(GroupIdentity, CklAtItsEndsIsL1AndTheGroupLasso) {
  const OwnedProblem owned = problem();
  const std::vector<Index> group = groups_of(12, 4);
  expect_same(value(owned, Ckl{0.0, 1.0, group}), value(owned, L1{}));
  expect_same(value(owned, Ckl{0.0, 0.5, group}), value(owned, Lp{2.0}));

  // (1, 0): one weight for a group, sum_j n_j u_j <= 1, which is L1 over the groups' averages.
  std::vector<Matrix> averages(4, Matrix(samples(), samples()));
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    Matrix& average = averages[m % 4];
    for (std::size_t i = 0; i < average.values.size(); ++i) {
      average.values[i] += kernels[m].values[i] / 3.0;
    }
  }
  const OwnedProblem grouped = problem_of(std::move(averages));
  expect_same(value(owned, Ckl{1.0, 0.0, group}), value(grouped, L1{}));
}

std::vector<Regularizer> one_of_each(const std::vector<Index>& group) {
  return {MixedNorm{1.5, group}, MixedNorm{2.0, group}, MixedNormSaddle{3.0, group},
          MixedNormSaddle{kSupremumNorm, group}, Ckl{0.4, 0.4, group}};
}

TEST_P(GroupIdentity, NamesOfGroupsAndOrderOfKernelsDoNotMatter) {
  std::vector<Index> renamed = groups_of(12, 3);
  for (Index& j : renamed) j = (j + 1) % 3;
  std::vector<Matrix> reversed = kernels;
  std::ranges::reverse(reversed);
  std::vector<Index> reversed_group = groups_of(12, 3);
  std::ranges::reverse(reversed_group);
  const OwnedProblem owned = problem();
  const OwnedProblem other = problem_of(std::move(reversed));
  const auto plain = one_of_each(groups_of(12, 3));
  const auto with_names = one_of_each(renamed);
  const auto in_reverse = one_of_each(reversed_group);
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const double expected = value(owned, plain[k]);
    expect_same(value(owned, with_names[k]), expected);
    expect_same(value(other, in_reverse[k]), expected);
  }
}

// Two zero kernels as a group of their own, and a constant one, which a free bias makes invisible.
TEST_P(GroupIdentity, AGroupThatSeesNothingChangesNothing) {
  std::vector<Matrix> more = kernels;
  more.emplace_back(samples(), samples());
  more.emplace_back(samples(), samples());
  more.push_back(constant_kernel(samples()));
  const OwnedProblem owned = problem();
  const OwnedProblem larger = problem_of(std::move(more));
  std::vector<Index> group = groups_of(12, 3);
  const auto without = one_of_each(group);
  group.insert(group.end(), {3, 3, 3});
  const auto with = one_of_each(group);
  for (std::size_t k = 0; k < with.size(); ++k) {
    expect_same(value(larger, with[k]), value(owned, without[k]));
  }
}

TEST_P(GroupIdentity, OneKernelIsThePlainSvm) {
  const OwnedProblem one = one_kernel();
  const double svm = value(one, Average{});
  for (const Regularizer& regularizer : one_of_each({0})) {
    expect_same(value(one, regularizer), svm);
  }
}

TEST(GroupsDegenerate, OnlyZeroKernels) {
  const OwnedProblem owned = make_problem({Matrix(6, 6), Matrix(6, 6), Matrix(6, 6)},
                                          {1.0, -1.0, 1.0, 1.0, -1.0, 1.0}, 1.0);
  for (const Regularizer& regularizer : one_of_each({0, 1, 0})) {
    const Answer solution = solve_tightly(owned.with(regularizer));
    EXPECT_NEAR(solution.certificate.primal, 4.0, 1e-6) << regularizer_text(regularizer);
    EXPECT_EQ(solution.status, Status::converged) << regularizer_text(regularizer);
  }
}

}  // namespace
}  // namespace kernmix
