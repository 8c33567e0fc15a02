/// \file
/// Which kernels a solver for sparse weights looks at first.

#include "weights/strategies/first_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "random_problem.hpp"

namespace kernmix {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

TEST(FirstKernels, LeadByTheirForms) {
  Vector q(200);
  for (std::size_t m = 0; m < q.size(); ++m) q[m] = static_cast<double>((m * 37) % 200);
  const std::vector<Index> leading = leading_kernels(q, kNoBound);
  EXPECT_EQ(length(leading), kernels_to_begin_with);
  EXPECT_TRUE(std::ranges::is_sorted(leading));
  for (const Index m : leading)
    EXPECT_GE(q[static_cast<std::size_t>(m)], 200 - kernels_to_begin_with);
}

TEST(FirstKernels, AreAsManyAsBoundedWeightsNeed) {
  const Vector q(200, 1.0);
  EXPECT_EQ(length(leading_kernels(q, 0.04)), 100);
  EXPECT_EQ(length(leading_kernels(q, 0.005)), 200);
  EXPECT_EQ(length(leading_kernels(q, kNoBound, 24)), 24);
  EXPECT_EQ(length(leading_kernels(Vector(10, 1.0), kNoBound)), 10);
}

/// Ten widths on each column, or columns in turn for each width: some of every kind are there.
TEST(FirstKernels, AreSpreadOverWhateverRecurs) {
  const std::vector<Index> spread = spread_numbers(440, 55);
  EXPECT_EQ(length(spread), 55);
  EXPECT_TRUE(std::ranges::is_sorted(spread));
  for (const Index period : {2, 3, 5, 8, 10, 13, 16, 21, 34}) {
    std::set<Index> seen;
    for (const Index m : spread) seen.insert(m % period);
    EXPECT_GE(2 * std::ssize(seen), period) << period;
  }
  for (Index k = 0; k < 55; ++k) EXPECT_EQ(spread[static_cast<std::size_t>(k)] / 8, k);
  EXPECT_EQ(length(spread_numbers(5, 5)), 5);
}

}  // namespace
}  // namespace kernmix
