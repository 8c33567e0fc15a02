#include "weights/oracle.hpp"

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

}  // namespace
}  // namespace kernmix::testing
