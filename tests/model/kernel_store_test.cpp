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

Context within_an_hour() {
  Context context;
  context.deadline = Clock::now() + std::chrono::hours(1);
  return context;
}

/// What solving leaves of the time limit.
double reserve_of(const KernelStore& store) {
  const std::chrono::duration<double> reserve =
      *store.context().deadline - *store.solving().deadline;
  return reserve.count();
}

/// Certifying evaluates every kernel as storing them did, so it is due to take as long.
TEST(KernelStore, LeavesTheCertificateItsTime) {
  const Context context = within_an_hour();
  MemoryPlan plan;
  Timings seconds;
  StoredKernels kernels = four_kernels();
  const KernelStore store = store_of(kernels, context, plan, seconds);
  ASSERT_GT(seconds.kernels, 0.0);
  EXPECT_NEAR(reserve_of(store), seconds.kernels, 1e-6);
}

/// A later fit on stored kernels owes the same certificate, until their entries are in memory.
TEST(KernelStore, LeavesTheCertificatesOfLaterFitsTheirTime) {
  const Context context = within_an_hour();
  MemoryPlan plan;
  Timings first;
  Timings later;
  StoredKernels kernels = four_kernels();
  kernels.for_later = true;
  static_cast<void>(store_of(kernels, context, plan, first));
  KernelStore second = store_of(kernels, context, plan, later);
  ASSERT_EQ(later.kernels, 0.0);
  EXPECT_NEAR(reserve_of(second), first.kernels, 1e-6);
  second.owe(3);
  EXPECT_NEAR(reserve_of(second), 3.0 * first.kernels, 1e-6);
  static_cast<void>(second.exact());
  ASSERT_GT(kernels.entry_bytes, 0);
  EXPECT_EQ(reserve_of(store_of(kernels, context, plan, later)), 0.0);
}

/// Answers that are proven on the stored kernels read no others.
TEST(KernelStore, LeavesNoTimeToACertificateOfStoredKernels) {
  const Context context = within_an_hour();
  MemoryPlan plan;
  Timings seconds;
  StoredKernels kernels = four_kernels();
  const KernelStore store(
      kernels, [](const MemoryPlan&) { return SolverMemory{}; },
      {.tolerance = 1e-3, .largest_C = 1.0, .on_exact = false}, context, plan, seconds);
  EXPECT_EQ(reserve_of(store), 0.0);
}

TEST(KernelStore, PlansTheCertificateBesideTheKernels) {
  MemoryPlan plan;
  Timings seconds;
  StoredKernels kernels = four_kernels();
  kernels.for_later = true;
  constexpr std::size_t certificate = std::size_t{1} << 30;
  const Context context;
  const auto solver = [](std::size_t combined) {
    return [combined](const MemoryPlan&) {
      return SolverMemory{.combined = combined, .workspace = 0, .certificate = certificate};
    };
  };
  static_cast<void>(KernelStore(kernels, solver(0), {1e-3, 1.0}, context, plan, seconds));
  EXPECT_EQ(plan.workspace_bytes, certificate);
  static_cast<void>(KernelStore(kernels, solver(certificate), {1e-3, 1.0}, context, plan, seconds));
  EXPECT_LT(plan.workspace_bytes, certificate / 2);  // K(d) is gone by then
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
