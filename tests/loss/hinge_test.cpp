#include "loss/classes/hinge.hpp"

#include <gtest/gtest.h>

#include "kernmix/types.hpp"
#include "loss/any.hpp"
#include "loss/bias_search.hpp"

namespace kernmix {
namespace {

TEST(Hinge, BestBiasIsTheMidpointOfAnInterval) {
  const Hinge hinge;
  const Vector y = {1.0, -1.0};
  const Vector z = {2.0, -3.0};  // any b in [-1, 2] is optimal
  EXPECT_DOUBLE_EQ(best_bias(hinge, y, z, Vector{1.0, 1.0}), 0.5);
}

TEST(Hinge, BestBiasOfOneClass) {
  const Hinge hinge;
  const Vector z = {0.0, 0.0};
  const double b = best_bias(hinge, Vector{1.0, 1.0}, z, Vector{1.0, 1.0});
  EXPECT_GE(b, 1.0);
}

}  // namespace
}  // namespace kernmix
