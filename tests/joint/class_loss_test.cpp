/// \file
/// The parts of the loss of Crammer and Singer: projection, biases and sums.

#include "loss/class_balance.hpp"
#include "loss/class_biases.hpp"
#include "loss/classes/crammer_singer.hpp"
#include "random_classes.hpp"

namespace kernmix::testing {
namespace {

Vector random_vector(std::mt19937& engine, Index size, double scale) {
  std::normal_distribution<double> normal(0.0, scale);
  Vector values;
  for (Index k = 0; k < size; ++k) values.push_back(normal(engine));
  return values;
}

/// A row of the dual set: some of its entries at their bounds.
Vector random_row(std::mt19937& engine, Index classes, Index y, double C) {
  Vector row = random_vector(engine, classes, C);
  Vector scratch;
  project_onto_dual(row, y, C, scratch);
  return row;
}

Matrix random_dual(std::mt19937& engine, const std::vector<Index>& y, Index classes, double C) {
  Matrix A(length(y), classes);
  for (Index i = 0; i < A.rows; ++i) {
    const Vector row = random_row(engine, classes, y[static_cast<std::size_t>(i)], C);
    std::ranges::copy(row, A.row(i).begin());
  }
  return A;
}

double squared_distance(const Vector& left, const Vector& right) {
  double sum = 0.0;
  for (std::size_t k = 0; k < left.size(); ++k) {
    sum += (left[k] - right[k]) * (left[k] - right[k]);
  }
  return sum;
}

void expect_in_dual_set(const Vector& row, Index y, double C) {
  double sum = 0.0;
  for (Index u = 0; u < length(row); ++u) {
    const double value = row[static_cast<std::size_t>(u)];
    EXPECT_LE(value, u == y ? C : 0.0);
    sum += value;
  }
  EXPECT_NEAR(sum, 0.0, 1e-14 * C * static_cast<double>(row.size()));
}

TEST(CrammerSinger, TheProjectionIsFeasibleAndNearest) {
  std::mt19937 engine(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Index classes = 2 + trial % 6;
    const Index y = trial % classes;
    const double C = 0.3 + trial % 3;
    const Vector point = random_vector(engine, classes, 2.0 * C);
    Vector nearest = point;
    Vector scratch;
    project_onto_dual(nearest, y, C, scratch);
    expect_in_dual_set(nearest, y, C);
    for (int other = 0; other < 20; ++other) {
      const Vector feasible = random_row(engine, classes, y, C);
      EXPECT_GE(squared_distance(point, feasible), squared_distance(point, nearest) - 1e-12);
    }
  }
}

TEST(CrammerSinger, ClippingEndsInTheSetAndLeavesItsPointsAlone) {
  std::mt19937 engine(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Index classes = 2 + trial % 6;
    const Index y = trial % classes;
    const double C = 0.3 + trial % 3;
    const Vector inside = random_row(engine, classes, y, C);
    Vector same = inside;
    clip_to_dual(same, y, C);
    for (std::size_t u = 0; u < same.size(); ++u) EXPECT_NEAR(same[u], inside[u], 1e-14 * C);
    Vector clipped = random_vector(engine, classes, 2.0 * C);
    clip_to_dual(clipped, y, C);
    expect_in_dual_set(clipped, y, C);
  }
}

TEST(CrammerSinger, TheGapIsLossPlusConjugateAndVanishesAtTheMaximiser) {
  std::mt19937 engine(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Index classes = 2 + trial % 5;
    const auto y = static_cast<std::size_t>(trial % classes);
    const Vector f = random_vector(engine, classes, 1.0);
    const Vector a = random_row(engine, classes, static_cast<Index>(y), 1.5);
    double product = 0.0;
    for (std::size_t u = 0; u < f.size(); ++u) product += f[u] * a[u];
    const double loss = crammer_singer_loss(f, static_cast<Index>(y), 1.5);
    const double gap = crammer_singer_gap(f, a, static_cast<Index>(y), 1.5);
    EXPECT_GE(gap, 0.0);
    EXPECT_NEAR(gap, loss - a[y] + product, 1e-12);
    Vector best(f.size(), 0.0);
    std::size_t worst = y;
    for (std::size_t u = 0; u < f.size(); ++u) {
      const double own = f[u] + (u == y ? 0.0 : 1.0);
      if (own > f[worst] + (worst == y ? 0.0 : 1.0)) worst = u;
    }
    best[y] += 1.5;
    best[worst] -= 1.5;
    EXPECT_NEAR(crammer_singer_gap(f, best, static_cast<Index>(y), 1.5), 0.0, 1e-15);
  }
}

double total_loss(const Matrix& Z, const std::vector<Index>& y, const Vector& C,
                  const Vector& bias) {
  double loss = 0.0;
  Vector f(bias.size());
  for (Index i = 0; i < Z.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (std::size_t u = 0; u < f.size(); ++u) f[u] = Z.row(i)[u] + bias[u];
    loss += crammer_singer_loss(f, y[at], C[at]);
  }
  return loss;
}

/// No descent along any set of classes, which is enough for a cut function such as this one.
TEST(ClassBiases, NoSetOfClassesMovesToALowerLoss) {
  std::mt19937 engine(3);
  for (int trial = 0; trial < 40; ++trial) {
    const Index classes = 2 + trial % 5;
    const Index n = 5 + trial;
    Matrix Z(n, classes);
    Z.values = random_vector(engine, n * classes, 1.0);
    std::vector<Index> y;
    Vector C;
    for (Index i = 0; i < n; ++i) {
      y.push_back(i % classes);
      C.push_back(trial % 2 == 0 ? 1.0 : 0.1 + 0.2 * static_cast<double>(i % 7));
    }
    const Vector start = random_vector(engine, classes, 1.0);
    const Vector bias = best_class_biases(Z, y, C, start);
    const double least = total_loss(Z, y, C, bias);
    EXPECT_NEAR(total_loss(Z, y, C, best_class_biases(Z, y, C, {})), least, 1e-11 * least);
    for (unsigned set = 1; set + 1 < (1u << static_cast<unsigned>(classes)); ++set) {
      for (const double step : {1e-7, 1e-3, 0.1, 1.0}) {
        Vector moved = bias;
        for (std::size_t u = 0; u < moved.size(); ++u)
          moved[u] += (set >> u & 1u) != 0 ? step : 0.0;
        EXPECT_GE(total_loss(Z, y, C, moved), least - 1e-11 * least);
      }
    }
  }
}

TEST(ClassBalance, SumsVanishInsideTheSetAndBalancedMatricesStay) {
  std::mt19937 engine(4);
  for (int trial = 0; trial < 40; ++trial) {
    const Index classes = 2 + trial % 5;
    std::vector<Index> y;
    for (Index i = 0; i < 30; ++i) y.push_back(i % classes);
    Matrix A = random_dual(engine, y, classes, 2.0);
    const Matrix before = A;
    balance_classes(A, y);
    for (Index i = 0; i < A.rows; ++i) {
      double row = 0.0;
      for (Index u = 0; u < classes; ++u) {
        EXPECT_GE(std::abs(before(i, u)) + 1e-15, std::abs(A(i, u)));
        EXPECT_GE(before(i, u) * A(i, u), 0.0);
        row += A(i, u);
      }
      EXPECT_NEAR(row, 0.0, 1e-14);
    }
    for (Index u = 0; u < classes; ++u) {
      double sum = 0.0;
      for (Index i = 0; i < A.rows; ++i) sum += A(i, u);
      EXPECT_NEAR(sum, 0.0, 1e-12);
    }
    const Matrix balanced = A;
    balance_classes(A, y);
    for (std::size_t e = 0; e < A.values.size(); ++e) {
      EXPECT_NEAR(A.values[e], balanced.values[e], 1e-12);
    }
  }
}

}  // namespace
}  // namespace kernmix::testing
