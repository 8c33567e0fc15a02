/// \file
/// Factors of many columns: borrowed from the bank, and their Newton systems by conjugate
/// gradients.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "factor_problem.hpp"
#include "svm/newton/centred_rows.hpp"
#include "svm/newton/conjugate_gradients.hpp"
#include "svm/newton/factor_system.hpp"
#include "svm/newton/weighted_columns.hpp"

namespace kernmix::testing {
namespace {

Vector normal_numbers(unsigned seed, Index count) { return random_factor(seed, count, 1).values; }

/// Three kernels of `columns` columns each.
StoredBank bank_of(Index n, const std::vector<Index>& columns, bool single) {
  StoredBank bank(n, length(columns));
  for (Index m = 0; m < length(columns); ++m) {
    const Matrix Z = random_factor(static_cast<unsigned>(m), n, columns[to_size(m)], 0.99);
    bank.keep(alone(m, Z), single);
  }
  return bank;
}

TEST(ManyColumns, AreThoseOfTheBank) {
  constexpr Index n = 70;
  const Vector d = {0.5, 0.0, 3.0};
  for (const bool single : {false, true}) {
    for (const bool constant : {false, true}) {
      for (const std::vector<Index>& sizes : {std::vector<Index>{5, 4, 2}, {400, 9, 300}}) {
        const StoredBank bank = bank_of(n, sizes, single);
        const WeightedColumns Z = WeightedColumns::of(*bank.combined(d), constant, Context{});
        ASSERT_EQ(Z.rows(), n);
        EXPECT_EQ(Z.cols(), sizes[0] + sizes[2] + (constant ? 1 : 0));
        const Vector a = normal_numbers(7, n);
        Vector product(to_size(n));
        Z.multiply(Z.transposed_product(a, Context{}), product, Context{});
        const Vector expected = combined_product(bank, d, a, Context{});
        double sum = 0.0;
        for (const double value : a) sum += constant ? value : 0.0;
        Vector row(to_size(Z.cols()));
        for (Index i = 0; i < n; ++i) {
          Z.copy_row(i, row.data());
          const double square = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
          EXPECT_NEAR(Z.squared_norm(i), square, 1e-12 * square);
          EXPECT_NEAR(Z.dot(i, row.data()), square, 1e-12 * square);
          Vector twice = row;
          Z.add_row(1.0, i, twice.data());
          for (std::size_t j = 0; j < row.size(); ++j) EXPECT_DOUBLE_EQ(twice[j], 2.0 * row[j]);
          EXPECT_NEAR(product[to_size(i)], expected[to_size(i)] + sum, 1e-8 * square);
        }
      }
    }
  }
}

TEST(ManyColumns, AreComputedWhereKernelsShareThem) {
  const Matrix Z = random_factor(3, 50, 600);
  FactorFamily family = alone(0, Z);
  family.kernels = {0, 1};
  family.cores = {Matrix(600, 600), Matrix(600, 600)};
  for (Matrix& core : family.cores) {
    for (Index c = 0; c < core.rows; ++c) core(c, c) = 1.0;
  }
  StoredBank bank(50, 2);
  bank.keep(family, false);
  EXPECT_TRUE(bank.combined(Vector{1.0, 1.0})->stored_columns().empty());
  EXPECT_GT(WeightedColumns::of(*bank.combined(Vector{1.0, 1.0}), false, Context{}).cols(), 0);
}

/// Slopes of a step: many zero, the others of any size.
Vector random_slopes(unsigned seed, Index n) {
  Vector slopes = normal_numbers(seed, n);
  for (double& slope : slopes) slope = slope < -0.7 ? 0.0 : std::exp(2.0 * slope);
  return slopes;
}

DualSet set_of(Index n, bool balanced) {
  const RandomData data(5, n, 3);
  return dual_set(Hinge{}, balanced ? Bias::free : Bias::none, data.y, Vector(to_size(n), 1.0));
}

TEST(ConjugateGradients, SolveTheSystem) {
  constexpr Index n = 1500;
  constexpr Index r = 600;
  for (const double decay : {1.0, 0.98, 0.9}) {
    const WeightedColumns Z(random_factor(4, n, r, decay));
    for (const bool balanced : {false, true}) {
      const DualSet set = set_of(n, balanced);
      const Vector slopes = random_slopes(6, n);
      const CentredRows Y(Z, slopes, set, Context());
      ASSERT_TRUE(by_conjugate_gradients(Y.count(), r));
      const Vector numbers = normal_numbers(8, r);
      const Eigen::VectorXd b = as_vector(ConstSpan(numbers));
      const SketchedSystem sketch(Y, Context{});
      const Eigen::VectorXd x = conjugate_gradients(Y, sketch, b, 1e-9, Context{});
      const RowMatrix rows = Y.rows(0, Y.count());
      const Eigen::VectorXd product = x + rows.transpose() * (rows * x);
      EXPECT_LE((product - b).norm(), 1e-6 * b.norm()) << "decay " << decay;
      EXPECT_LE((Y.identity_plus_gram_times(x, Context{}) - product).norm(), 1e-9 * b.norm());
      const Eigen::VectorXd image = Y.times(x, Context{});
      EXPECT_LE((image - rows * x).norm(), 1e-9 * (1.0 + image.norm()));
      EXPECT_LE((Y.transposed_times(image, Context{}) + x - product).norm(), 1e-9 * b.norm());
      const Vector p = newton_direction(Z, slopes, set, numbers, Context{});
      EXPECT_LT(as_vector(ConstSpan(p)).dot(b), 0.0);
    }
  }
}

TEST(ConjugateGradients, AreTheSameForAnyNumberOfThreads) {
  constexpr Index n = 4000;
  const WeightedColumns Z(random_factor(4, n, 530, 0.99));
  const DualSet set = set_of(n, true);
  const Vector slopes = random_slopes(6, n);
  const Vector g = normal_numbers(8, Z.cols());
  const auto direction = [&](int threads) {
    Context context;
    context.threads = threads;
    return newton_direction(Z, slopes, set, g, context);
  };
  const Vector one = direction(1);
  EXPECT_EQ(one, direction(2));
  EXPECT_EQ(one, direction(5));
}

/// Every kind of response: kinks, boxes on one side, curved and smooth ones.
TEST(ManyColumns, ReachASmallGap) {
  constexpr Index n = 1400;
  constexpr double tolerance = 1e-6;
  const Matrix Z = random_factor(12, n, 560, 0.99);
  const Matrix K = product(Z);
  for (const char* text : {"hinge", "epsilon:eps=0.1", "squared-hinge", "logistic"}) {
    const Loss loss = parse_loss(text);
    const OwnedProblem data = random_problem_for(loss, 5, n, 3, 0.5);
    for (const Bias rule : bias_rules(loss)) {
      const FactorProblem owned(Z, loss, rule, data.y, data.C);
      const FactorSolved run = solve_on_factor(owned, K, tolerance);
      EXPECT_LE(run.gap, tolerance * run.scale) << text << ", bias " << bias_name(rule);
    }
  }
}

}  // namespace
}  // namespace kernmix::testing
