#include "base/roots/root.hpp"

#include <gtest/gtest.h>

namespace kernmix::testing {
namespace {

/// Small integers and their quotients by powers of two are exact.
TEST(ThresholdOfSum, LeavesTheSumAboveIt) {
  const Vector z = {5.0, 3.0, 1.0, -2.0};
  EXPECT_EQ(threshold_of_sum(z, 1.0), 4.0);    // 5 alone
  EXPECT_EQ(threshold_of_sum(z, 2.0), 3.0);    // 5 alone, 3 is at it
  EXPECT_EQ(threshold_of_sum(z, 4.0), 2.0);    // 5 and 3
  EXPECT_EQ(threshold_of_sum(z, 15.0), -2.0);  // all but -2, which is at it
  EXPECT_EQ(threshold_of_sum(z, 19.0), -3.0);  // all
}

}  // namespace
}  // namespace kernmix::testing
