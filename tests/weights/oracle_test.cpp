#include "weights/oracle.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "forwarding_bank.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "solver_checks.hpp"

namespace kernmix::testing {
namespace {

/// Counts the combined kernels that are asked for.
class CombiningBank final : public ForwardingBank {
 public:
  using ForwardingBank::ForwardingBank;

  [[nodiscard]] std::unique_ptr<Combined> combined(ConstSpan d) const override {
    ++combined_;
    return ForwardingBank::combined(d);
  }
  [[nodiscard]] int count() const { return combined_; }

 private:
  mutable std::atomic<int> combined_ = 0;
};

/// Many tasks would each read K(d) once, after the time limit.
TEST(SvmOracle, ReadsNoKernelWithoutTime) {
  const RandomData data(1, 40, 3);
  const OwnedProblem owned =
      make_problem({data.gaussian(0.7, {0}), data.gaussian(1.0, {1, 2})}, data.y, 2.0);
  const Problem whole = owned.with(L1{});
  const CombiningBank bank(whole.bank);
  const Problem problem{bank, Hinge{}, L1{}, data.y, Vector(data.y.size(), 2.0)};
  CombinedKernel kernel(bank);
  std::atomic<bool> cancelled = true;
  Context context;
  context.cancelled = &cancelled;
  SvmOracle oracle(problem, 0, kernel);
  const Vector d(2, 0.5);
  oracle.solve(d, 1e-3, context);
  EXPECT_EQ(bank.count(), 0);
  const auto positive = std::ranges::count(data.y, 1.0);
  const auto fewer = std::min<std::ptrdiff_t>(positive, std::ssize(data.y) - positive);
  EXPECT_DOUBLE_EQ(oracle.inner_gap(), 2.0 * 2.0 * static_cast<double>(fewer))
      << "f = 1 or -1 errs on the rarer class only";
  cancelled = false;
  oracle.solve(d, 1e-3, context);
  EXPECT_GT(bank.count(), 0);
  EXPECT_LE(oracle.inner_gap(), 1e-3);
}

/// Interrupts when K(d) is about to be formed for the k-th time.
class InterruptingBank final : public ForwardingBank {
 public:
  InterruptingBank(const KernelBank& bank, int k, std::atomic<bool>& interrupted)
      : ForwardingBank(bank), left_(k), interrupted_(interrupted) {}

  [[nodiscard]] std::unique_ptr<Combined> combined(ConstSpan d) const override {
    if (--left_ == 0) interrupted_ = true;
    return ForwardingBank::combined(d);
  }

 private:
  mutable std::atomic<int> left_;
  std::atomic<bool>& interrupted_;
};

/// Nobody waits for K(d), which may take seconds: the answer is the best one before it.
TEST(SvmOracle, InterruptionWhileKernelsAreCombinedReturnsACertifiedAnswer) {
  const RandomData data(3, 60, 4);
  const OwnedProblem owned = make_problem(
      {data.gaussian(0.7, {0}), data.gaussian(1.0, {1, 2}), data.gaussian(0.5, {2, 3})}, data.y,
      10.0);
  Vector other = data.y;
  std::ranges::reverse(other);
  const Vector C(other.size(), 10.0);
  const std::vector<Task> both = {{data.y, C}, {other, C}};
  const Answer before = solve_tightly(owned.with(Fixed{{0.1, 0.2, 0.7}}));
  for (const char* loss : {"hinge", "squared-hinge", "logistic", "nu-svc:nu=0.3", "warm hinge"}) {
    const bool warm = std::string(loss) == "warm hinge";
    const Loss own = parse_loss(warm ? "hinge" : loss);
    for (const Coupling coupling : {Coupling::separate, Coupling::sum, Coupling::minimax}) {
      for (int k = 1; k <= 20; ++k) {
        SCOPED_TRACE(fmt::format("{}, combination {}", loss, k));
        std::atomic<bool> interrupted = false;
        Context context;
        context.cancelled = &interrupted;
        const InterruptingBank bank(owned.with(L1{}).bank, k, interrupted);
        const Problem problem = coupling == Coupling::separate
                                    ? Problem{bank, own, L1{}, data.y, C}
                                    : Problem{bank, own, L1{}, both, coupling};
        SolverOptions options;
        if (warm) options.start = {Vector(3, 1.0), before.a.front()};
        const Answer answer = solve(problem, options, context);
        EXPECT_TRUE(interrupted || answer.status == Status::converged);
        if (coupling != Coupling::separate) continue;
        const Certificate again = certify(problem, answer.d, answer.a, Context{}).certificate;
        EXPECT_NEAR(again.primal, answer.certificate.primal, 1e-9 * again.size());
        EXPECT_NEAR(again.dual, answer.certificate.dual, 1e-9 * again.size());
      }
    }
  }
}

/// A part of the samples is solved first, which leaves no answer to all of them.
TEST(SvmOracle, InterruptionOfAPartOfTheSamplesReturnsACertifiedAnswer) {
  const RandomData data(3, 1000, 4);
  const OwnedProblem owned = make_problem(
      {data.gaussian(0.7, {0}), data.gaussian(1.0, {1, 2}), data.gaussian(0.5, {2, 3})}, data.y,
      10.0);
  for (int k = 1; k <= 12; ++k) {
    std::atomic<bool> interrupted = false;
    Context context;
    context.threads = 1 + k % 2;
    context.cancelled = &interrupted;
    const InterruptingBank bank(owned.with(L1{}).bank, k, interrupted);
    const Problem problem{bank, Hinge{}, L1{}, data.y, Vector(data.y.size(), 10.0)};
    EXPECT_GE(solve(problem, {}, context).certificate.primal, 0.0) << k;
  }
}

/// K(d) is not finished for a = 0, nor where there is an answer; otherwise it is.
TEST(SvmOracle, FinishesTheKernelOfTheOnlyAnswer) {
  const RandomData data(1, 40, 3);
  const OwnedProblem owned =
      make_problem({data.gaussian(0.7, {0}), data.gaussian(1.0, {1, 2})}, data.y, 2.0);
  const Answer known = solve_tightly(owned.with(Fixed{{0.5, 0.5}}));
  const auto interrupted_oracle = [&](bool zero, bool answered) {
    std::atomic<bool> interrupted = false;
    Context context;
    context.cancelled = &interrupted;
    const InterruptingBank bank(owned.with(L1{}).bank, 1, interrupted);
    const Problem problem{bank, Hinge{}, L1{}, data.y, Vector(data.y.size(), 2.0)};
    SvmOracle oracle(problem);
    if (!zero) oracle.start_from(known.a.front());
    if (answered) oracle.answer_exists();
    oracle.solve(Vector{0.3, 0.7}, 1e-6, context);
    return oracle.inner_gap();
  };
  EXPECT_GT(interrupted_oracle(true, false), 0.0);
  EXPECT_GT(interrupted_oracle(true, true), 0.0);
  EXPECT_LT(interrupted_oracle(false, false), interrupted_oracle(true, false));
  EXPECT_THROW(interrupted_oracle(false, true), ResourceError);
}

}  // namespace
}  // namespace kernmix::testing
