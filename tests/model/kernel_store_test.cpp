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

KernelStore store_of(const Context& context, MemoryPlan& plan, Timings& seconds) {
  constexpr Index kSamples = 400;
  std::vector<KernelSourcePtr> sources;
  for (unsigned m = 0; m < 4; ++m) {
    sources.push_back(
        std::make_shared<test::DenseSource>(test::random_gram(kSamples, kSamples, m)));
  }
  return {std::move(sources),
          {"A", "B", "C", "D"},
          [](const MemoryPlan&) { return SolverMemory{}; },
          {1e-3, 1.0},
          context,
          plan,
          seconds};
}

/// Certifying evaluates every kernel as storing them did, so it is due to take as long.
TEST(KernelStore, LeavesTheCertificateItsTime) {
  Context context;
  context.deadline = Clock::now() + std::chrono::hours(1);
  MemoryPlan plan;
  Timings seconds;
  const KernelStore store = store_of(context, plan, seconds);
  ASSERT_GT(seconds.kernels, 0.0);
  const std::chrono::duration<double> reserve = *context.deadline - *store.solving().deadline;
  EXPECT_NEAR(reserve.count(), seconds.kernels, 1e-6);
}

TEST(KernelStore, HasNoDeadlineOfItsOwn) {
  const Context context;
  MemoryPlan plan;
  Timings seconds;
  EXPECT_FALSE(store_of(context, plan, seconds).solving().deadline.has_value());
}

}  // namespace
}  // namespace kernmix
