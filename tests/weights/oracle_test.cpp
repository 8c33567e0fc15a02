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
  for (const char* loss : {"hinge", "squared-hinge", "logistic"}) {
    for (const Coupling coupling : {Coupling::separate, Coupling::sum, Coupling::minimax}) {
      for (int k = 1; k <= 20; ++k) {
        SCOPED_TRACE(fmt::format("{}, combination {}", loss, k));
        std::atomic<bool> interrupted = false;
        Context context;
        context.cancelled = &interrupted;
        const InterruptingBank bank(owned.with(L1{}).bank, k, interrupted);
        const Problem problem = coupling == Coupling::separate
                                    ? Problem{bank, parse_loss(loss), L1{}, data.y, C}
                                    : Problem{bank, parse_loss(loss), L1{}, both, coupling};
        const Answer answer = solve(problem, {}, context);
        EXPECT_TRUE(interrupted || answer.status == Status::converged);
        if (coupling != Coupling::separate) continue;
        const Certificate again = certify(problem, answer.d, answer.a, Context{}).certificate;
        EXPECT_NEAR(again.primal, answer.certificate.primal, 1e-9 * again.primal);
        EXPECT_NEAR(again.dual, answer.certificate.dual, 1e-9 * again.primal);
      }
    }
  }
}

}  // namespace
}  // namespace kernmix::testing
