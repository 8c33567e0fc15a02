/// \file
/// Kernels that are kept as factors, of so low a rank that the dual has many solutions.

#include <numeric>

#include "bank/stored_bank.hpp"
#include "factor_family.hpp"
#include "kernmix/bank/build.hpp"
#include "random_classes.hpp"
#include "regularizer/any.hpp"

namespace kernmix::testing {
namespace {

TEST(JointStorage, FactorsAndMatricesHaveOneOptimum) {
  const Index n = 80;
  const RandomData data(51, n, 3);
  const std::vector<Index> y = sectors(data, 51, 3);
  auto factors = std::make_unique<StoredBank>(n, 3);
  std::vector<Matrix> grams;
  for (Index c = 0; c < 3; ++c) {
    Matrix Z(n, 2);
    Matrix K(n, n);
    for (Index i = 0; i < n; ++i) {
      Z(i, 0) = data.X(i, c);
      Z(i, 1) = data.X(i, c) * data.X(i, c);
    }
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) K(i, j) = Z(i, 0) * Z(j, 0) + Z(i, 1) * Z(j, 1);
    }
    factors->keep(alone(c, Z), false);
    grams.push_back(std::move(K));
  }
  const OwnedClasses on_factors{std::move(factors), y, 3, Vector(y.size(), 1.0)};
  const OwnedClasses on_matrices{dense_bank(std::move(grams)), y, 3, Vector(y.size(), 1.0)};
  for (const Bias bias : {Bias::free, Bias::none}) {
    expect_bounds_overlap(expect_joint_solved(on_factors.with(L1{}, bias), 1e-5).certificate,
                          expect_joint_solved(on_matrices.with(L1{}, bias), 1e-5).certificate);
  }
}

}  // namespace
}  // namespace kernmix::testing
