/// \file
/// Kernels that act as the identity count for no view: their weight separates the training samples,
/// whatever their columns.

#include "kernmix/identity_kernels.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernmix/train.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

double sum_of(const Vector& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

RC_GTEST_PROP(SharesInViews, HaveTheSumOfAllAndNothingOfIdentities, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 8);
  const auto counts = *rc::gen::container<std::vector<int>>(size, rc::gen::inRange(0, 4));
  const auto identities = *rc::gen::container<std::vector<bool>>(size, rc::gen::arbitrary<bool>());
  const Vector shares(counts.begin(), counts.end());
  const Vector counted = shares_in_views(shares, identities);
  double left = 0.0;
  for (std::size_t m = 0; m < size; ++m) left += identities[m] ? 0.0 : shares[m];
  if (left == 0.0) left = sum_of(shares);
  RC_ASSERT(std::abs(sum_of(counted) - (left > 0.0 ? 1.0 : 0.0)) <= 1e-14);
  const bool some_left = left < sum_of(shares) || std::ranges::count(identities, true) == 0;
  for (std::size_t m = 0; m < size && some_left && left > 0.0; ++m) {
    RC_ASSERT(std::abs(counted[m] - (identities[m] ? 0.0 : shares[m] / left)) <= 1e-14);
  }
}

/// A bandwidth far below all distances gives k(x, z) = 0 for x != z.
TEST(IdentityKernels, AreThoseOfBandwidthsBelowAllDistances) {
  const Dataset data = toy_data(60, 3);
  TrainOptions options;
  options.kernels = {"rbf(gamma=1e4) on a", "linear on a", "rbf(width=median) on b"};
  options.regularizer = "fixed:2,1,1";
  const Model model = train(data, options, {}).model;
  EXPECT_EQ(identity_kernels(model), (std::vector<bool>{true, false, false}));
  EXPECT_EQ(weights_in_views(model),
            (Vector{0.0, model.kernels[1].weight, model.kernels[2].weight}));
}

TEST(IdentityKernels, CountWhereThereIsNothingElse) {
  TrainOptions options;
  options.kernels = {"rbf(gamma=1e4) on a", "rbf(gamma=1e4) on b"};
  options.regularizer = "fixed:1,1";
  const Model model = train(toy_data(60, 4), options, {}).model;
  EXPECT_EQ(identity_kernels(model), (std::vector<bool>{true, true}));
  EXPECT_EQ(weights_in_views(model), (Vector{model.kernels[0].weight, model.kernels[1].weight}));
}

}  // namespace
}  // namespace kernmix
