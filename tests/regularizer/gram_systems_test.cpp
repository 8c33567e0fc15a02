// Systems of a diagonal or blocks and a Gram matrix: what is called their inverse is it, and there
// is none of what is not finite.

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "regularizer/subproblem/blocks_plus_gram.hpp"
#include "regularizer/subproblem/diagonal_plus_gram.hpp"

namespace kernmix {
namespace {

using Eigen::ArrayXd;
using Eigen::MatrixXd;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

class GramSystems : public ::testing::TestWithParam<Index> {};  // of 5 rows and so many columns

TEST_P(GramSystems, OfADiagonalAreSolved) {
  std::srand(1);
  const MatrixXd B = MatrixXd::Random(5, GetParam());
  const ArrayXd D = 1.5 + ArrayXd::Random(5);
  const ArrayXd v = ArrayXd::Random(5);
  const ArrayXd r = ArrayXd::Random(5);
  const DiagonalPlusGram sum{RowMatrix(B)};
  for (const double factor : {0.0, 0.7, -0.1}) {
    MatrixXd A = B * B.transpose() + factor * v.matrix() * v.matrix().transpose();
    A.diagonal() += D.matrix();
    const auto inverse = sum.inverse(D, factor, v);
    ASSERT_TRUE(inverse);
    EXPECT_LE((A * inverse->times(r).matrix() - r.matrix()).norm(), 1e-12 * A.norm());
  }
  ArrayXd broken = D;
  broken[2] = not_a_number;
  EXPECT_FALSE(sum.inverse(broken, 0.0, v));
}

TEST_P(GramSystems, OfBlocksAreSolved) {
  std::srand(2);
  const std::vector<Index> group = {0, 1, 0, 1, 1};
  const MatrixXd B = MatrixXd::Random(5, GetParam());
  const ArrayXd D = 1.5 + ArrayXd::Random(5);
  const ArrayXd n = ArrayXd::Random(5);
  const ArrayXd r = ArrayXd::Random(5);
  const ArrayXd seen = sum_over_groups(n.square() / D, group, 2);
  const ArrayXd k = 0.5 / seen;
  MatrixXd A = B * B.transpose();
  A.diagonal() += D.matrix();
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 5; ++j) {
      const Index own = group[static_cast<std::size_t>(i)];
      if (own == group[static_cast<std::size_t>(j)]) A(i, j) -= k[own] * n[i] * n[j];
    }
  }
  const BlocksPlusGram sum(B, group);
  const auto inverse = sum.inverse(D, n, k, 1.0 - k * seen);
  ASSERT_TRUE(inverse);
  EXPECT_LE((A * inverse->times(r).matrix() - r.matrix()).norm(), 1e-11 * A.norm());
  EXPECT_FALSE(sum.inverse(D, not_a_number * n, k, 1.0 - k * seen));
  // A pivot below zero, which is how rounding spoils it: minus a large multiple of n_j n_j'.
  EXPECT_FALSE(sum.inverse(D, n, k, ArrayXd::Constant(2, -1e-9)));
}

INSTANTIATE_TEST_SUITE_P(Columns, GramSystems, ::testing::Values(1, 3, 9));

}  // namespace
}  // namespace kernmix
