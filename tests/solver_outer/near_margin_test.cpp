/// \file
/// Runs whose SVMs leave out samples against runs on the same kernels that never do.

#include <gtest/gtest.h>

#include "bank/stored_bank.hpp"
#include "forwarding_bank.hpp"
#include "kernmix/kernmix.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"
#include "weights/oracle.hpp"
#include "weights/whole_products.hpp"

namespace kernmix::testing {
namespace {

constexpr Index kNearSamples = 600;

StoredBank in_single_precision(const std::vector<Matrix>& kernels) {
  StoredBank bank(kernels.front().rows, length(kernels));
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    Packed<float> triangle(kernels[m].rows);
    for (Index i = 0; i < kernels[m].rows; ++i) {
      for (Index j = 0; j <= i; ++j) triangle.row(i)[j] = static_cast<float>(kernels[m](i, j));
    }
    bank.keep(static_cast<Index>(m), std::move(triangle));
  }
  return bank;
}

/// Counts how K(d) is asked for.
class CombinationCounter final : public ForwardingBank {
 public:
  using ForwardingBank::ForwardingBank;
  void combine(ConstSpan d, std::span<float> out, const Context& context) const override {
    ++whole;
    bank().combine(d, out, context);
  }
  void combine_part(ConstSpan d, std::span<const Index> index, std::span<float> out,
                    const Context& context) const override {
    ++parts;
    EXPECT_LE(2 * length(index), samples());
    bank().combine_part(d, index, out, context);
  }
  [[nodiscard]] const Packed<float>* stored_triangle(Index m) const override {
    return shows_triangles ? bank().stored_triangle(m) : nullptr;
  }

  mutable int whole = 0;
  mutable int parts = 0;
  bool shows_triangles = true;  ///< without them no sample is left out
};

Solution solve_to(const Problem& problem, double tolerance, int threads = 1) {
  SolverOptions options;
  options.solver = "newton";
  options.tolerance = tolerance;
  Context context;
  context.threads = threads;
  return solve(problem, options, context);
}

TEST(NearMargin, LeavesTheAnswerAsItIs) {
  const RandomData data(21, kNearSamples, 4);
  const StoredBank stored = in_single_precision(data.kernels());
  CombinationCounter bank(stored);
  for (const char* text : {"hinge", "epsilon:eps=0.3", "nu-svc:nu=0.6"}) {
    const Loss loss = parse_loss(text);
    const bool numbers = loss_target(loss) == Target::numbers;
    const Vector y = numbers ? data.targets(21, 0.2) : data.y;
    const Vector C(y.size(), takes_cost(loss) ? 0.5 : loss_weight(loss, 1.0, kNearSamples));
    for (const Regularizer& regularizer : {Regularizer{L1{}}, Regularizer{Lp{2.0}}}) {
      const Problem problem{bank, loss, regularizer, y, C};
      for (const double tolerance : {1e-3, 1e-6}) {
        bank.shows_triangles = true;
        bank.parts = 0;
        const Solution some = solve_to(problem, tolerance);
        EXPECT_GT(bank.parts, 0) << text;
        bank.shows_triangles = false;
        bank.parts = 0;
        const Solution all = solve_to(problem, tolerance);
        EXPECT_EQ(bank.parts, 0);
        Certificate own = certify(problem, some.d, some.a, Context{}).certificate;
        if (!some.proof.empty()) own.raise_dual(certify_dual(problem, some.proof, Context{}));
        EXPECT_LE(own.relative_gap(), tolerance) << text;
        EXPECT_NEAR(own.relative_gap(), some.certificate.relative_gap(), 1e-9) << text;
        EXPECT_LE(some.certificate.dual, all.certificate.primal);
        EXPECT_LE(all.certificate.dual, some.certificate.primal);
      }
    }
  }
}

TEST(NearMargin, SparesMatrices) {
  const RandomData data(21, kNearSamples, 4);
  const StoredBank stored = in_single_precision(data.kernels());
  CombinationCounter bank(stored);
  const Vector C(data.y.size(), 0.5);
  const Problem problem{bank, Hinge{}, L1{}, data.y, C};
  const Solution some = solve_to(problem, 1e-3);
  EXPECT_EQ(some.status, Status::converged);
  EXPECT_EQ(bank.whole, 1) << "for the first SVM";
}

TEST(NearMargin, IsTheSameForAnyNumberOfThreads) {
  const RandomData data(22, kNearSamples, 4);
  const StoredBank bank = in_single_precision(data.kernels());
  const Vector C(data.y.size(), 0.5);
  const Problem problem{bank, Hinge{}, L1{}, data.y, C};
  const Solution one = solve_to(problem, 1e-4);
  const Solution many = solve_to(problem, 1e-4, 5);
  EXPECT_EQ(one.a, many.a);
  EXPECT_EQ(one.d, many.d);
}

/// K(d) a on a part is no K(d) a: the oracle says so until it is told.
TEST(NearMargin, ProductsOnAPartAreToBeLearnt) {
  const OwnedProblem owned = random_problem(11, 300, 3, 0.1);
  const Problem problem = owned.with(Sum{});
  Oracle oracle(problem, Context{});
  Vector d(static_cast<std::size_t>(problem.kernels()), 1.0);
  oracle.solve(d, 1e-4);
  EXPECT_FALSE(oracle.must_learn());
  d[0] = 1.3;
  const Vector known = oracle.a();
  Vector z(known.size());
  problem.bank.apply(d, known, z, Context{});
  ASSERT_TRUE(oracle.solve_part(d, {known, z}, 1e-4));
  EXPECT_TRUE(oracle.must_learn());
  EXPECT_FALSE(oracle.exact());
  problem.bank.apply(d, oracle.a(), z, Context{});
  oracle.learn(z);
  EXPECT_FALSE(oracle.must_learn());
  EXPECT_TRUE(oracle.exact());
  EXPECT_EQ(oracle.z(), z);
  const double gap = loss_at(problem.loss, problem.bias, owned.y, z, oracle.a(), owned.C).gap;
  EXPECT_DOUBLE_EQ(oracle.inner_gap(), gap);
}

TEST(WholeProducts, AreTheBanks) {
  const OwnedProblem owned = random_problem(5, 40, 2, 1.0);
  const Problem problem = owned.with(L1{});
  const auto M = static_cast<std::size_t>(problem.kernels());
  const Vector& a = owned.y;
  const WholeProducts some(*owned.bank, {1, 4}, a, Context{});
  Vector q(M);
  Vector forms(M, -1.0);
  owned.bank->quadratic_forms(a, q, Context{});
  some.forms(forms);
  for (std::size_t m = 0; m < M; ++m) {
    EXPECT_NEAR(forms[m], m == 1 || m == 4 ? q[m] : -1.0, 1e-10 * q[m]) << m;
  }
  Vector d(M, 0.0);
  d[1] = 0.3;
  d[4] = 2.0;
  Vector z(a.size());
  owned.bank->apply(d, a, z, Context{});
  const Vector own = some.product(d);
  d[0] = 0.7;
  Vector more(a.size());
  owned.bank->apply(d, a, more, Context{});
  const Vector with_others = some.product(d, *owned.bank, Context{});
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(own[i], z[i], 1e-10);
    EXPECT_NEAR(with_others[i], more[i], 1e-10);
  }
}

}  // namespace
}  // namespace kernmix::testing
