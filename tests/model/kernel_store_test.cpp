/// \file
/// Solving ends in time for the certificate.

#include "model/solving/kernel_store.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "bank/reference.hpp"
#include "kernmix/bank/plan.hpp"

namespace kernmix {
namespace {

using Clock = std::chrono::steady_clock;

StoredKernels four_kernels() {
  constexpr Index kSamples = 400;
  StoredKernels kernels{{}, {"A", "B", "C", "D"}};
  for (unsigned m = 0; m < 4; ++m) {
    kernels.sources.push_back(
        std::make_shared<test::DenseSource>(test::random_gram(kSamples, kSamples, m)));
  }
  return kernels;
}

KernelStore store_of(StoredKernels& kernels, const Context& context, MemoryPlan& plan,
                     Timings& seconds, double tolerance = 1e-3) {
  return {
      kernels, [](const MemoryPlan&) { return SolverMemory{}; }, {tolerance, 1.0}, context, plan,
      seconds};
}

/// Certifying evaluates every kernel as storing them did, so it is due to take as long.
TEST(KernelStore, LeavesTheCertificateItsTime) {
  Context context;
  context.deadline = Clock::now() + std::chrono::hours(1);
  MemoryPlan plan;
  Timings seconds;
  StoredKernels kernels = four_kernels();
  const KernelStore store = store_of(kernels, context, plan, seconds);
  ASSERT_GT(seconds.kernels, 0.0);
  const std::chrono::duration<double> reserve = *context.deadline - *store.solving().deadline;
  EXPECT_NEAR(reserve.count(), seconds.kernels, 1e-6);
}

TEST(KernelStore, HasNoDeadlineOfItsOwn) {
  const Context context;
  MemoryPlan plan;
  Timings seconds;
  StoredKernels kernels = four_kernels();
  EXPECT_FALSE(store_of(kernels, context, plan, seconds).solving().deadline.has_value());
}

TEST(KernelStore, FindsWhatAnotherRunStoredUnlessItAsksForMoreDigits) {
  MemoryPlan plan;
  Timings first;
  Timings second;
  Timings third;
  StoredKernels kernels = four_kernels();
  kernels.for_later = true;
  const KernelBank* const bank = &store_of(kernels, {}, plan, first).bank();
  EXPECT_EQ(&store_of(kernels, {}, plan, second).bank(), bank);
  EXPECT_EQ(second.kernels, 0.0);
  EXPECT_GT(plan.bank_bytes, 0);
  static_cast<void>(store_of(kernels, {}, plan, third, 1e-8));
  EXPECT_GT(third.kernels, 0.0);
  EXPECT_TRUE(kernels.double_precision);
}

}  // namespace
}  // namespace kernmix
