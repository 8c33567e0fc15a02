/// \file
/// No memory is allocated inside the iterations: ten times the iterations, the same allocations.

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "problems.hpp"

namespace {
thread_local long allocations = 0;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace kernmix::test {
namespace {

long allocations_of(const Owned& problem, Index iterations) {
  const Index n = problem.n();
  Vector a(problem.y.size(), 0.0);
  Vector z(problem.y.size());
  const ExactProduct exact = [&](ConstSpan at, MutableSpan out) { product(problem, at, out); };
  const InnerGap never = [](ConstSpan, ConstSpan) { return 1.0; };
  SmoOptions options;
  options.max_iterations = iterations;
  options.shrinking = false;
  const long before = allocations;
  const SmoResult result = solve_smo(problem.view(), exact, never, options, a, z, Context{});
  EXPECT_EQ(result.iterations, iterations) << "n = " << n;
  return allocations - before;
}

TEST(SmoAllocation, IterationsAllocateNothing) {
  const Owned problem = clouds(200, 1000.0, 41);
  const long few = allocations_of(problem, 500);
  EXPECT_GT(few, 0);
  EXPECT_EQ(allocations_of(problem, 5000), few);
}

}  // namespace
}  // namespace kernmix::test
