/// \file
/// SMO on the samples near the margin against SMO on all of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"
#include "svm/inner_solver.hpp"

namespace kernmix::testing {
namespace {

constexpr Index kManySamples = 300;
constexpr double kTightGap = 1e-4;

/// An SVM at one weight vector, and the next one near it.
class NextSvm {
 public:
  NextSvm(const Problem& problem, double step)
      : problem_(problem),
        set_(dual_set(problem.loss, problem.bias, problem.y(), problem.C())),
        inner_(problem, set_),
        d_(static_cast<std::size_t>(problem.kernels()), 1.0),
        a_(problem.y().size(), 0.0),
        z_(a_) {
    make_feasible(set_, a_);
    inner_.solve(d_, kTightGap, a_, z_, Context{});
    d_[0] *= 1.0 + step;
    d_[1] *= 1.0 - step;
  }

  /// \returns whether it was solved on a part of the samples
  bool solve_part(double target) {
    const Vector known = a_;
    const Vector product = exact_product();
    return inner_.solve_part(d_, {known, product}, target, a_, z_, Context{}).has_value();
  }
  void solve_whole(double target) { inner_.solve(d_, target, a_, z_, Context{}); }

  [[nodiscard]] Vector exact_product() const {
    Vector z(a_.size());
    problem_.bank.apply(d_, a_, z, Context{});
    return z;
  }
  /// By the definitions, on the kernels in double precision.
  [[nodiscard]] double gap() const { return inner_.gap_at(a_, exact_product()); }
  void expect_feasible() const {
    Vector feasible = a_;
    make_feasible(set_, feasible);
    for (std::size_t i = 0; i < a_.size(); ++i) EXPECT_NEAR(a_[i], feasible[i], 1e-12);
  }
  [[nodiscard]] const Vector& a() const { return a_; }
  [[nodiscard]] const Vector& z() const { return z_; }
  [[nodiscard]] const Vector& d() const { return d_; }
  [[nodiscard]] const InnerSolver& inner() const { return inner_; }

 private:
  const Problem& problem_;
  DualSet set_;
  InnerSolver inner_;
  Vector d_, a_, z_;
};

std::vector<std::string> losses_of_smo() {
  std::vector<std::string> texts;
  for (const LossInfo& row : losses()) {
    const Loss loss = parse_loss(row.example);
    const OwnedProblem owned = random_problem_for(loss, 3, 20, 2, 1.0);
    if (!has_smooth_dual(loss) && quadratic_terms(loss, owned.y, owned.C)) {
      texts.push_back(row.example);
    }
  }
  return texts;
}

/// What the gap on the part promises holds on all samples after two rounds, whatever the loss and
/// the bias.
TEST(SmoOnAPart, LeavesLittleToDo) {
  int parts = 0;
  for (const std::string& text : losses_of_smo()) {
    const Loss loss = parse_loss(text);
    const OwnedProblem owned = random_problem_for(loss, 11, kManySamples, 3, 0.1);
    for (const Bias bias : bias_rules(loss)) {
      const Problem problem = owned.with(Sum{}, loss, bias);
      NextSvm svm(problem, 0.2);
      const double opened = svm.gap();
      const double target = std::max(0.05 * opened, kTightGap);
      if (!svm.solve_part(target)) continue;
      ++parts;
      if (svm.gap() > 2.0 * target) static_cast<void>(svm.solve_part(target));
      svm.expect_feasible();
      EXPECT_LE(svm.gap(), std::max(2.0 * target, 0.2 * opened))
          << text << ", bias " << bias_name(bias);
    }
  }
  EXPECT_GE(parts, 5);
}

TEST(SmoOnAPart, KnowsTheProductsThereAndTheCurvature) {
  const OwnedProblem owned = random_problem_for(Hinge{}, 11, kManySamples, 3, 0.1);
  const Problem problem = owned.with(Sum{});
  NextSvm svm(problem, 0.2);
  const Vector before = svm.a();
  const Vector known = svm.exact_product();
  ASSERT_TRUE(svm.solve_part(kTightGap));
  const Vector exact = svm.exact_product();
  std::vector<Index> free;
  bool moved = false;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    // At the samples of the part the new product, at all others the one that was known.
    const bool in_part = std::abs(svm.z()[i] - exact[i]) <= 1e-5;
    EXPECT_TRUE(in_part || svm.z()[i] == known[i]) << i;
    if (svm.a()[i] != before[i]) {
      moved = true;
      EXPECT_TRUE(in_part) << i;
    }
    const double alpha = svm.a()[i] * owned.y[i];
    if (alpha > 0.0 && alpha < owned.C[i]) free.push_back(static_cast<Index>(i));
  }
  EXPECT_TRUE(moved);
  const RowMatrixF block = svm.inner().hessian_block(svm.d(), free);
  ASSERT_EQ(block.rows(), length(free));
  Vector want(free.size() * free.size());
  problem.bank.combine_block(svm.d(), free, want, Context{});
  for (Index r = 0; r < block.rows(); ++r) {
    for (Index c = 0; c <= r; ++c) EXPECT_NEAR(block(r, c), want[r * block.rows() + c], 1e-5);
  }
  std::vector<Index> all(exact.size());
  std::iota(all.begin(), all.end(), Index{0});
  EXPECT_EQ(svm.inner().hessian_block(svm.d(), all).size(), 0) << "it has a part";
}

TEST(SmoOnAPart, AllSamplesComeBackForASmallGap) {
  const OwnedProblem owned = random_problem_for(Hinge{}, 11, kManySamples, 3, 0.1);
  const Problem problem = owned.with(Sum{});
  NextSvm svm(problem, 0.2);
  ASSERT_TRUE(svm.solve_part(kTightGap));
  const Vector before = svm.a();
  EXPECT_FALSE(svm.solve_part(1e-13)) << "K(d) in single precision cannot tell such a gap";
  EXPECT_EQ(svm.a(), before);
  svm.solve_whole(1e-10);
  EXPECT_LE(svm.gap(), 2e-10);
}

/// Where all samples are free there is nothing to leave out.
TEST(SmoOnAPart, IsRefusedWhereMostSamplesAreFree) {
  const OwnedProblem owned = random_problem_for(Hinge{}, 11, kManySamples, 3, 1e4);
  const Problem problem = owned.with(Sum{}, parse_loss("squared-hinge"));
  NextSvm svm(problem, 0.9);
  const Vector before = svm.a();
  EXPECT_FALSE(svm.solve_part(kTightGap));
  EXPECT_EQ(svm.a(), before);
}

}  // namespace
}  // namespace kernmix::testing
